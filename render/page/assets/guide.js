// The page of the rules of a game.

import { Cards } from "./cards.js";
import { byId } from "./dom.js";
import { fillRules } from "./rules.js";
import { Words } from "./words.js";

const data = JSON.parse(byId("data").textContent);
fillRules(data, new Words(data, new Cards(data.cards, document.body)));
document.documentElement.dataset.ready = "";

// The card of the rules: what each may do and what it brings, made from the declaration, with what house rules change.

import { byId, element, inWords } from "./dom.js";

// data: that of the game.
export function showRules({ heading, rules }) {
  byId("rules-title").textContent = heading;
  byId("house-rules").replaceChildren(...rules.house.map(([name, description]) => named(name, description)));
  byId("house-rules").hidden = !rules.house.length;
  for (const [id, sentences] of [["chosen", rules.chosen], ["forced", rules.forced]]) {
    byId(id).replaceChildren(...sentences.map(([text, isChanged]) => element("li", isChanged ? "changed" : "", text)));
  }
  byId("title").addEventListener("click", () => byId("rules").showModal());
  for (const id of ["rules", "rules-close"]) byId(id).addEventListener("click", (event) => event.target === byId(id) && byId("rules").close());
}

function named(name, description) {
  const item = element("li", "changed");
  item.append(element("b", "", `${inWords(name)}: `), description);
  return item;
}

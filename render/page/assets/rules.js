// The rules to read: sections with pictures of the cards, and what house rules change; shown at the first deal.

import { byId, element, inWords } from "./dom.js";

const MARKED = { new: "house rule", gone: "not here" };
const SHOWN = "maumau rules shown"; // at the first deal: "off", or the games that were shown, each in a line
const MAX_REMEMBERED = 50; // games that are remembered

// rules: as the server makes them. words: write texts with the faces of cards.
export function fillRules({ heading, rules }, words) {
  byId("rules-title").textContent = heading;
  const profiles = rules.profiles.map((name) => inWords(name, heading)).join(", ");
  byId("house-title").textContent = profiles ? `House rules of this table: ${profiles}` : "House rules of this table";
  byId("house-title").hidden = !rules.house.length;
  byId("house-rules").replaceChildren(...rules.house.map(([name, description]) => named(inWords(name, heading), description)));
  byId("rules-sections").replaceChildren(...rules.sections.flatMap(([title, entries]) => section(words, title, entries)));
  byId("rules-machine").hidden = !rules.chosen.length;
  for (const id of ["chosen", "forced"]) byId(id).replaceChildren(...rules[id].map(([text, mark]) => item([line(words, [words.data.arcs[text]?.description ?? text, mark])])));
}

// The card of the rules at a table. data: that of the game.
export class Rules {
  constructor(data, words) {
    this.game = data.rules.game;
    fillRules(data, words);
    byId("title").addEventListener("click", () => byId("rules").showModal());
    for (const id of ["rules", "rules-close"]) byId(id).addEventListener("click", (event) => event.target === byId(id) && byId("rules").close());
    byId("rules-first").checked = localStorage.getItem(SHOWN) !== "off";
    byId("rules-first").addEventListener("change", () => localStorage.setItem(SHOWN, byId("rules-first").checked ? "" : "off"));
  }

  // Show the card to who plays this game, with these house rules, in this browser for the first time.
  showFirst() {
    const shown = (localStorage.getItem(SHOWN) ?? "").split("\n");
    if (shown[0] === "off" || shown.includes(this.game) || document.querySelector("dialog[open]")) return;
    localStorage.setItem(SHOWN, [...shown.filter(Boolean).slice(1 - MAX_REMEMBERED), this.game].join("\n"));
    byId("rules").showModal();
  }
}

function section(words, title, entries) {
  const list = element("ul");
  list.style.setProperty("--pictures", Math.max(...entries.map(([cards]) => cards.length)));
  list.append(...entries.map(([cards, texts]) => {
    const told = texts.map((text) => line(words, text));
    return cards.length ? item([pictures(words, cards), ...told], "pictured") : item(told);
  }));
  return [element("h3", "", title), list];
}

function pictures(words, cards) {
  const shown = element("span", "pictures");
  shown.append(...cards.map((card) => words.cards.plainPicture(card)));
  return shown;
}

function item(parts, kind = "") {
  const made = element("li", kind);
  made.append(...parts);
  return made;
}

function named(name, description) {
  const item = element("li");
  item.append(element("b", "", `${name}: `), description);
  return item;
}

function line(words, [text, mark]) {
  const told = element("p", mark);
  const part = element(mark === "gone" ? "s" : "span");
  part.append(...words.rich(text));
  told.append(part);
  if (mark) told.append(" ", element("i", "quiet", MARKED[mark]));
  return told;
}

// The card of the rules: what each may do and what it brings, made from the declaration, with what house rules change.

import { byId, element, inWords } from "./dom.js";

const MARKED = { new: "house rule", gone: "not here" };

// data: that of the game.
export function showRules({ heading, rules }) {
  byId("rules-title").textContent = heading;
  byId("rules-summary").textContent = rules.summary;
  const profiles = rules.profiles.map((name) => inWords(name, heading)).join(", ");
  byId("house-title").textContent = profiles ? `House rules: ${profiles}` : "House rules";
  byId("house-title").hidden = !rules.house.length;
  byId("house-rules").replaceChildren(...rules.house.map(([name, description]) => named(inWords(name, heading), description)));
  for (const id of ["chosen", "forced"]) byId(id).replaceChildren(...rules[id].map((sentence) => line(...sentence)));
  byId("title").addEventListener("click", () => open(byId("rules")));
  for (const id of ["rules", "rules-close"]) byId(id).addEventListener("click", (event) => event.target === byId(id) && byId("rules").close());
}

// The card is one screen: what does not fit is folded.
function open(card) {
  const parts = [...card.querySelectorAll("details")];
  for (const part of parts) part.open = true;
  card.showModal();
  while (parts.length && card.scrollHeight > card.clientHeight) parts.pop().open = false;
}

function named(name, description) {
  const item = element("li");
  item.append(element("b", "", `${name}: `), description);
  return item;
}

function line(text, mark) {
  const item = element("li", mark);
  item.append(element(mark === "gone" ? "s" : "span", "", text));
  if (mark) item.append(" ", element("i", "quiet", MARKED[mark]));
  return item;
}

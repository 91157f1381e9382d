// What is due or holds beside the cards: facts with words, those of suits with their sign.

import { element } from "./dom.js";

const ELSEWHERE = ["pile", "cards", "counts"]; // kinds of facts that are shown as cards, or beside the seats

export function notesOf(words, { facts, phase }) {
  const isNow = ({ phases }) => !phases.length || phases.includes(phase);
  const shown = words.data.facts.filter((fact) => !ELSEWHERE.includes(fact.kind) && isNow(fact));
  return shown.map((fact) => noteOf(words, fact, facts[fact.name])).filter(Boolean);
}

// The trick: who has played which card.
export function trickNote(words, trick) {
  const note = element("li", "note", "trick:");
  for (const [player, card] of trick) note.append(` ${words.player(player)} `, words.faceOf(card));
  return note;
}

function noteOf(words, { kind, label, one, many, words: texts, texts: shown }, value) {
  if (value === null || value === undefined || value === 0) return null;
  const note = element("li", "note");
  if (kind === "suit") {
    note.append(words.cards.mark(value), `${label}: ${words.suit(value)}`);
  } else if (texts.length) {
    const place = typeof value === "number" ? value : texts.indexOf(value);
    if (place === 0) return null;
    note.append(shown[place]);
  } else {
    note.append(value === 1 ? one : many.replace("{}", value));
  }
  return note.textContent ? note : null;
}

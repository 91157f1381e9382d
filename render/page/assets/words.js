// Texts of a game made readable: cards by their faces, suits by their words, people by their names.

import { element } from "./dom.js";

const WORD_START = "(?<![\\p{L}\\p{M}\\p{N}_-])";
const WORD_END = "(?![\\p{L}\\p{M}\\p{N}_-])";

// A pattern of one of several texts, the longest first.
function alternatives(texts) {
  const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return escaped.sort((one, other) => other.length - one.length).join("|");
}

export class Words {
  // data: that of the game; cards: draws the faces.
  constructor(data, cards) {
    this.data = data;
    this.cards = cards;
    this.names = []; // of those at the table, by seat: they stand in for the numbers
    const drawn = Object.entries(data.cards).filter(([name, face]) => face.style !== "plain" && name.length > 1);
    const names = alternatives(drawn.map(([name]) => name));
    const suit = alternatives(Object.keys(data.suits)) || "(?!)";
    const named = names ? `|((?:${names})+)(?: (${suit})${WORD_END})?` : "";
    const suits = `|(?<=naming )((?:${suit})(?:(?:, | or )(?:${suit}))*)`;
    this.pattern = new RegExp(`${WORD_START}(?:[Pp]layer(?: (\\d+)|s (\\d+(?:(?:, | and )\\d+)*))${suits}${named})${WORD_END}`, "gu");
    this.suits = new RegExp(`(?:${suit})(?=, | or |$)`, "gu");
    this.name = new RegExp(names || "(?!)", "gu");
  }

  player(number) {
    return this.names[number - 1] ?? `Player ${number}`;
  }

  card(name) {
    return this.cards.label(name);
  }

  suit(letter) {
    return this.data.suits[letter] ?? letter;
  }

  event(trigger) {
    return this.data.events[trigger];
  }

  // What a player calls out by an event: `Uno!`; nothing by most.
  shout(trigger) {
    return /"(.+)"/.exec(this.event(trigger) ?? "")?.[1] ?? "";
  }

  // The event where the card follows that is named with it.
  naming(trigger) {
    return this.data.naming[trigger];
  }

  // The text with words only, for screen readers.
  plain(text) {
    return this.parts(text, (card) => this.card(card)).join("");
  }

  // The text as nodes, with small faces for the cards: their names, and after one the letter of a suit that it names.
  // Other letters are never taken for suits.
  rich(text) {
    return this.parts(text, (card) => this.chip(card));
  }

  parts(text, drawn) {
    const found = [];
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      const [whole, number, several, suits, cards, suit] = match;
      found.push(text.slice(end, match.index));
      if (number) found.push(this.names[number - 1] ?? whole);
      else if (several) found.push(this.names.length ? several.replace(/\d+/g, (each) => this.names[each - 1]) : whole);
      else if (suits) found.push(suits.replace(this.suits, (letter) => this.suit(letter)));
      else found.push(...this.run(cards, drawn), ...(suit ? [` ${this.suit(suit)}`] : []));
      end = match.index + whole.length;
    }
    return [...found, text.slice(end)];
  }

  // Names of cards without spaces between them.
  run(text, drawn) {
    return text.match(this.name).flatMap((name, place) => [...(place ? [" "] : []), drawn(name)]);
  }

  // A card in a line of text, in games whose cards have faces; else its name.
  faceOf(name) {
    return this.data.cards[name].style === "plain" ? name : this.chip(name);
  }

  // A card in a line of text.
  chip(name) {
    const face = this.data.cards[name];
    const chip = element("span", `chip ${face.style} suit-${face.suit || "none"}`);
    chip.setAttribute("role", "img");
    chip.setAttribute("aria-label", face.label);
    chip.title = face.label;
    chip.dataset.card = name;
    chip.append(...this.cards.chipParts(name));
    return chip;
  }

  // What a move names besides its card: the sign of a suit, a player, a number, yes or no; nothing for no value.
  value(move) {
    if (move.suit !== undefined) return this.suit(move.suit);
    if (move.seat !== undefined) return this.player(move.seat);
    if (move.answer !== undefined) return move.answer ? "yes" : "no";
    const value = move.rank ?? move.amount;
    return value === undefined ? "" : `${value}`;
  }

  // The question for that: `which suit`; nothing for no value.
  which(move) {
    return Object.entries(this.data.which).find(([kind]) => move[kind] !== undefined)?.[1];
  }

  // A move in words: `play jack of clubs: hearts`.
  move(move) {
    const what = move.card === undefined ? this.event(move.trigger) : `${this.naming(move.trigger)} ${this.card(move.card)}`;
    const value = this.value(move);
    return value ? `${what}: ${value}` : what;
  }
}

export function either(texts) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

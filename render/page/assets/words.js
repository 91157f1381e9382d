// Texts of a game made readable: cards by their faces, suits by their words, people by their names.

import { element } from "./dom.js";

const UNDER = /_/g;

export class Words {
  // data: that of the game; cards: draws the faces.
  constructor(data, cards) {
    this.data = data;
    this.cards = cards;
    this.names = new Map();
    const readable = Object.entries(data.cards).filter(([, face]) => face.style !== "plain").map(([name]) => name);
    const signs = readable.length ? [...readable, ...Object.keys(data.suits)] : [];
    const listed = signs.map((sign) => sign.replace(/[^\w]/g, "\\$&")).sort((one, other) => other.length - one.length);
    const sign = listed.length ? `|((?:${listed.join("|")})+)` : "";
    this.pattern = new RegExp(`(?<![\\w-])(?:[Pp]layer (\\d+)${sign})(?![\\w-])`, "g");
    this.sign = new RegExp(listed.join("|"), "g");
  }

  // The people at the table, whose names stand in for their numbers.
  meet(seats) {
    this.names = new Map(seats.filter(({ kind }) => kind === "person").map(({ player, name }) => [player, name]));
  }

  player(number) {
    return this.names.get(number) ?? `Player ${number}`;
  }

  card(name) {
    return this.data.cards[name]?.label ?? name;
  }

  suit(letter) {
    return this.data.suits[letter] ?? letter;
  }

  event(trigger) {
    return trigger.replace(UNDER, " ");
  }

  // The text with words only, for screen readers.
  plain(text) {
    return this.parts(text, (card) => this.card(card)).join("");
  }

  // The text as nodes, with small faces for the cards.
  rich(text) {
    return this.parts(text, (card) => this.chip(card));
  }

  parts(text, drawn) {
    const found = [];
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      const [whole, number, signs] = match;
      found.push(text.slice(end, match.index));
      if (number) found.push(this.named(whole, Number(number)));
      else found.push(...this.signs(signs, drawn));
      end = match.index + whole.length;
    }
    return [...found, text.slice(end)];
  }

  // Names of cards without spaces between them, or the letter of a suit.
  signs(text, drawn) {
    return text.match(this.sign).flatMap((sign, place) => [
      ...(place ? [" "] : []),
      sign in this.data.cards ? drawn(sign) : this.suit(sign),
    ]);
  }

  named(whole, number) {
    return this.names.get(number) ?? whole;
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
    if (face.style === "french") chip.append(face.rank, this.cards.mark(face.suit));
    else chip.append(this.cards.plainPicture(name));
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

  // A move in words: `play jack of clubs: hearts`.
  move(move) {
    const what = move.card === undefined ? this.event(move.trigger) : `${this.event(move.trigger)} ${this.card(move.card)}`;
    const value = this.value(move);
    return value ? `${what}: ${value}` : what;
  }
}

export function either(texts) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

// A small chooser between moves: their values, or the events that concern one card.

import { byId, capital, element } from "./dom.js";

export class Chooser {
  constructor(words) {
    this.words = words;
    this.dialog = byId("chooser");
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    byId("chooser-cancel").addEventListener("click", () => this.dialog.close());
  }

  // Let one of the moves be chosen; what is the same in all of them is in the title. refused: moves that cannot be made,
  // each with the reason. refuse: called with it.
  open(moves, chosen, refused = [], refuse = () => {}) {
    const [first] = moves;
    const sameTrigger = moves.every(({ trigger }) => trigger === first.trigger);
    const sameCard = moves.every(({ card }) => card === first.card);
    byId("chooser-title").textContent = capital(this.title(moves, sameTrigger, sameCard));
    const buttons = moves.map((move) => this.button(move, sameTrigger, sameCard, chosen));
    const others = refused.map((move) => this.refused(move, sameTrigger, () => refuse(move.why)));
    byId("chooser-moves").replaceChildren(...buttons, ...others);
    this.dialog.showModal();
  }

  // What is asked: `play jack of diamonds: which suit?`
  title(moves, sameTrigger, sameCard) {
    const { words } = this;
    const [first] = moves;
    const cards = cardsOf(first).filter((card) => moves.every((move) => cardsOf(move).includes(card)));
    const same = [...(sameTrigger && first.card ? [cards.length ? words.naming(first.trigger) : words.event(first.trigger)] : []), ...(cards.length ? [words.card(cards.join())] : [])];
    const which = sameCard ? words.which(first) : `which ${words.data.words.card}${cards.length ? "s" : ""}`;
    return `${same.length ? `${same.join(" ")}: ` : ""}${sameTrigger ? which : "what do you do"}?`;
  }

  close() {
    this.dialog.close();
  }

  button(move, sameTrigger, sameCard, chosen) {
    const button = moveButton(this.words, move, { withTrigger: !sameTrigger, withCard: !sameCard });
    button.addEventListener("click", () => {
      this.dialog.close();
      chosen(move);
    });
    return button;
  }

  // A move that cannot be made; its button says why.
  refused(move, sameTrigger, refuse) {
    const button = this.button(move, sameTrigger, false, refuse);
    button.setAttribute("aria-disabled", "true");
    button.setAttribute("aria-description", this.words.plain(move.why));
    return button;
  }
}

// The card that a move names, or those of a set.
export function cardsOf(move) {
  return move.card === undefined ? [] : move.card.split(",");
}

// Show what a card or a move of a button is worth, also in its name. bars: none, or one.
export function showWorth(button, bars) {
  button.querySelector(".worth")?.remove();
  button.append(...bars);
  button.setAttribute("aria-label", [button.dataset.says, ...bars.map(({ textContent }) => textContent)].join(", "));
}

// A button for a move, with the parts of it that must be said.
export function moveButton(words, move, { withTrigger = true, withCard = true } = {}) {
  const button = element("button", "move");
  button.type = "button";
  button.dataset.move = move.label;
  button.dataset.says = capital(words.move(move));
  button.setAttribute("aria-label", button.dataset.says);
  const [value, shout] = [words.value(move), words.shout(move.trigger)];
  button.classList.toggle("shout", Boolean(shout));
  if (withCard && move.card !== undefined) button.append(...(move.meld ?? cardsOf(move)).map((card) => words.cards.plainPicture(card)));
  if (move.suit !== undefined) button.append(words.cards.mark(move.suit));
  if (withTrigger || !(value || move.card)) button.append(element("span", "", shout || capital(words.event(move.trigger))));
  if (value) button.append(element("span", "", capital(value)));
  return button;
}

// The question to me: what I may do, with buttons for what is no card of my hand, and the time that is left.

import { moveButton, showWorth } from "./chooser.js";
import { byId, capital } from "./dom.js";
import { either } from "./words.js";

const TICK = 200;
const HURRY = 5; // seconds

export class Prompt {
  // fire: called with a move.
  constructor(words, fire) {
    this.words = words;
    this.fire = fire;
    this.deadline = null;
    setInterval(() => this.tick(), TICK);
    byId("choices").addEventListener("keydown", (event) => this.key(event));
  }

  // offers: those of the phase by event.
  show(view, offers) {
    const { question } = view;
    const asks = question ? this.asks(question, offers) : "";
    byId("prompt").classList.toggle("claim", question?.kind === "claim");
    byId("prompt").classList.toggle("asked", Boolean(question));
    byId("question").textContent = question ? asks : capital(this.words.plain(view.who));
    const moves = (question?.moves ?? []).filter((move) => !isOfHand(move, offers));
    const withTrigger = new Set(moves.map(({ trigger }) => trigger)).size > 1; // else the question says it
    const buttons = moves.map((move) => this.button(move, withTrigger));
    const hadFocus = byId("choices").contains(document.activeElement);
    byId("choices").replaceChildren(...buttons);
    byId("choices").hidden = !buttons.length;
    if (hadFocus) (buttons[0] ?? byId("hand").querySelector("[tabindex='0']"))?.focus();
    return asks;
  }

  // The question in words: `Your turn: play a card or draw`.
  asks({ kind, moves }, offers) {
    const triggers = [...new Set(moves.map(({ trigger }) => trigger))];
    const texts = triggers.map((trigger) => offers[trigger].asks);
    if (kind === "claim") return `${capital(either(texts))}?`;
    return moves.length === 1 && !isOfHand(moves[0], offers) ? `You can only ${texts[0]}.` : `Your turn: ${either(texts)}`;
  }

  button(move, withTrigger) {
    const button = moveButton(this.words, move, { withTrigger });
    button.addEventListener("click", () => this.fire(move));
    return button;
  }

  key(event) {
    const buttons = [...byId("choices").children];
    const place = buttons.indexOf(document.activeElement);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1 }[event.key];
    if (place < 0 || next === undefined) return;
    event.preventDefault();
    buttons[Math.min(Math.max(next, 0), buttons.length - 1)].focus();
  }

  // worth: the bar of a move by its label.
  hint(move, worth) {
    for (const button of byId("choices").children) {
      button.classList.toggle("hinted", button.dataset.move === move.label);
      showWorth(button, worth(button.dataset.move));
    }
  }

  // clock: the seconds that are left of how many; null for any time.
  time(clock) {
    this.deadline = clock ? performance.now() + 1000 * clock.left : null;
    this.of = clock?.of;
    this.tick();
  }

  tick() {
    const left = this.deadline === null ? null : Math.max(0, (this.deadline - performance.now()) / 1000);
    byId("clock").hidden = left === null;
    if (left === null) return;
    byId("clock").classList.toggle("hurry", left <= HURRY);
    byId("time-left").textContent = `${Math.ceil(left)} s`;
    byId("time-bar").style.width = `${Math.min(100, (100 * left) / this.of)}%`;
  }
}

// Whether a move is made with a card of the hand, rather than with a button.
export function isOfHand(move, offers) {
  return move.card !== undefined && (offers[move.trigger]?.hand ?? false);
}

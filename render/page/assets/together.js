// Several cards that are one choice: a tap chooses a card or takes it back, a button plays all of them.

import { byId, capital, element } from "./dom.js";

export class Together {
  // play: called with the names of the cards. refuse, say: called with why nothing is done, and with what was chosen.
  constructor(words, { play, refuse, say }) {
    Object.assign(this, { words, play, refuse, say });
    this.question = null;
    this.chosen = []; // buttons of the hand
    this.button = element("button", "move");
    this.button.type = "button";
    this.button.id = "together";
    this.button.addEventListener("click", () => this.confirm());
  }

  // How many cards are asked for, more than one; else 0.
  get wanted() {
    return this.question?.together > 1 ? this.question.together : 0;
  }

  // question: to me; null if there is none. key: which one it is.
  show(question, key) {
    if (key !== this.key) this.chosen = [];
    Object.assign(this, { question, key });
    this.press();
    if (!this.wanted) return;
    byId("choices").append(this.button);
    byId("choices").hidden = false;
    this.count();
  }

  toggle(button) {
    const isChosen = this.chosen.includes(button);
    if (!isChosen && this.chosen.length === this.wanted) {
      this.refuse(`${this.progress}: tap a card to take it back.`);
      return;
    }
    this.chosen = isChosen ? this.chosen.filter((each) => each !== button) : [...this.chosen, button];
    this.press();
    this.count();
    this.say(`${this.progress} chosen.`);
  }

  press() {
    for (const button of byId("hand").querySelectorAll("button")) {
      if (this.wanted) button.setAttribute("aria-pressed", String(this.chosen.includes(button)));
      else button.removeAttribute("aria-pressed");
    }
  }

  get progress() {
    return `${this.chosen.length} of ${this.wanted}`;
  }

  // `Your turn: pass 3 cards`, and the button with what is chosen.
  count() {
    const [{ trigger }] = this.question.moves;
    const verb = this.words.event(trigger);
    byId("question").textContent = `Your turn: ${verb} ${this.wanted} ${this.words.data.words.card}s`;
    this.button.textContent = `${capital(verb)} ${this.progress}`;
    this.button.setAttribute("aria-disabled", String(this.chosen.length < this.wanted));
  }

  confirm() {
    if (this.chosen.length < this.wanted) this.refuse(`Choose ${this.wanted} ${this.words.data.words.card}s: ${this.progress}.`);
    else this.play(this.chosen.map(({ dataset }) => dataset.card));
  }
}

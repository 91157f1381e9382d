// The table: hands, piles, the player in turn and the facts.

import { Cards } from "./cards.js";
import { byId, capital, element, still } from "./dom.js";

const MOVING = 280;

export class Table {
  constructor(story) {
    this.story = story;
    this.words = story.data.words;
    this.cards = new Cards(story.data.cards, document.body);
    this.shown = null;
    byId("hands").replaceChildren(...story.data.start.hands.map((_, seat) => this.seat(seat)));
    byId("hands").classList.toggle("many", story.data.players > 4);
    byId("spread").addEventListener("toggle", () => this.spread());
  }

  remove() {
    this.cards.store.remove();
  }

  seat(seat) {
    const row = element("li", "seat");
    const head = element("div", "seat-head");
    const policy = this.story.data.names ? "" : this.story.data.policies[seat];
    head.append(element("b", "", this.story.player(seat)), element("span", "policy", policy), element("span", "call"), element("span", "counts"), element("span", "points"));
    row.append(head, element("ul", "row"), element("ul", "melds"));
    return row;
  }

  show(at, animated) {
    const frame = this.story.frames[at];
    const step = this.story.step(at);
    const from = animated && step?.card ? this.whereabouts(step, frame) : null;
    frame.hands.forEach((hand, seat) => this.hand(hand, seat, frame));
    this.piles(frame);
    this.notes(frame);
    this.shown = frame;
    this.spread();
    if (from) this.move(step, frame, from);
  }

  hand(hand, seat, frame) {
    const row = byId("hands").children[seat];
    const inTurn = frame.player === seat + 1 && !this.isOver(frame);
    const { winner: alone, winners = [alone] } = this.story.outcome ?? {};
    const winner = this.isOver(frame) && winners.includes(seat + 1);
    row.classList.toggle("in-turn", inTurn);
    row.classList.toggle("winner", winner);
    row.setAttribute("aria-current", inTurn ? "true" : "false");
    const calls = frame.calls[seat];
    row.querySelector(".call").textContent = calls ? `${this.words.call}${calls > 1 ? ` ×${calls}` : ""}` : "";
    row.querySelector(".counts").textContent = frame.counts?.[seat] ?? "";
    row.querySelector(".points").textContent = this.points(seat, frame, hand.length, winner);
    this.melds(row.querySelector(".melds"), seat, frame);
    if (this.shown?.hands[seat] === hand) return;
    const cards = row.querySelector(".row");
    cards.setAttribute("aria-label", `Hand of ${this.story.player(seat)}, ${this.counted(hand.length)}`);
    cards.replaceChildren(...this.cards.items(hand));
  }

  // The groups of cards that lie before a seat, in games that have some.
  melds(list, seat, frame) {
    const melds = frame.melds?.[seat] ?? [];
    list.hidden = melds.length === 0;
    if (this.shown?.melds === frame.melds && list.childElementCount === melds.length) return;
    list.setAttribute("aria-label", `Cards before ${this.story.player(seat)}`);
    list.replaceChildren(...melds.map((meld) => {
      const group = element("li", "meld");
      group.append(...meld.map((card) => this.cards.picture(card)));
      return group;
    }));
  }

  points(seat, frame, cards, winner) {
    if (!this.isOver(frame) || !this.story.outcome) return this.counted(cards);
    return `${winner ? "wins, " : ""}${this.words.scores.toLowerCase()}: ${this.story.outcome.scores[seat]}`;
  }

  counted(cards) {
    return `${cards} ${this.words.card}${cards === 1 ? "" : "s"}`;
  }

  isOver(frame) {
    return frame.phase === this.story.data.phases.length - 1;
  }

  piles(frame) {
    const draw = this.pile(frame.draw.length ? this.cards.picture(null) : null, `${capital(this.words.draw)}, ${this.counted(frame.draw.length)}`, frame.draw.length);
    const open = frame.discard.at(-1);
    const discard = this.pile(open ? this.cards.picture(open) : null, `Open ${this.words.card}`, frame.discard.length);
    byId("draw").hidden = (this.words.cleared || !this.words.stock) && frame.draw.length === 0;
    byId("draw").replaceChildren(...draw);
    byId("discard").replaceChildren(...discard);
  }

  pile(picture, text, count) {
    const stack = element("div", `stack${count > 1 ? " high" : ""}${count ? "" : " empty"}`);
    if (picture) stack.append(picture);
    const caption = element("figcaption", "", text);
    return [stack, caption];
  }

  spread() {
    if (!byId("spread").open || !this.shown) return;
    byId("draw-cards").replaceChildren(...this.cards.items(this.shown.draw));
    byId("discard-cards").replaceChildren(...this.cards.items([...this.shown.discard].reverse()));
  }

  notes(frame) {
    if (this.shown?.notes === frame.notes) return;
    const notes = frame.notes.map(([text, suit]) => {
      const note = element("li", "note");
      if (suit) note.append(this.cards.mark(suit));
      note.append(this.story.named(text));
      return note;
    });
    byId("notes").replaceChildren(...notes);
  }

  // The place of a card before the event that moves it: a hand, or the draw pile.
  whereabouts(step, frame) {
    const played = frame.discard.at(-1) === step.card && this.shown?.discard.length !== frame.discard.length;
    const before = played
      ? byId("hands").children[step.player - 1]?.querySelector(`[data-card="${CSS.escape(step.card)}"]`)
      : byId("draw").querySelector(".card");
    return before ? { played, box: before.getBoundingClientRect() } : null;
  }

  move(step, frame, { played, box }) {
    const after = played
      ? byId("discard").querySelector(".card")
      : byId("hands").children[step.player - 1]?.querySelector(".row > li:last-child > .card");
    if (!after?.animate || still.matches) return;
    const to = after.getBoundingClientRect();
    if (!to.width || !box.width) return;
    const transform = `translate(${box.left - to.left}px, ${box.top - to.top}px) scale(${box.width / to.width})`;
    after.animate([{ transform, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: MOVING, easing: "ease-out" });
  }
}

// The table as I see it: the other players, the piles, what is due, and cards that move from one place to another.

import { byId, element, fill, inWords, still, titled } from "./dom.js";
import { svgElement } from "./cards.js";
import { notesOf } from "./notes.js";
import { winnersOf } from "./result.js";

const MOVING = 320;
const APART = 140; // milliseconds from one card to the next, where several are drawn at once
const TURNING = 1100;
const SWAPPED = 4; // cards that stand for a hand that goes to somebody else
const SWAPPING = 700;
const MOST_DRAWN = 8; // cards that are seen to be drawn at once, at most
const FAN = 7; // backs that are drawn of a hidden hand at most
const ROW = 8; // cards of a pile in the middle that lie side by side at most
const LAST = 4; // cards of the discard pile that are seen, where it is not spread out

export class Felt {
  // draw: called when the draw pile is clicked.
  constructor(words, { draw }) {
    this.words = words;
    this.view = null;
    byId("draw").addEventListener("click", draw);
    byId("open").addEventListener("click", () => this.openPile());
    new ResizeObserver(() => this.showNewest()).observe(byId("river"));
    byId("pile-close").addEventListener("click", () => byId("pile").close());
    byId("pile").addEventListener("click", (event) => event.target === byId("pile") && byId("pile").close());
  }

  get cards() {
    return this.words.cards;
  }

  // here: the seats of people who are connected. entry: the event that led here, whose cards move; null where nothing is to move.
  // discards: who has discarded which card of the pile, in games in which they lie apart.
  show(view, here, entry, discards) {
    const flights = entry && this.view && !still.matches ? this.flights(entry, view) : [];
    const places = this.around(view);
    fill(byId("others"), places, () => places.map((player) => this.seat(player)));
    byId("others").dataset.count = places.length;
    [...byId("others").children].forEach((place, index) => {
      place.style.setProperty("--spot", spotOf(index, places.length));
      this.showSeat(place, view, here);
    });
    this.showDirection(view);
    this.showPlate(byId("plate"), view, here, view.seat);
    this.piles(view);
    this.river(view, discards);
    byId("notes").replaceChildren(...notesOf(this.words, view));
    this.view = view;
    return Promise.all(flights.map((flight) => this.fly(flight)));
  }

  // The other players in the order of their seats, from the one after me on.
  around({ seat, seats }) {
    const start = seat ?? 0;
    return [...seats.slice(start), ...seats.slice(0, Math.max(start - 1, 0))].map(({ player }) => player);
  }

  // Arrows beside the piles, in games whose direction turns round.
  showDirection({ facts, seats }) {
    const { turned } = this.words.data;
    byId("middle").classList.toggle("turns", turned !== null && seats.length > 2);
    byId("middle").classList.toggle("counter-clockwise", Boolean(facts[turned]));
    if (this.view && turned !== null && seats.length > 2 && this.view.facts[turned] !== facts[turned]) this.turnRound(facts[turned]);
  }

  // A large arrow over the piles, which turns once in the new direction.
  turnRound(isBack) {
    if (still.matches) return;
    const box = boxOf(byId("middle"));
    const arrow = svgElement("svg", { class: "turned", viewBox: "-60 -60 120 120" }, svgElement("path", { d: "M38-26A46 46 0 1 0 46 4M46-44 39-24 19-31" }));
    Object.assign(arrow.style, { left: `${(box.left + box.right) / 2}px`, top: `${(box.top + box.bottom) / 2}px` });
    byId("flights").querySelector(".turned")?.remove();
    byId("flights").append(arrow);
    const [from, to] = isBack ? ["rotate(160deg)", "rotate(-60deg)"] : ["scaleX(-1) rotate(160deg)", "scaleX(-1) rotate(-60deg)"];
    const frames = [{ opacity: 0, transform: from }, { opacity: 1, offset: 0.25 }, { opacity: 1, offset: 0.75 }, { opacity: 0, transform: to }];
    arrow.animate(frames, { duration: TURNING, easing: "ease-in-out" }).finished.catch(() => {}).then(() => arrow.remove());
  }

  // ---------------------------------------------------------------- players

  seat(player) {
    const place = element("li", "seat");
    place.dataset.player = player;
    place.append(element("div", "plate-head"), element("div", "cards"), element("ul", "melds"));
    return place;
  }

  showSeat(place, view, here) {
    const player = Number(place.dataset.player);
    this.showPlate(place, view, here, player);
    const cards = view.hands[player - 1];
    const backs = Math.min(view.hand_sizes[player - 1], FAN);
    const row = place.querySelector(".cards");
    row.classList.toggle("open-hand", Boolean(cards));
    row.setAttribute("aria-hidden", String(!cards));
    fill(row, cards ?? backs, () => (cards ?? Array(backs).fill(null)).map((card) => this.cards.picture(card)));
  }

  // The name of a player, how many cards there are, whether the player is in turn or absent, and the melds.
  showPlate(place, view, here, player) {
    const parts = player ? this.plateParts(view, here, player) : [];
    fill(place.querySelector(".plate-head"), parts.map((part) => part.outerHTML), () => parts);
    if (player) this.melds(place.querySelector(".melds") ?? byId("my-melds"), view, player);
    const acts = player !== null && view.player === player;
    place.classList.toggle("in-turn", acts);
    place.setAttribute("aria-current", String(acts));
    place.classList.toggle("winner", winnersOf(view).includes(player));
  }

  plateParts(view, here, player) {
    const seat = view.seats[player - 1];
    const size = view.hand_sizes[player - 1];
    const parts = [titled("b", "", this.words.player(player))];
    const called = this.words.data.seats[player - 1];
    if (called) parts.push(element("span", "quiet", called));
    if (player === view.seat) parts.push(element("span", "quiet", "you"));
    const { sides } = this.words.data;
    if (sides && view.seats.length % sides === 0 && view.seat !== null && player !== view.seat && (player - view.seat) % sides === 0) parts.push(element("span", "quiet", "your partner"));
    if (seat.kind === "computer") parts.push(element("span", "quiet policy", inWords(seat.name)));
    if (size || !this.factsOf(view, "cards").length) parts.push(element("span", `count${size === 1 ? " last" : ""}`, this.counted(size)));
    parts.push(...this.counts(view, player).map((text) => element("span", "quiet", text)));
    if (view.match) parts.push(element("span", "quiet total", `${view.match.totals[player - 1]} pt`));
    const away = seat.absent ? "away" : seat.kind === "person" && !here.has(player) ? "not here" : "";
    if (away) parts.push(element("span", "away", away));
    if (view.player === player) parts.push(element("span", "hidden", ", in turn"));
    return parts;
  }

  counted(count) {
    return `${count} ${this.words.data.words.card}${count === 1 ? "" : "s"}`;
  }

  // What is counted of a player, as soon as anything is counted of any seat; what only others see is null.
  counts(view, player) {
    const facts = this.factsOf(view, "counts").filter(({ value }) => value.some(Boolean) && value[player - 1] !== null);
    return facts.map(({ one, many, value }) => (value[player - 1] === 1 ? one : many.replace("{}", value[player - 1]))).filter(Boolean);
  }

  // What lies before a player: groups of cards, and piles of the game.
  melds(list, view, player) {
    const melds = view.melds[player - 1] ?? [];
    const piles = this.factsOf(view, "cards").map(({ value, ...fact }) => ({ ...fact, cards: value[player - 1] }));
    list.setAttribute("aria-label", `Cards before ${this.words.player(player)}`);
    this.groups(list, [...melds.map((cards) => ({ cards })), ...piles]);
  }

  // The facts of a kind, with their values: of piles before the seats or in the middle, of numbers of each seat.
  factsOf({ facts }, kind) {
    return this.words.data.facts.filter((fact) => fact.kind === kind).map((fact) => ({ ...fact, value: facts[fact.name] }));
  }

  // Groups of cards. Of a pile that has an order the top card lies there, of hidden cards one back, both with their number;
  // of a short row in the middle all cards do.
  groups(list, groups) {
    const found = groups.filter(({ cards }) => cards?.length);
    list.hidden = !found.length;
    fill(list, found, () => found.map(({ cards, label, ordered, kind }) => {
      const group = element("li", "meld");
      const isHidden = cards.every((card) => card === "?");
      const isRow = kind === "pile" && cards.length <= ROW;
      const shown = isHidden || (ordered && !isRow) ? cards.slice(0, 1) : cards;
      group.append(...shown.map((card) => this.cards.picture(card === "?" ? null : card)));
      if (label) group.append(element("span", "caption", `${label} · ${cards.length}`));
      return group;
    }));
  }

  // ---------------------------------------------------------------- piles

  piles(view) {
    const { words } = this.words.data;
    const before = this.factsOf(view, "cards");
    byId("draw").hidden = (words.cleared || !words.stock || before.length > 0) && view.draw_pile === 0;
    byId("open").hidden = words.cleared || !view.discard_pile.length;
    this.trick(view);
    this.groups(byId("between"), this.factsOf(view, "pile").map(({ value, ...fact }) => ({ ...fact, cards: value })));
    byId("middle").style.setProperty("--seats", view.seats.length);
    byId("middle").classList.toggle("stocked", words.cleared && !(byId("draw").hidden && byId("between").hidden));
    this.pile("draw", view.draw_pile > 0 ? [null] : [], words.draw, view.draw_pile);
    const open = view.open_card;
    const top = open === null ? [] : view.melds.length ? [open] : view.discard_pile.slice(-LAST);
    this.pile("open", top, open ? `open ${words.card}` : words.discard, view.discard_pile.length);
    const what = open ? `Open ${words.card}: ${this.words.card(open)}` : `No open ${words.card}`;
    byId("open").setAttribute("aria-label", `${what}. Show the ${words.discard}, ${this.counted(view.discard_pile.length)}`);
  }

  // The trick on the table, or else the last one: each card with who has played it.
  trick({ trick, last_trick: last }) {
    const shown = trick.length ? trick : last;
    const list = byId("trick");
    list.hidden = !shown.length;
    list.setAttribute("aria-label", trick.length ? "The trick" : "The last trick");
    list.classList.toggle("last", !trick.length);
    fill(list, shown, () => shown.map(([player, card]) => {
      const item = element("li");
      item.append(this.cards.picture(card), titled("span", "caption", this.words.player(player)));
      return item;
    }));
  }

  // The discards of each player, of which the last one is marked.
  river(view, discards) {
    byId("river").hidden = !view.melds.length || !discards.length;
    fill(byId("river"), discards, () => view.seats.map(({ player }) => {
      const row = element("div", "discards");
      row.append(titled("span", "quiet", this.words.player(player)));
      row.style.setProperty("--tiles", discards.filter(([by]) => by === player).length);
      discards.forEach(([by, card], place) => {
        if (by !== player) return;
        const picture = this.cards.picture(card);
        picture.classList.toggle("newest", place === discards.length - 1);
        row.append(picture);
      });
      return row;
    }));
    this.showNewest();
  }

  // The last discard stays in sight, also where a claim takes place from the discards.
  showNewest() {
    const river = byId("river");
    const newest = river.querySelector(".newest");
    if (!newest) return;
    const [tile, room] = [boxOf(newest), boxOf(river)];
    river.scrollTop += Math.max(0, tile.bottom - room.bottom + 3) || Math.min(0, tile.top - room.top - 3);
  }

  // top: the cards that lie on top, of which the last one is seen.
  pile(id, top, name, count) {
    fill(byId(id), [top, name, count], () => {
      const stack = element("span", `stack${count > 1 ? " high" : ""}${top.length ? "" : " empty"}`);
      stack.append(...top.map((card) => this.cards.plainPicture(card)));
      return [stack, element("span", "caption", `${name} · ${count}`)];
    });
  }

  // Whether the draw pile can be clicked, and for what.
  offerDraw(move) {
    const button = byId("draw");
    const { words } = this.words.data;
    const count = this.counted(this.view.draw_pile);
    button.classList.toggle("offered", Boolean(move));
    button.setAttribute("aria-disabled", String(!move));
    button.setAttribute("aria-label", `${words.draw}, ${count}${move ? `: ${this.words.event(move.trigger)}` : ""}`);
  }

  openPile() {
    byId("pile-title").textContent = `The ${this.words.data.words.discard}, the last one first`;
    byId("pile-cards").replaceChildren(...this.cards.items([...this.view.discard_pile].reverse()));
    byId("pile").showModal();
  }

  // ---------------------------------------------------------------- cards that move

  // What moves by an event: a card to the open one, cards to hands; each with the place where it is now.
  flights(entry, view) {
    const flights = [];
    const before = this.view;
    if (entry.card && entry.card !== "?" && view.open_card === entry.card && view.discard_pile.length > before.discard_pile.length) {
      flights.push({ card: entry.card, turns: !before.hands[entry.player - 1], from: boxOf(this.placeOf(entry.player, entry.card)), to: () => [...byId(view.trick.length ? "trick" : "open").querySelectorAll(".card")].at(-1) });
    }
    view.hand_sizes.forEach((size, seat) => {
      if (size <= before.hand_sizes[seat] || before.draw_pile <= view.draw_pile) return;
      const mine = seat + 1 === view.seat;
      const card = mine && entry.card !== "?" ? entry.card : null;
      const drawn = Math.min(size - before.hand_sizes[seat], MOST_DRAWN);
      for (let each = 0; each < drawn; each += 1) {
        flights.push({ card, turns: card !== null, after: each * APART, from: boxOf(byId("draw").querySelector(".card")), to: () => this.placeOf(seat + 1, card) });
      }
    });
    for (const [giver, taker] of handsMoved(before, view)) {
      for (let each = 0; each < Math.min(before.hand_sizes[giver], SWAPPED); each += 1) {
        flights.push({ card: null, after: each * APART / 2, moving: SWAPPING, from: boxOf(this.placeOf(giver + 1, null)), to: () => this.placeOf(taker + 1, null) });
      }
    }
    return flights.filter(({ from }) => from?.width);
  }

  // Where a card of a player is: in my hand, or somewhere at the player's place.
  placeOf(player, card) {
    if (player === this.view.seat) {
      return byId("hand").querySelector(card ? `[data-card="${CSS.escape(card)}"]` : "button:last-child");
    }
    const seat = byId("others").querySelector(`[data-player="${player}"]`);
    return seat?.querySelector(".card") ?? seat;
  }

  // turns: whether the back of the card was seen before. after: milliseconds until it moves. moving: for how long.
  async fly({ card, turns, from, to, after = 0, moving: duration = MOVING }) {
    const target = to();
    const end = boxOf(target);
    if (!end?.width) return;
    const [flying, face, back] = [element("div", "flying"), this.cards.plainPicture(card), this.cards.plainPicture(null)];
    flying.append(face);
    Object.assign(flying.style, { left: `${end.left}px`, top: `${end.top}px`, width: `${end.width}px`, height: `${end.width * 1.4}px` });
    byId("flights").append(flying);
    target.classList.add("expected");
    const transform = `translate(${from.left - end.left}px, ${from.top - end.top}px) scale(${from.width / end.width})`;
    const lifted = { transform: "translate(-4%, -4%) scale(1.08)", offset: 0.8 };
    const timing = { duration, delay: after, fill: "backwards" };
    const moving = flying.animate([{ transform }, lifted, { transform: "none" }], { ...timing, easing: "ease-out" });
    if (turns) {
      flying.append(back);
      face.animate([{ scale: "0 1" }, { scale: "0 1" }, { scale: "1 1" }], timing);
      back.animate([{ scale: "1 1" }, { scale: "0 1" }, { scale: "0 1" }], timing);
    }
    await moving.finished.catch(() => {});
    flying.remove();
    target.classList.remove("expected");
  }
}

// The grid area of the place of one of the other players on a large screen: up the left side, along the top, down the right.
function spotOf(index, count) {
  const side = count < 2 ? 0 : count < 6 ? 1 : count < 9 ? 2 : 3;
  const top = count - 2 * side;
  const column = 2 + (12 / top) * (index - side);
  if (index >= side && index < side + top) return `1 / ${column} / 2 / ${column + 12 / top}`;
  const height = 6 / side;
  const row = 2 + height * (index < side ? side - 1 - index : index - side - top);
  return `${row} / ${index < side ? 1 : 14} / ${row + height} / ${index < side ? 2 : 15}`;
}

// The hands that have gone to other seats while the piles stayed: pairs of seats, from 0.
function handsMoved(before, view) {
  if (before.draw_pile !== view.draw_pile || before.discard_pile.length !== view.discard_pile.length) return [];
  const sizes = before.hand_sizes;
  const moved = sizes.map((size, seat) => size !== view.hand_sizes[seat] || `${before.hands[seat]}` !== `${view.hands[seat]}`);
  const seats = [...sizes.keys()].filter((seat) => moved[seat]);
  if (seats.length === 2 && sizes[seats[0]] === view.hand_sizes[seats[1]] && sizes[seats[1]] === view.hand_sizes[seats[0]]) return [seats, [...seats].reverse()];
  for (const step of seats.length > 1 ? [1, sizes.length - 1] : []) {
    const next = (seat) => (seat + step) % sizes.length;
    if (sizes.every((size, seat) => view.hand_sizes[next(seat)] === size)) return sizes.map((size, seat) => [seat, next(seat)]);
  }
  return [];
}

function boxOf(place) {
  return place?.getBoundingClientRect();
}

// My hand: cards that are clicked, dragged, or reached with the arrow keys, laid out so that all of them are seen.
// They lie in an order of the game, or where I drag them (with the keyboard: Shift and an arrow).

import { showWorth } from "./chooser.js";
import { byId, element } from "./dom.js";

const GAP = 6;
const MIN_STEP = { tile: 0.97 }; // parts of a card's width that must be seen of it, by the style of the face
const LEAST = { tile: 28 }; // pixels of width that a card has in more rows rather than less in fewer, by the style of the face
const USUAL_STEP = 0.44;
const SMALLEST = [0.7, 0.45, 0]; // parts of its size that a card has at least in one row, in two, and in three
const DRAG = 10; // pixels from which on a touch is a drag
const RATIO = 1.4;
const ORDER = "maumau hand";
const BY_HAND = "hand";

export class Hand {
  // chosen: called with the name of a card and its button when it is clicked, dropped on the table, or confirmed.
  constructor(words, chosen) {
    this.words = words;
    this.chosen = chosen;
    this.list = byId("hand");
    this.picker = byId("hand-order");
    this.picker.value = localStorage.getItem(ORDER) ?? "";
    this.picker.addEventListener("change", () => this.choose(this.picker.value));
    this.trump = "";
    this.received = []; // the names of cards that others have passed to me
    this.laid = []; // the names as I have laid them
    this.names = [];
    this.drag = null;
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("pointerdown", (event) => this.grab(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => this.drop(event));
    new ResizeObserver(() => this.lay()).observe(this.list);
  }

  get buttons() {
    return [...this.list.querySelectorAll("button")];
  }

  // cards: names; playable: those that a move names; refused: why others cannot be played; null while nothing is asked.
  // drawn: the card that was drawn last, which lies apart where cards are tiles. trump: the letter of a suit, or none.
  show(cards, playable, refused, drawn, trump) {
    this.shown = [cards, playable, refused, drawn, trump];
    this.trump = trump ?? "";
    const names = this.sorted(cards);
    const place = this.words.data.cards[drawn]?.style in MIN_STEP ? names.lastIndexOf(drawn) : -1;
    if (place >= 0) names.push(...names.splice(place, 1));
    this.isApart = place >= 0;
    if (names.join() !== this.names.join()) this.replace(names);
    for (const button of this.buttons) this.mark(button, playable, refused);
    this.list.classList.toggle("asked", playable !== null);
  }

  choose(order) {
    if (order) localStorage.setItem(ORDER, order);
    else localStorage.removeItem(ORDER);
    if (order === BY_HAND) this.laid = [...this.names];
    if (this.shown) this.show(...this.shown);
  }

  // Names in the order that is chosen; as I have laid them, new ones last.
  sorted(cards) {
    const { orders, hand } = this.words.data;
    const chosen = this.picker.value || hand;
    const order = { suit: orders.suit, rank: orders.rank, strength: orders.strength[this.trump] ?? orders.strength[""] }[chosen];
    if (order) return sortedBy(order, cards);
    const left = sortedBy(orders[hand] ?? orders.suit, cards);
    const kept = this.laid.filter((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
    this.laid = [...kept, ...left];
    return this.laid;
  }

  // Lay a card to another place of the hand: from then on cards lie as I lay them.
  layAt(button, place) {
    const names = [...this.names];
    const [name] = names.splice(this.buttons.indexOf(button), 1);
    names.splice(place, 0, name);
    this.picker.value = BY_HAND;
    localStorage.setItem(ORDER, BY_HAND);
    this.laid = names;
    this.show(...this.shown);
    this.reach(this.buttons[names.indexOf(name, place)] ?? button);
  }

  replace(names) {
    const before = this.buttons;
    const place = before.indexOf(document.activeElement);
    const kept = new Map();
    for (const button of before) kept.set(button.dataset.card, [...(kept.get(button.dataset.card) ?? []), button]);
    const buttons = names.map((name) => kept.get(name)?.shift() ?? this.button(name));
    this.names = names;
    this.list.replaceChildren(...buttons);
    this.reach(buttons[Math.min(Math.max(place, 0), buttons.length - 1)], place >= 0);
    this.lay();
  }

  button(name) {
    const button = element("button", "playing-card");
    button.type = "button";
    button.dataset.card = name;
    button.append(this.words.cards.plainPicture(name));
    return button;
  }

  mark(button, playable, refused) {
    const name = button.dataset.card;
    const isPlayable = playable?.has(name) ?? false;
    const why = refused[name];
    button.setAttribute("aria-disabled", String(!isPlayable));
    button.classList.toggle("hinted", false);
    const isReceived = this.received.includes(name);
    button.classList.toggle("received", isReceived);
    button.dataset.says = `${this.words.card(name)}${isReceived ? ", received" : ""}${playable && !isPlayable ? ", cannot be played" : ""}`;
    showWorth(button, []);
    if (why) button.setAttribute("aria-description", this.words.plain(why));
    else button.removeAttribute("aria-description");
  }

  // Only one card can be reached with the Tab key.
  reach(button, focused = true) {
    for (const each of this.buttons) each.tabIndex = each === button ? 0 : -1;
    if (focused) (button ?? this.list).focus();
  }

  // names: of the cards of the best move. worth: the bar of a card by its name.
  hint(names, worth) {
    for (const button of this.buttons) {
      button.classList.remove("hinted");
      showWorth(button, worth(button.dataset.card));
    }
    for (const name of names) this.buttons.find((each) => each.dataset.card === name && !each.classList.contains("hinted"))?.classList.add("hinted");
  }

  // Each card's place: in as few rows as leave enough of each card to be seen.
  lay() {
    const { list, buttons } = this;
    list.style.height = "";
    if (!buttons.length || !list.clientWidth) return;
    const apart = this.isApart ? 2 * GAP : 0; // before the tile that was drawn
    const room = list.clientWidth - apart;
    const { per, step, width, isApart } = this.arrangement(room);
    const height = width * RATIO;
    const down = isApart ? height + 4 : height * 0.62;
    list.style.setProperty("--card", `${width}px`);
    list.style.height = `${height + (Math.ceil(buttons.length / per) - 1) * down}px`;
    buttons.forEach((button, place) => {
      const row = Math.floor(place / per);
      const inRow = Math.min(per, buttons.length - row * per);
      const left = (room - (inRow - 1) * step - width) / 2 + (place % per) * step;
      button.style.left = `${left + (place === buttons.length - 1 ? apart : 0)}px`;
      button.style.top = `${row * down}px`;
    });
    this.row = per;
  }

  // How many cards lie in a row, how far apart, and how wide they are: as large as they can be without small parts of them.
  arrangement(room) {
    const { style } = this.words.data.cards[this.names[0]];
    const full = parseFloat(getComputedStyle(this.list).minHeight) / RATIO;
    const found = SMALLEST.map((least, rows) => {
      const per = Math.ceil(this.names.length / (rows + 1));
      const width = Math.min(full, room / (1 + (per - 1) * (MIN_STEP[style] ?? USUAL_STEP)));
      return { per, step: stepOf(per, width, room), width, isApart: style in MIN_STEP, fits: width >= (least && Math.max(least * full, LEAST[style] ?? 0)) };
    });
    return found.find(({ fits }) => fits);
  }

  key(event) {
    const { buttons } = this;
    const place = buttons.indexOf(document.activeElement);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      ArrowDown: this.row < buttons.length ? place + this.row : undefined,
      ArrowUp: place - this.row >= 0 ? place - this.row : undefined,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.layAt(buttons[place], Math.min(Math.max(next, 0), buttons.length - 1));
    else this.reach(buttons[Math.min(Math.max(next, 0), buttons.length - 1)]);
  }

  click(event) {
    const button = event.target.closest("button");
    if (!button || this.dragged) return;
    this.reach(button);
    this.chosen(button.dataset.card, button);
  }

  // ---------------------------------------------------------------- dragging

  grab(event) {
    const button = event.target.closest("button");
    this.dragged = false;
    if (!button || event.button) return;
    this.drag = { button, x: event.clientX, y: event.clientY, id: event.pointerId };
  }

  move(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!this.dragged && Math.hypot(x, y) < DRAG) return;
    this.dragged = true;
    drag.button.classList.add("dragged");
    drag.button.style.transform = `translate(${x}px, ${y}px)`;
  }

  drop(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    this.drag = null;
    drag.button.classList.remove("dragged");
    drag.button.style.transform = "";
    const onTable = event.clientY < this.list.getBoundingClientRect().top - DRAG;
    if (this.dragged && event.type === "pointerup") {
      if (onTable) this.chosen(drag.button.dataset.card, drag.button);
      else this.layAt(drag.button, this.placeAt(drag.button, event.clientX, event.clientY));
    }
    if (this.dragged) setTimeout(() => { this.dragged = false; }); // the click that follows is none
  }

  // The place of the hand to which a card is dragged: behind all cards of its row that begin further left.
  placeAt(button, x, y) {
    const { top } = this.list.getBoundingClientRect();
    const others = this.buttons.filter((each) => each !== button);
    const isBefore = (each) => {
      const [left, row] = [this.list.getBoundingClientRect().left + each.offsetLeft, top + each.offsetTop];
      return row + each.offsetHeight < y || (row <= y && left + each.offsetWidth / 2 < x);
    };
    return others.filter(isBefore).length;
  }
}

// Names as they lie in an order, a list of all names.
function sortedBy(order, cards) {
  const places = new Map(order.map((name, place) => [name, place]));
  return [...cards].sort((one, other) => places.get(one) - places.get(other));
}

function stepOf(cards, width, room) {
  return cards < 2 ? width : Math.min(width + GAP, (room - width) / (cards - 1));
}

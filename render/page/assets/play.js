// The page of a table: what the server pushes is shown event after event, and my moves are sent.

import { Cards } from "./cards.js";
import { Chooser, cardsOf } from "./chooser.js";
import { Deal } from "./deal.js";
import { byId, capital, element, pause } from "./dom.js";
import { Emotes } from "./emotes.js";
import { Felt } from "./felt.js";
import { Hand } from "./hand.js";
import { Machine } from "./machine.js";
import { Menu } from "./menu.js";
import { Prompt, isOfHand } from "./prompt.js";
import { Record } from "./record.js";
import { Result, winnersOf } from "./result.js";
import { Rules } from "./rules.js";
import { ROOT, Room, entered } from "./room.js";
import { Refusal } from "./server.js";
import { Sounds } from "./sound.js";
import { Stream } from "./stream.js";
import { Together } from "./together.js";
import { Words } from "./words.js";

const STALE = 409;
const HURRYING = 6; // waiting pushes from which on events are shown faster
const DRAWS = ["draw", "take"]; // events that a click on the draw pile stands for, too
const NO_HELP = {
  hint: "A hint is for a question to you.",
  undo: "A move of this round can be taken back when you are asked again, if no other person plays.",
};
const NOTICE = 5000; // milliseconds that a notice is shown

class Play {
  constructor(token) {
    const data = JSON.parse(byId("data").textContent);
    this.address = `${ROOT}tables/${token}`;
    this.words = new Words(data, new Cards(data.cards, document.body));
    document.body.classList.toggle("tiles", Object.values(data.cards)[0].style === "tile");
    this.view = null;
    this.clock = null;
    this.place = null; // which table is shown, and which seat
    this.queue = [];
    this.busy = false;
    this.chooser = new Chooser(this.words);
    this.together = new Together(this.words, {
      play: (cards) => this.playAll(cards),
      refuse: (text) => this.notice(text),
      say: (text) => this.record.announce(text),
    });
    this.received = []; // cards that others have passed to me, until I play one
    this.row = []; // the cards of a choice of several that are still to be played
    this.hand = new Hand(this.words, (card, button) => this.choose(card, button));
    this.felt = new Felt(this.words, { draw: () => this.draw() });
    this.prompt = new Prompt(this.words, (move) => this.act(move));
    this.record = new Record(this.words);
    this.result = new Result(this.words);
    this.machine = new Machine(this.words, { fire: (moves) => this.offer(moves), refuse: (why) => this.notice(why) });
    this.room = new Room(this.words, (what, fields) => this.change(what, fields));
    this.deal = new Deal();
    this.sounds = new Sounds();
    this.emotes = new Emotes(this.words, {
      say: (emote) => this.change("say", { emote }),
      announce: (text) => this.record.announce(text),
    });
    this.menu = new Menu((what, fields) => this.change(what, fields));
    byId("hint").addEventListener("click", () => this.help("hint", () => this.hint()));
    byId("undo").addEventListener("click", () => this.help("undo", () => this.change("undo", { at: this.view.version })));
    byId("come-back").addEventListener("click", () => this.change("come-back"));
    for (const button of byId("views").children) button.addEventListener("click", () => this.turnTo(button.dataset.view));
    byId("views").hidden = !document.querySelector("#diagram svg"); // nothing was there that draws the machine
    this.rules = new Rules(data, this.words);
    byId("log-button").addEventListener("click", () => this.showLog());
    byId("log-close").addEventListener("click", () => this.showLog());
    byId("notice").addEventListener("click", () => this.notice(""));
    document.addEventListener("keydown", (event) => this.key(event));
    this.stream = new Stream(this.address, { push: (push) => this.receive(push), said: (said) => this.emotes.said(said), state: (...what) => this.connection(...what) });
  }

  // ---------------------------------------------------------------- what the server says

  async receive(push) {
    this.queue.push({ ...push, at: performance.now() });
    this.present(push);
    if (push.view?.version !== this.view?.version) delete document.documentElement.dataset.settled;
    if (this.running) return;
    this.running = true;
    try {
      while (this.queue.length) await this.play(this.queue.shift());
    } finally {
      this.running = false;
    }
    this.settle();
  }

  // Whether I am away is told at once, whatever is still to be shown.
  present({ view, room }) {
    byId("absent").hidden = !view?.seats[view.seat - 1]?.absent;
    const playing = view?.seats.some(({ kind, absent }) => kind === "person" && !absent);
    byId("stand-in").textContent = playing ? "A computer player plays for you." : "The table waits for you.";
    this.emotes.show(room);
    this.menu.show(room, room.people.find(({ number }) => number === room.me));
  }

  // Show what a push brings: one event with its cards moving, several at once.
  async play(push) {
    const { view, log, room } = push;
    const place = view && `${room.table}.${view.seat}`;
    await this.room.show(room, view);
    if (place !== this.place) this.clear(place);
    if (!view) return;
    if (view.title !== this.words.data.title) {
      location.reload(); // another game needs another page
      return;
    }
    const events = log.filter(({ arc }) => arc !== undefined); // the others tell what has come of them
    const entry = this.view && events.length < 2 ? events[0] ?? log[0] ?? null : null;
    const isMine = isOf(view.seat, entry);
    this.clock = push.clock && { ...push.clock, left: push.clock.left - (performance.now() - push.at) / 1000 };
    this.words.names = room.names;
    this.receiveCards(view);
    if (view.version !== this.view?.version) this.notice(""); // it was about what is over
    if (view.state !== this.view?.state) this.emotes.clear();
    this.view = view;
    this.deal.show(`${this.address}.${room.table}.${view.round}`, view.deal, view.state !== "playing");
    if (view.state === "playing") this.result.place(false); // before cards are laid, whose size depends on it
    const here = new Set(room.people.filter((each) => each.here).map(({ seat }) => seat));
    const flown = this.felt.show(view, here, entry, this.discards([...this.record.entries, ...log], view));
    this.felt.offerDraw(null);
    const shout = entry && this.words.shout(entry.event);
    if (shout) this.emotes.bubble(entry.player, shout);
    if (entry?.card && entry.event === "play") this.sounds.play("card");
    for (const each of log) {
      if (each.player === view.seat && each.player !== null) this.drawn = each.by === "person" ? null : each.card;
    }
    this.showHand(false);
    for (const each of log) this.record.add(each);
    this.prompt.show({ ...view, question: null }, {});
    this.prompt.time(null);
    for (const id of ["hint", "undo"]) byId(id).setAttribute("aria-disabled", "true");
    if (this.isMachine) this.machine.show(view, entry, entry !== null);
    for (const each of entry ? log : []) if (each.text && !isOf(view.seat, each)) this.record.announce(each.text);
    if (entry && !document.hidden) await Promise.all([flown, pause(this.pace(entry, isMine))]);
  }

  // The cards that others have passed to me: those that come while I look are announced.
  receiveCards(view) {
    const added = this.view ? view.received.filter((card) => !this.received.includes(card)) : [];
    this.received = view.received;
    if (added.length) this.record.announce(`You receive ${added.join(", ")}.`);
  }

  // Who has discarded which card of the pile: the last ones of those that were played from a hand.
  discards(entries, view) {
    const offers = Object.values(this.words.data.offers);
    const left = entries.filter(({ event, card }) => card && offers.some((each) => each[event]?.hand));
    const found = [];
    for (const card of view.melds.length ? [...view.discard_pile].reverse() : []) {
      const place = left.findLastIndex((each) => each.card === card);
      found.unshift([left[place]?.player ?? null, card]);
      if (place >= 0) left.length = place;
    }
    return found;
  }

  // Another table, or another seat: nothing of the one before is shown.
  clear(place) {
    this.place = place;
    this.view = null;
    this.drawn = null;
    this.received = [];
    this.row = [];
    this.record.clear();
    this.notice("");
  }

  pace(entry, isMine) {
    const pace = this.menu.pace;
    if (!entry.text || isMine) return 0;
    return this.queue.length > HURRYING ? pace / 4 : entry.by === "rules" ? pace * 0.7 : pace;
  }

  // Everything was shown: ask me, if I am asked.
  settle() {
    const { view, room } = this;
    this.result.show(view, this.record.entries);
    Object.assign(document.documentElement.dataset, { ready: "", room: room.room.code });
    if (!view) {
      Object.assign(document.documentElement.dataset, { settled: 0, state: "gathering", asks: "" });
      return;
    }
    this.showHand(true);
    if (this.result.isNews) this.hand.lay();
    if (view.state === "playing" && view.seat !== null) this.rules.showFirst();
    const asks = this.prompt.show(view, this.offers);
    this.together.show(view.question, `${this.place}.${view.version}`);
    this.prompt.time(this.clock);
    this.felt.offerDraw(this.drawMove);
    if (this.isMachine) this.machine.show(view, null, false);
    const seat = view.seat === null ? null : view.seats[view.seat - 1];
    byId("undo").setAttribute("aria-disabled", String(!view.undo));
    byId("hint").setAttribute("aria-disabled", String(!view.question));
    byId("hint").hidden = !room.room.plan.hints;
    document.body.classList.toggle("watching", !seat);
    for (const id of ["standing", "menu-standing"]) byId(id).textContent = standing(view);
    if (asks && asks !== this.asked) this.record.announce(`${asks}${this.clock ? `, ${Math.ceil(this.clock.left)} seconds` : ""}`);
    if (asks && asks !== this.asked) this.sounds.play("turn");
    this.asked = asks;
    if (this.result.isNews) this.celebrate();
    const { heading } = this.words.data;
    document.title = view.question ? `Your turn · ${heading}` : heading;
    Object.assign(document.documentElement.dataset, { settled: view.version, state: view.state, asks: this.row.length ? "" : view.question?.kind ?? "" });
    this.playOn();
  }

  // The end is shown: who has won hears and sees it.
  celebrate() {
    const isMine = winnersOf(this.view).includes(this.view.seat);
    this.sounds.play(isMine || this.view.seat === null ? "win" : "lose");
    if (isMine) this.result.celebrate();
  }

  get offers() {
    return this.words.data.offers[this.view.phase] ?? {};
  }

  // The move of the question for which a click on the draw pile stands.
  get drawMove() {
    return this.view.question?.moves.find(({ trigger, card }) => DRAWS.includes(trigger) && card === undefined);
  }

  ofCard(name) {
    return (this.view.question?.moves ?? []).filter((move) => cardsOf(move).includes(name) && isOfHand(move, this.offers));
  }

  showHand(isSettled) {
    const { view } = this;
    const cards = view.seat === null ? [] : view.hands[view.seat - 1] ?? [];
    const isAsked = isSettled && view.question && Object.values(this.offers).some(({ hand }) => hand);
    const playable = isAsked ? new Set(cards.filter((card) => this.ofCard(card).length)) : null;
    this.hand.received = this.received;
    this.hand.show(cards, playable, view.question?.unplayable ?? {}, this.drawn, view.facts.trump);
  }

  connection(state, message = "") {
    byId("connection").textContent = { open: "", lost: "Connection lost, trying again …", gone: `${capital(message)}.` }[state];
    byId("connection").hidden = state === "open";
    document.documentElement.dataset.connection = state;
  }

  // ---------------------------------------------------------------- what I do

  choose(card, button) {
    const moves = this.ofCard(card);
    if (this.running || !this.view.question) this.notice(capital(this.view.who) || "Nothing is to be done now.");
    else if (moves.length && this.together.wanted) this.together.toggle(button);
    else if (moves.length) this.offer(moves, this.setsRefused(card));
    else this.notice(this.view.question.unplayable[card] ?? "This card cannot be played now.");
  }

  // The sets with a card that cannot be named now, as moves, each with the reason.
  setsRefused(name) {
    return Object.entries(this.view.question.refused).flatMap(([label, why]) => {
      const [trigger, card] = label.split(" ");
      return card?.includes(",") && card.split(",").includes(name) ? [{ label, trigger, card, why }] : [];
    });
  }

  offer(moves, refused = []) {
    if (moves.length === 1) this.act(moves[0]);
    else this.chooser.open(moves, (move) => this.act(move), refused, (why) => this.notice(why));
  }

  draw() {
    const move = this.drawMove;
    if (move && !this.running) this.act(move);
    else this.notice(this.view.question ? this.why(DRAWS) : capital(this.view.who));
  }

  // Why none of some events is possible.
  why(triggers) {
    const { refused } = this.view.question;
    return triggers.map((trigger) => refused[trigger]).find(Boolean) ?? this.asked;
  }

  async act({ label, ...move }) {
    return this.change("act", { at: this.view.version, move });
  }

  // Play cards that were chosen together, each as soon as the one before is seen.
  playAll(cards) {
    this.row = cards;
    this.playOn();
  }

  async playOn() {
    if (!this.row.length || this.busy || this.running || this.playedAt === this.view.version) return;
    const [card, ...left] = this.row;
    const [move] = this.ofCard(card);
    this.playedAt = this.view.version;
    this.row = left;
    if (!move || !await this.act(move)) this.row = [];
    this.playOn();
  }

  help(id, act) {
    if (byId(id).getAttribute("aria-disabled") === "true") this.notice(NO_HELP[id]);
    else act();
  }

  async hint() {
    const hint = await this.change("hint");
    if (!hint) return;
    const { move, why, found, values } = hint;
    const worth = bars(values);
    this.hand.hint(cardsOf(move), (card) => worth(...this.ofCard(card).map(({ label }) => label)));
    this.prompt.hint(move, worth);
    this.notice(`${[capital(this.words.move(move)), found, why].filter(Boolean).map(capital).join(". ")}.`, true);
  }

  // Ask the server for a change. Returns the answer; null if it is refused, with the reason on the page.
  async change(what, fields = {}) {
    if (this.busy) return null;
    this.busy = true;
    document.body.classList.add("sending");
    try {
      return await this.stream.request(what, fields);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.notice(error.message);
      if (error.status === STALE) this.stream.open();
      return null;
    } finally {
      this.busy = false;
      document.body.classList.remove("sending");
    }
  }

  // stays: until something happens.
  notice(text, stays = false) {
    clearTimeout(this.hiding);
    byId("notice").replaceChildren(...this.words.rich(text));
    if (!stays) this.hiding = setTimeout(() => byId("notice").replaceChildren(), NOTICE);
  }

  // ---------------------------------------------------------------- views

  get isMachine() {
    return document.body.classList.contains("with-machine");
  }

  turnTo(view) {
    document.body.classList.toggle("with-machine", view === "machine");
    for (const button of byId("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    byId("machine").hidden = view !== "machine";
    if (view === "machine" && this.view) this.machine.show(this.view, this.record.entries.at(-1), false);
  }

  showLog() {
    const isOpen = document.body.classList.toggle("with-log");
    byId("log-button").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) byId("log-entries").scrollTop = byId("log-entries").scrollHeight;
    (isOpen ? byId("log-close") : byId("log-button")).focus();
  }

  // Arrow keys lead into the hand from wherever nothing else uses them.
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") this.notice("");
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    if (event.target.closest("#log, #machine, #river")) return;
    const place = event.key === "ArrowUp" ? firstButton() : byId("hand").querySelector("[tabindex='0']");
    if (!place) return;
    event.preventDefault();
    place.focus();
  }
}

// The bar of the best of some moves, by their labels, if one was searched.
function bars(values) {
  const shares = new Map(values.map((value) => [value.move, value]));
  const [low, high] = [Math.min(...values.map(({ share }) => share)), Math.max(...values.map(({ share }) => share))];
  return (...labels) => {
    const [best] = labels.map((label) => shares.get(label)).filter(Boolean).sort((one, other) => other.share - one.share);
    if (!best) return [];
    const bar = element("span", "worth", best.text);
    bar.style.setProperty("--part", high > low ? (best.share - low) / (high - low) : 1);
    return [bar];
  };
}

// Whether an entry of the log is a move that a person at a seat has made.
function isOf(seat, entry) {
  return entry?.player === seat && entry?.by === "person";
}

// The first button of the question, or of the result.
function firstButton() {
  return [...document.querySelectorAll("#choices button, #gathering .action.main")].find((button) => button.offsetParent);
}

function standing({ match, round }) {
  return match ? `Round ${round} · to ${match.target} points` : "";
}

entered().then((token) => new Play(token));

// The lobby: a game, its house rules, how many play, and how long; for a new room, or for what a room plays next.

import { Cards } from "./cards.js";
import { byId, capital, element, inWords } from "./dom.js";
import { offerLooks } from "./looks.js";
import { NAME, ROOT, codeHere, forget, keep, keptRooms, tokenHere } from "./room.js";
import { GONE, Refusal, request } from "./server.js";

const SEATED = 3; // players at first, where the game allows
const CALLING = 20; // seconds to call at first: the least time for which WCAG 2.2.1 lets people ask for more
const ROOMS = 3; // in which one can go on, at most: the server is asked for each
const BOX = "No house rules.";
const EASY = ["random-legal-card", "random"]; // policies that play badly
const STEPPED = "#game="; // an address of the stepping page, as it was at this place before

class Lobby {
  constructor({ games }) {
    this.games = games;
    const [first, ...others] = games; // the first one is what the server was started for
    const contests = others.filter(({ contest }) => contest);
    const further = others.filter((game) => game.further);
    const house = others.filter((game) => !game.contest && !game.further);
    byId("games").replaceChildren(this.gameChoice(first, true), ...house.map((game) => this.gameChoice(game, false)));
    byId("further-games").replaceChildren(...further.map((game) => this.gameChoice(game, false)));
    byId("further").firstElementChild.textContent = `${further.length} more games`;
    byId("further").hidden = !further.length;
    byId("more-games").replaceChildren(...contests.map((game) => this.gameChoice(game, false)));
    byId("contests").hidden = !contests.length;
    for (const id of ["games", "further-games", "more-games"]) byId(id).addEventListener("change", () => this.adapt());
    byId("levels").addEventListener("change", ({ target }) => this.play(target.value));
    byId("fewer").addEventListener("click", () => this.seat(this.players - 1));
    byId("more").addEventListener("click", () => this.seat(this.players + 1, true));
    byId("computer").addEventListener("change", () => this.play(byId("computer").value));
    for (const id of ["rules", "profiles"]) byId(id).addEventListener("change", () => this.countRules());
    byId("target").addEventListener("focus", () => { byId("match").querySelector("input").checked = true; });
    byId("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open(event.submitter?.value !== "later");
    });
    byId("step").href = `${ROOT}step`;
    byId("name").value = localStorage.getItem(NAME) ?? "";
    addEventListener("pageshow", () => this.isRoom || listRooms()); // also when one comes back to the page
    offerLooks();
    this.adapt();
    this.begin();
  }

  // In a room that there is already, begin with what it plays.
  async begin() {
    if (this.isRoom) {
      for (const id of ["named", "gather"]) byId(id).hidden = true;
      byId("name").required = false;
      byId("begin").textContent = "Play this next";
      const known = tokenHere() && await request(`${ROOT}tables/${tokenHere()}/state`).catch(() => null);
      if (!known) return location.replace(`${ROOT}room/${codeHere()}`); // who is not there comes in first
      this.fill(known.room.plan);
    }
    document.documentElement.dataset.ready = "";
  }

  get isRoom() {
    return codeHere() !== "";
  }

  fill({ game, players, computer, target, turn_seconds: turn, claim_seconds: claim, hints }) {
    const whole = this.games.find((each) => each.game === game);
    const [plain, ...rules] = whole ? [game] : game.split("+");
    for (const input of byId("setup").querySelectorAll("[name=game]")) input.checked = input.value === plain;
    for (const [part, list] of [["extras", "more-games"], ["further", "further-games"]]) byId(part).open = byId(list).querySelector(":checked") !== null;
    this.adapt();
    for (const input of byId("profiles").querySelectorAll("input")) input.checked ||= rules.includes(input.value);
    for (const input of byId("rules").querySelectorAll("input")) input.checked ||= rules.includes(input.value);
    this.countRules();
    this.seat(players);
    const computers = computer.split(",");
    this.play(computers[0]);
    this.seatComputers(computers);
    for (const input of byId("setup").querySelectorAll("[name=length]")) input.checked = input.value === (target ? "match" : "round");
    if (target) byId("target").value = target;
    byId("turn-seconds").value = turn ?? "";
    byId("claim-seconds").value = claim ?? "";
    byId("hints").checked = hints;
  }

  get game() {
    return this.games.find(({ game }) => game === this.form.get("game"));
  }

  get form() {
    return new FormData(byId("setup"));
  }

  gameChoice(game, checked) {
    const label = element("label", "game");
    const input = element("input");
    Object.assign(input, { type: "radio", name: "game", value: game.game, checked });
    const cards = new Cards(game.cards, document.body, game.game);
    const sample = element("span", "sample");
    sample.setAttribute("aria-hidden", "true");
    sample.append(...game.sample.map((name) => cards.plainPicture(name)));
    label.append(input, sample, element("b", "", game.title));
    return label;
  }

  adapt() {
    const { calls, fixed, offered, policies, profiles, summary, target, title } = this.game;
    byId("summary").textContent = summary;
    byId("claim-seconds").value = calls ? CALLING : "";
    byId("rules").replaceChildren(...offered.map((rule) => ruleChoice(rule, fixed, title)));
    const styles = [["", BOX], ...profiles.map(([name, text, called]) => [name, text, called || inWords(name, title)])];
    byId("profiles").replaceChildren(...styles.map(([name, text, called = "As in the box"], place) => profileChoice(name, called, text, place === 0)));
    byId("styles").hidden = !profiles.length;
    byId("levels").replaceChildren(...levelsOf(policies).map(([called, policy]) => levelChoice(called, policy)));
    byId("computer").replaceChildren(...policies.map(([policy]) => option(policy, inWords(policy))));
    byId("house-rules").hidden = !offered.length;
    byId("target").value = target;
    byId("each").replaceChildren();
    this.seat(SEATED);
    this.play(policies[0][0]);
    this.countRules();
  }

  // How all computer players play.
  play(name) {
    byId("computer").value = name;
    byId("strength").textContent = this.game.policies.find(([policy]) => policy === name)?.[1] ?? "";
    for (const input of byId("levels").querySelectorAll("input")) input.checked = input.value === name;
    this.seatComputers([]);
  }

  countRules() {
    const chosen = byId("rules").querySelectorAll(":checked").length;
    byId("rules-title").textContent = `House rules: ${chosen || "none"}${chosen ? " chosen" : ""}`;
    byId("read").href = `${ROOT}rules/${this.named}`;
  }

  // As many seats as wanted, or the next number that the game allows: a smaller one, or with `more` a greater one.
  seat(wanted, more = false) {
    const { players } = this.game;
    const greater = players.find((each) => each >= wanted) ?? players.at(-1);
    this.players = more ? greater : (players.findLast((each) => each <= wanted) ?? players.at(0));
    byId("players").textContent = `${this.players} players`;
    byId("fewer").disabled = this.players === players.at(0);
    byId("more").disabled = this.players === players.at(-1);
    this.seatComputers([...byId("each").querySelectorAll("select")].map(({ value }) => value));
  }

  // Who takes each seat that is left: as chosen, else as all do.
  seatComputers(chosen) {
    byId("each").replaceChildren(...Array.from({ length: this.players - 1 }, (_, place) => {
      const label = element("label", "", `Computer player ${place + 1} `);
      const select = element("select");
      select.append(...this.game.policies.map(([policy]) => option(policy, inWords(policy))));
      select.value = chosen[place % chosen.length] ?? byId("computer").value;
      label.append(select);
      return label;
    }));
  }

  // One policy where all have the same.
  get computers() {
    const each = [...byId("each").querySelectorAll("select")].map(({ value }) => value);
    return new Set(each).size > 1 ? each : each.slice(0, 1);
  }

  // The game with its house rules.
  get named() {
    const { form } = this;
    return [form.get("game"), ...new Set([form.get("profile"), ...form.getAll("rule")])].filter(Boolean).join("+");
  }

  get plan() {
    const { form } = this;
    return {
      game: this.named,
      players: this.players,
      computer: this.computers.join(","),
      target: form.get("length") === "match" ? Number(byId("target").value) : null,
      turn_seconds: Number(byId("turn-seconds").value) || null,
      claim_seconds: Number(byId("claim-seconds").value) || null,
      hints: byId("hints").checked,
    };
  }

  // ready: whether the cards are dealt at once.
  async open(ready) {
    byId("error").textContent = "";
    try {
      const code = this.isRoom ? await this.change() : await this.enter(ready);
      location.href = `${ROOT}room/${code}`;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      byId("error").textContent = `${capital(error.message)}.`;
    }
  }

  async change() {
    await request(`${ROOT}tables/${tokenHere()}/plan`, this.plan);
    return codeHere();
  }

  async enter(ready) {
    const name = byId("name").value.trim();
    const { code, token } = await request(`${ROOT}rooms`, { ...this.plan, name, ready });
    localStorage.setItem(NAME, name);
    keep(code, token);
    return code;
  }
}

// The latest rooms in which this browser is, as far as the server knows them.
async function listRooms() {
  const rooms = await Promise.all(keptRooms().slice(0, ROOMS).map(roomOf));
  byId("rooms").replaceChildren(...rooms.filter(Boolean).map(({ code, plan }) => {
    const link = element("a", "action", `Go on in room ${code}: ${plan.title}`);
    link.href = `${ROOT}room/${code}`;
    return link;
  }));
  byId("rooms").hidden = !byId("rooms").childElementCount;
}

// What the server says of a room; nothing if it does not answer, and if the room is gone, which is forgotten then.
async function roomOf({ code, token }) {
  try {
    const { room } = await request(`${ROOT}tables/${token}/state`);
    if (room.code !== code) { // it has another one since somebody was removed
      keep(room.code, token);
      forget(code);
    }
    return room;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === GONE) forget(code);
    return null;
  }
}

// fixed: the names of the rules that the game has already, which cannot be left out.
function ruleChoice([name, description], fixed, title) {
  const item = element("li");
  const label = element("label", "rule");
  const input = element("input");
  const isFixed = fixed.includes(name);
  Object.assign(input, { type: "checkbox", name: "rule", value: name, checked: isFixed, disabled: isFixed });
  const text = element("span");
  text.append(element("b", "", inWords(name, title)), ` ${description}`);
  label.append(input, text);
  item.append(label);
  return item;
}

// A profile of house rules as a card.
function profileChoice(name, called, text, checked) {
  const [label, input] = [element("label", "game style"), element("input")];
  Object.assign(input, { type: "radio", name: "profile", value: name, checked });
  label.append(input, element("b", "", called), element("span", "quiet", text));
  return label;
}

// How well computer players play, in words, and the policies that do: easy, good, and strong where a search is offered.
function levelsOf(policies) {
  const names = policies.map(([name]) => name);
  const levels = [["Easy", EASY.find((name) => names.includes(name))], ["Good", names[0]], ["Strong", names.findLast((name) => name.startsWith("search:"))]];
  return levels.filter(([, name], place) => name && (place === 1 || name !== names[0]));
}

function levelChoice(called, policy) {
  const [label, input] = [element("label", "choice"), element("input")];
  Object.assign(input, { type: "radio", name: "level", value: policy });
  label.append(input, called);
  return label;
}

function option(value, text) {
  const made = element("option", "", text);
  made.value = value;
  return made;
}

if (location.hash.startsWith(STEPPED)) location.replace(`step${location.hash}`);
else new Lobby(JSON.parse(byId("data").textContent));

// The lobby: a game, its house rules, who sits where, and how long is played; then the links of the seats.

import { Cards } from "./cards.js";
import { byId, element } from "./dom.js";
import { keep, links } from "./menu.js";
import { Refusal, request } from "./server.js";

const NAME = "maumau name";
const NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jan"];
const PERSON = "person";
const ROOT = location.pathname.replace(/play\/?$/, "");
const SEATED = 3; // players at first, where the game allows

class Lobby {
  constructor({ games }) {
    this.games = games;
    byId("games").replaceChildren(...games.map((game, place) => this.gameChoice(game, place === 0)));
    byId("games").addEventListener("change", () => this.adapt());
    byId("fewer").addEventListener("click", () => this.seat(this.players - 1));
    byId("more").addEventListener("click", () => this.seat(this.players + 1));
    byId("rules").addEventListener("change", () => this.countRules());
    byId("another").addEventListener("click", () => this.invite(null));
    byId("target").addEventListener("focus", () => { byId("match").querySelector("input").checked = true; });
    byId("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open();
    });
    byId("step").href = ROOT;
    this.adapt();
    document.documentElement.dataset.ready = "";
  }

  get game() {
    return this.games.find(({ game }) => game === this.form.get("game"));
  }

  get form() {
    return new FormData(byId("setup"));
  }

  get players() {
    return byId("seats").childElementCount;
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
    const { fewest, fixed, policies, rules, target } = this.game;
    byId("rules").replaceChildren(...rules.map((rule) => ruleChoice(rule, fixed)));
    byId("strengths").replaceChildren(...policies.flatMap(([name, text]) => [element("dt", "", name), element("dd", "", text)]));
    byId("house-rules").hidden = !rules.length;
    byId("target").value = target;
    byId("seats").replaceChildren();
    this.seat(Math.max(fewest, SEATED));
    this.countRules();
  }

  countRules() {
    const chosen = byId("rules").querySelectorAll(":checked").length;
    byId("rules-title").textContent = `House rules: ${chosen || "none"}${chosen ? " chosen" : ""}`;
  }

  // As many seats as wanted, as far as the game allows.
  seat(wanted) {
    const { fewest, most } = this.game;
    const players = Math.min(Math.max(wanted, fewest), most);
    const list = byId("seats");
    while (list.childElementCount > players) list.lastElementChild.remove();
    while (list.childElementCount < players) list.append(this.seatChoice(list.childElementCount));
    byId("players").textContent = `${players} players`;
    byId("fewer").disabled = players === fewest;
    byId("more").disabled = players === most;
  }

  seatChoice(place) {
    const line = element("li", "seat-choice");
    const who = element("select");
    who.setAttribute("aria-label", `Who is player ${place + 1}`);
    who.append(option(PERSON, "a person"), ...this.game.policies.map(([policy]) => option(policy, `computer: ${policy}`)));
    const name = element("input");
    Object.assign(name, { type: "text", maxLength: 40, required: true, value: nameOf(place) });
    name.setAttribute("aria-label", `Name of player ${place + 1}`);
    who.value = place ? this.game.policies[0][0] : PERSON;
    name.hidden = name.disabled = place > 0;
    who.addEventListener("change", () => { name.hidden = name.disabled = who.value !== PERSON; });
    line.append(element("span", "quiet", `${place + 1}`), who, name);
    return line;
  }

  get asked() {
    const { form } = this;
    const seats = [...byId("seats").children].map((line) => {
      const [who, name] = [line.querySelector("select").value, line.querySelector("input").value.trim()];
      return who === PERSON ? { person: name } : { computer: who };
    });
    return {
      game: [form.get("game"), ...form.getAll("rule")].join("+"),
      seats,
      target: form.get("length") === "match" ? Number(byId("target").value) : null,
      turn_seconds: Number(byId("turn-seconds").value) || null,
      claim_seconds: Number(byId("claim-seconds").value) || null,
    };
  }

  async open() {
    const { asked } = this;
    byId("error").textContent = "";
    try {
      const table = { asked, links: await request(`${ROOT}tables`, asked) };
      keep(asked, table.links);
      this.enter(table);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      byId("error").textContent = error.message;
    }
  }

  // Sit down if nobody else is to come; otherwise show the links first.
  enter(table) {
    const [mine, ...others] = table.links.seats.filter(Boolean);
    const name = table.asked.seats.find(({ person }) => person)?.person;
    if (name) localStorage.setItem(NAME, name);
    if (others.length) this.invite(table);
    else location.href = `${ROOT}${mine ?? table.links.watch}`;
  }

  // Show the links of a table, or the form again.
  invite(table) {
    byId("setup").hidden = Boolean(table);
    byId("invitation").hidden = !table;
    if (!table) return;
    byId("links").replaceChildren(...links(table, ROOT));
    byId("sit").href = `${ROOT}${table.links.seats.find(Boolean)}`;
    byId("sit").textContent = `Sit down as ${table.asked.seats.find(({ person }) => person).person}`;
    byId("invitation").focus();
  }
}

function nameOf(place) {
  return (place === 0 && localStorage.getItem(NAME)) || NAMES[place] || `Guest ${place + 1}`;
}

// fixed: the names of the rules that the game has already, which cannot be left out.
function ruleChoice([name, description], fixed) {
  const item = element("li");
  const label = element("label", "rule");
  const input = element("input");
  const isFixed = fixed.includes(name);
  Object.assign(input, { type: "checkbox", name: "rule", value: name, checked: isFixed, disabled: isFixed });
  const text = element("span");
  text.append(element("b", "", name), ` ${description}`);
  label.append(input, text);
  item.append(label);
  return item;
}

function option(value, text) {
  const made = element("option", "", text);
  made.value = value;
  return made;
}

new Lobby(JSON.parse(byId("data").textContent));

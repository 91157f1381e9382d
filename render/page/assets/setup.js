// The form that begins a game: from a seed, a deck or a position.

import { byId, element } from "./dom.js";

export class Setup {
  // begin: called with the fields of the request for a new game.
  constructor(games, begin) {
    this.games = games;
    byId("kind").replaceChildren(...games.map((game) => option(game.game, game.title)));
    byId("kind").addEventListener("change", () => this.adapt());
    byId("from").addEventListener("change", () => this.adapt());
    byId("begin").addEventListener("submit", (event) => {
      event.preventDefault();
      begin(this.fields());
    });
    this.adapt();
  }

  get game() {
    return this.gameData(byId("kind").value);
  }

  // The data that all games of a kind share.
  gameData(name) {
    return this.games.find((game) => game.game === name);
  }

  adapt() {
    const { players: allowed, policies, offered, game } = this.game;
    if (this.offered !== game) this.offer(game, offered);
    const players = byId("players");
    players.min = allowed.at(0);
    players.max = allowed.at(-1);
    players.value = allowed.findLast((each) => each <= Number(players.value)) ?? allowed.at(0);
    const chosen = byId("policy").value;
    byId("policy").replaceChildren(...policies.map((policy) => option(policy, policy)));
    if (policies.includes(chosen)) byId("policy").value = chosen;
    const from = byId("from").value;
    for (const part of byId("begin").querySelectorAll("[data-from]")) {
      part.hidden = part.dataset.from !== from;
      for (const field of part.querySelectorAll("input")) field.disabled = part.hidden;
    }
  }

  fields() {
    const rules = [...byId("rules").selectedOptions].map((each) => each.value);
    const fields = { game: [byId("kind").value, ...rules].join("+"), policies: [byId("policy").value] };
    const from = byId("from").value;
    if (from === "deck") return { ...fields, deck: byId("deck").value };
    if (from === "position") return { ...fields, position: byId("wanted").value };
    return { ...fields, players: byId("players").value, seed: byId("seed").value, number: byId("number").value };
  }

  // Fill the form from a game that was started elsewhere.
  fill(game) {
    const [plain, ...rules] = this.gameData(game) ? [game] : game.split("+");
    if (this.gameData(plain)) byId("kind").value = plain;
    this.adapt();
    for (const each of byId("rules").options) each.selected = rules.includes(each.value);
  }

  // The house rules of a game, each with its description.
  offer(game, rules) {
    this.offered = game;
    byId("rules").replaceChildren(...rules.map(([name, description]) => option(name, `${name}: ${description}`)));
    byId("house-rules").hidden = !rules.length;
  }
}

function option(value, text) {
  const made = element("option", "", text);
  made.value = value;
  return made;
}

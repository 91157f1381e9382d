// The form that begins a game: from a seed, a deck or a position.

import { byId, element } from "./table.js";

export class Setup {
  // begin: is called with what to begin.
  constructor(games, begin) {
    this.games = games;
    byId("kind").replaceChildren(...games.map((game) => option(game.game, game.title)));
    byId("kind").addEventListener("change", () => this.adapt());
    byId("from").addEventListener("change", () => this.adapt());
    byId("begin").addEventListener("submit", (event) => {
      event.preventDefault();
      begin(this.asked());
    });
    this.adapt();
  }

  get game() {
    return this.setting(byId("kind").value);
  }

  // What holds for all games of a kind.
  setting(name) {
    return this.games.find((game) => game.game === name);
  }

  adapt() {
    const { fewest, most, policies, rules, game } = this.game;
    if (this.offered !== game) this.offer(game, rules);
    const players = byId("players");
    players.min = fewest;
    players.max = most;
    players.value = Math.min(Math.max(Number(players.value) || fewest, fewest), most);
    const chosen = byId("policy").value;
    byId("policy").replaceChildren(...policies.map((policy) => option(policy, policy)));
    if (policies.includes(chosen)) byId("policy").value = chosen;
    const from = byId("from").value;
    for (const part of byId("begin").querySelectorAll("[data-from]")) {
      part.hidden = part.dataset.from !== from;
      for (const field of part.querySelectorAll("input")) field.disabled = part.hidden;
    }
  }

  asked() {
    const rules = [...byId("rules").selectedOptions].map((each) => each.value);
    const asked = { game: [byId("kind").value, ...rules].join("+"), policies: [byId("policy").value] };
    const from = byId("from").value;
    if (from === "deck") return { ...asked, deck: byId("deck").value };
    if (from === "position") return { ...asked, position: byId("wanted").value };
    return { ...asked, players: byId("players").value, seed: byId("seed").value, number: byId("number").value };
  }

  // Show in the form what was begun elsewhere.
  fill(game) {
    const [plain, ...rules] = this.setting(game) ? [game] : game.split("+");
    if (this.setting(plain)) byId("kind").value = plain;
    this.adapt();
    for (const each of byId("rules").options) each.selected = rules.includes(each.value);
  }

  // The house rules of a game, each with its sentence.
  offer(game, rules) {
    this.offered = game;
    byId("rules").replaceChildren(...rules.map(([name, says]) => option(name, `${name}: ${says}`)));
    byId("house-rules").hidden = !rules.length;
  }
}

function option(value, words) {
  const made = element("option", "", words);
  made.value = value;
  return made;
}

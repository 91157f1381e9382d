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
    const { fewest, most, policies } = this.game;
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
    const asked = { game: byId("kind").value, policies: [byId("policy").value] };
    const from = byId("from").value;
    if (from === "deck") return { ...asked, deck: byId("deck").value };
    if (from === "position") return { ...asked, position: byId("wanted").value };
    return { ...asked, players: byId("players").value, seed: byId("seed").value, number: byId("number").value };
  }

  // Show in the form what was begun elsewhere.
  fill(game) {
    if (this.games.some((each) => each.game === game)) byId("kind").value = game;
    this.adapt();
  }
}

function option(value, words) {
  const made = element("option", "", words);
  made.value = value;
  return made;
}

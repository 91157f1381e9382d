// The end of a round or of all: who wins, the points, and how it goes on.

import { byId, element } from "./dom.js";

// Who has won the match when it is over, else the round: a player, several, or nobody.
export function winnersOf(view) {
  const outcome = view.match?.outcome ?? view.outcome;
  return outcome?.winners ?? [outcome?.winner].filter(Boolean);
}

export class Result {
  constructor(words) {
    this.words = words;
  }

  // view: null before the first deal.
  show(view, log) {
    const isOver = view?.state !== "playing";
    byId("felt").classList.toggle("over", isOver);
    byId("result").hidden = !isOver;
    byId("points").hidden = !view;
    if (!view) byId("result-title").textContent = "Who plays?";
    if (!isOver || !view) return;
    const ending = view.match?.outcome?.text ?? view.outcome?.text ?? log.at(-1)?.text ?? "";
    byId("result-title").replaceChildren(...this.words.rich(`${ending.split(". ")[0].replace(/\.$/, "")}.`)); // the table has the points
    byId("scores").replaceChildren(...view.seats.map(({ player }) => this.row(view, player)));
    byId("points-head").textContent = `Points${this.words.data.words.scores}`;
    byId("total-head").hidden = !view.match;
  }

  row(view, player) {
    const row = element("tr", winnersOf(view).includes(player) ? "winner" : "");
    const name = element("th", "", this.words.player(player));
    name.scope = "row";
    row.append(name, element("td", "", `${view.outcome?.scores[player - 1] ?? ""}`));
    if (view.match) row.append(element("td", "", `${view.match.totals[player - 1]}`));
    return row;
  }
}

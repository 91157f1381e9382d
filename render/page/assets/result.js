// The end of a round or of all: who wins, the points, and how it goes on.

import { byId, element, still } from "./dom.js";

const PIECES = 36; // of a celebration
const FALLING = 2600;

// Who has won the match when it is over, else the round: a player, several, or nobody.
export function winnersOf(view) {
  const outcome = view.match?.outcome ?? view.outcome;
  return outcome?.winners ?? [outcome?.winner].filter(Boolean);
}

export class Result {
  constructor(words) {
    this.words = words;
    this.wasOver = true;
  }

  // Whether the end is shown now for the first time: then who has won is celebrated.
  get isNews() {
    return !byId("result").hidden && !this.wasOver;
  }

  // Cards rain from the top of the table.
  celebrate() {
    const names = Object.keys(this.words.data.cards);
    for (let piece = 0; piece < PIECES && !still.matches; piece += 1) {
      const card = this.words.cards.plainPicture(names[(piece * 7) % names.length]);
      card.classList.add("falling");
      card.style.left = `${(piece * 97) % 100}vw`;
      byId("flights").append(card);
      const turn = `rotate(${(piece % 2 ? 1 : -1) * (200 + 20 * piece)}deg)`;
      const falling = card.animate([{ transform: "translateY(-20vh)" }, { transform: `translateY(110vh) ${turn}` }], { duration: FALLING, delay: 40 * piece, easing: "ease-in", fill: "backwards" });
      falling.finished.finally(() => card.remove());
    }
  }

  // Whether the end takes the place of the table, where cards are smaller.
  place(isOver) {
    byId("felt").classList.toggle("over", isOver);
    byId("result").hidden = !isOver;
  }

  // view: null before the first deal.
  show(view, log) {
    const isOver = view?.state !== "playing";
    this.wasOver = byId("felt").classList.contains("over");
    this.place(isOver);
    byId("points").hidden = !view;
    if (!view) byId("result-title").textContent = "Who plays?";
    if (!isOver || !view) return;
    const ending = view.match?.outcome?.text ?? view.outcome?.text ?? log.at(-1)?.text ?? "";
    byId("result-title").replaceChildren(...this.words.rich(`${ending.split(". ")[0].replace(/\.$/, "")}.`)); // the table has the points
    byId("scores").replaceChildren(...view.seats.map(({ player }) => this.row(view, player)));
    byId("points-head").textContent = this.words.data.words.scores;
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

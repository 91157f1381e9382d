// The page of a finished match: the table of its rounds, and the round that is chosen as a game.

import { byId, element } from "./dom.js";
import { Story } from "./story.js";
import { Viewer, writeAddress } from "./viewer.js";

const match = JSON.parse(byId("data").textContent);
const stories = [];
let round = 0;

const viewer = new Viewer({ moved: (at) => writeAddress(`#round=${round + 1}&step=${at}`) });

function wantedInAddress() {
  const found = /^#round=(\d{1,4})(?:&step=(\d{1,9}))?$/.exec(location.hash);
  return [Number(found?.[1] ?? 1) - 1, Number(found?.[2] ?? 0)];
}

function choose(wanted, at) {
  round = Math.min(Math.max(wanted, 0), match.rounds.length - 1);
  stories[round] ??= new Story({ ...match.shared, ...match.rounds[round].story });
  [...byId("rounds").rows].forEach((row, place) => row.setAttribute("aria-current", place === round));
  viewer.open(stories[round], at);
}

function rowOf({ dealer, points, totals }, place) {
  const row = element("tr");
  const head = element("th");
  head.scope = "row";
  const button = element("button", "action", `Round ${place + 1}`);
  button.type = "button";
  button.addEventListener("click", () => choose(place, 0));
  head.append(button);
  row.append(head, element("td", "", `Player ${dealer}`));
  points.forEach((scored, seat) => {
    const cell = element("td", "", `${scored} `);
    cell.append(element("span", "total", `total ${totals[seat]}`));
    row.append(cell);
  });
  return row;
}

byId("match-outcome").textContent = `To ${match.target} points: ${match.outcome}.`;
byId("seats").append(
  ...["Round", "Dealer", ...match.rounds[0].points.map((_, seat) => `Player ${seat + 1}`)].map((text, place) => {
    const isWinner = (match.winners ?? [match.winner]).includes(place - 1);
    const head = element("th", isWinner ? "winner" : "", text);
    head.scope = "col";
    if (isWinner) head.append(" ", element("span", "total", "wins"));
    return head;
  }),
);
byId("rounds").append(...match.rounds.map(rowOf));
choose(...wantedInAddress());
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#round=")) choose(...wantedInAddress());
});
document.documentElement.dataset.ready = "";

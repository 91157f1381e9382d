// The chances over a round: a line for each player, and where those of one have fallen most.

import { svgElement } from "./cards.js";
import { byId, element } from "./dom.js";
import { story, viewer } from "./replay.js";
import { Refusal, request } from "./server.js";

const WIDTH = 1000; // of the drawing
const HEIGHT = 100;

class Chances {
  // moves: those that were chosen among several; gained: by seat, what the round brought; points: whether they are worth points.
  constructor({ moves, gained, points }) {
    this.format = points ? (value) => value.toFixed(1) : (value) => `${Math.round(100 * value)} %`;
    this.lines = gained.map((end, seat) => [
      ...moves.filter(({ player }) => player === seat + 1).flatMap((move) => [{ at: move.at, value: move.best }, { at: move.at + 1, value: move.share, move }]),
      { at: story.length, value: end },
    ]);
    const all = this.lines.flat().map(({ value }) => value);
    this.low = points ? Math.min(0, ...all) : 0;
    this.high = points ? Math.max(0, ...all) : 1;
    byId("chances-top").textContent = this.format(this.high);
    byId("chances-bottom").textContent = this.format(this.low);
    byId("chances-of").replaceChildren(...this.lines.map((_, seat) => this.name(seat)));
    byId("chances-lines").addEventListener("click", (event) => this.go(event));
    byId("fall-show").addEventListener("click", () => viewer.controls.to(this.fall[1].at));
    const moved = viewer.moved;
    viewer.moved = (at) => { moved(at); this.mark(at); };
    byId("chances").hidden = false;
    this.choose((story.data.seat ?? 1) - 1);
  }

  name(seat) {
    const button = element("button", "action", story.player(seat));
    button.type = "button";
    button.addEventListener("click", () => this.choose(seat));
    return button;
  }

  // Mark the line of a seat, and the largest fall of it.
  choose(seat) {
    [...byId("chances-of").children].forEach((button, place) => button.setAttribute("aria-pressed", String(place === seat)));
    const line = this.lines[seat];
    const falls = line.slice(1).map((point, place) => [line[place], point]);
    this.fall = falls.reduce((most, fall) => (drop(fall) > drop(most) ? fall : most), [line[0], line[0]]);
    const drawn = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `Chances of ${story.player(seat)}` });
    const others = this.lines.filter((_, place) => place !== seat);
    const even = this.low < 0 ? 0 : (this.low + this.high) / 2;
    this.now = svgElement("path", { class: "now" });
    drawn.append(this.path([{ at: 0, value: even }, { at: story.length, value: even }], "even"), ...others.map((each) => this.path(each, "")));
    drawn.append(this.path(line, "chosen"), this.path(this.fall, "fall"), this.now);
    byId("chances-lines").replaceChildren(drawn);
    byId("fall").replaceChildren(...viewer.words.rich(this.told(story.player(seat))));
    byId("fall-show").hidden = drop(this.fall) === 0;
    this.mark(viewer.controls.at);
  }

  path(line, kind) {
    const places = line.map(({ at, value }) => `${left(at)} ${(HEIGHT * (this.high - value)) / (this.high - this.low || 1)}`);
    return svgElement("path", { d: `M${places.join("L")}`, class: kind });
  }

  told(name) {
    const [before, after] = this.fall;
    if (drop(this.fall) === 0) return `The chances of ${name} never fell.`;
    const fell = `The chances of ${name} fell most, from ${this.format(before.value)} to ${this.format(after.value)},`;
    if (after.move) return `${fell} by the move of event ${after.at}; better: ${after.move.better}.`;
    return `${fell} between events ${before.at} and ${after.at}: by the cards, and by what the others did.`;
  }

  // Show the event that is shown elsewhere.
  mark(at) {
    this.now.setAttribute("d", `M${left(at)} 0V${HEIGHT}`);
  }

  go(event) {
    const box = byId("chances-lines").getBoundingClientRect();
    viewer.controls.to(Math.round(((event.clientX - box.left) / box.width) * story.length));
  }
}

// The place of an event in the drawing.
function left(at) {
  return (WIDTH * at) / story.length;
}

function drop([before, after]) {
  return before.value - after.value;
}

request("chances").then((found) => found.moves.length && new Chances(found)).catch((error) => {
  if (!(error instanceof Refusal)) throw error; // no search, or the next round is dealt: the replay does without
});

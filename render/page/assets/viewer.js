// The viewer of a story: the machine, the table, the log and the controls show the same event.

import { Controls } from "./controls.js";
import { Diagram } from "./diagram.js";
import { byId } from "./dom.js";
import { Log } from "./log.js";
import { Table } from "./table.js";
import { Words } from "./words.js";

const QUIET = 3; // events a second from which on sentences are not announced to screen readers
const ADDRESS_INTERVAL = 250; // milliseconds between two changes of the address
let writing = 0;

// What follows the address of the page, by which it leads to the event that is shown.
export function writeAddress(place) {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", place), ADDRESS_INTERVAL);
}

export class Viewer {
  // on: requests more events at the end of the story; moved: called with every event that is shown.
  constructor({ on = null, moved = () => {} } = {}) {
    this.moved = moved;
    this.story = null;
    this.controls = new Controls({ go: (at, playing) => this.show(at, playing), length: () => this.story?.length ?? 0, on });
  }

  open(story, at) {
    for (const part of [this.table, this.diagram, this.log]) part?.remove();
    this.controls.pause();
    this.story = story;
    const { title, heading } = story.data;
    byId("title").textContent = title;
    byId("heading").textContent = heading;
    for (const id of ["game", "now"]) byId(id).hidden = false;
    this.table = new Table(story);
    this.diagram = new Diagram(story, (arc) => this.jump(arc));
    this.words = new Words(story.data, this.table.cards);
    this.log = new Log(story, this.words, (place) => this.controls.to(place));
    this.diagram.count();
    this.show(Math.min(Math.max(at, 0), story.length));
  }

  // The story has more or fewer events: update the parts, and go to an event.
  refresh(at, playing) {
    this.log.grow();
    this.diagram.count();
    this.show(at, playing);
  }

  show(at, playing = false) {
    const on = at === this.controls.at + 1;
    this.table.show(at, on);
    this.diagram.show(at, on, playing ? this.controls.speed : 1);
    this.log.show(at);
    this.controls.show(at);
    const ended = this.story.outcome && at === this.story.length;
    byId("outcome").textContent = ended ? this.story.named(this.story.outcome.text) : "";
    byId("outcome").hidden = !ended;
    const sentence = byId("sentence");
    sentence.setAttribute("aria-live", playing && this.controls.speed > QUIET ? "off" : "polite");
    sentence.replaceChildren(...this.words.rich(this.story.sentence(at)));
    this.moved(at);
  }

  // Go to the next event that fires an arc; after the last one to the first.
  jump(arc) {
    const { steps } = this.story;
    const after = steps.findIndex((step, place) => step.arc === arc && place >= this.controls.at);
    const found = after >= 0 ? after : steps.findIndex((step) => step.arc === arc);
    if (found >= 0) this.controls.to(found + 1);
  }
}

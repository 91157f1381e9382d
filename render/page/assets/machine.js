// The machine of a game that is played: its phase, the arcs that are enabled, and events fired by clicking their arcs.

import { Diagram } from "./diagram.js";
import { byId, element } from "./dom.js";
import { notesOf, trickNote } from "./notes.js";
import { Zoom } from "./zoom.js";

export class Machine {
  // fire: called with the moves that an arc offers; refuse: called with the reason why an arc offers none.
  constructor(words, { fire, refuse }) {
    Object.assign(this, { words, fire, refuse });
    this.view = null;
    this.diagram = null;
  }

  // The drawing is laid out when it is first seen.
  get drawing() {
    if (!this.diagram) {
      this.diagram = new Diagram({ data: this.words.data }, (arc) => this.choose(arc));
      new Zoom(byId("diagram"));
    }
    return this.diagram;
  }

  show(view, entry, animated) {
    const { drawing, words: { data } } = this;
    this.view = view;
    drawing.mark(data.phases.findIndex(({ title }) => title === view.phase), entry?.arc ?? null, animated, 1);
    byId("machine-open").replaceChildren(...this.open(view), ...notesOf(this.words, view));
    const states = new Map(view.arcs.map((each) => [each.arc, each]));
    drawing.arcs.forEach((group, arc) => this.arc(group, arc, states.get(arc)));
  }

  // What lies open: the trick, or the open card.
  open({ trick, open_card: card }) {
    if (trick.length) return [trickNote(this.words, trick)];
    if (!card || this.words.data.words.cleared) return [];
    const open = element("li", "", `open ${this.words.data.words.card} `);
    open.append(this.words.faceOf(card));
    return [open];
  }

  arc(group, arc, state) {
    const { trigger, guards, source, dest } = this.words.data.arcs[arc];
    const { phases } = this.words.data;
    const isOffered = Boolean(state?.moves.length && this.view.question);
    group.classList.toggle("offered", isOffered);
    group.classList.toggle("enabled", state?.enabled === true);
    group.classList.toggle("unknown", state?.enabled === null);
    const what = !state ? "does not leave this phase" : isOffered ? "can be fired" : state.enabled ? "enabled" : state.enabled === null ? "hidden" : "not enabled";
    group.setAttribute("aria-label", `${phases[source].title}, ${trigger}${guards ? ` [${guards}]` : ""}, to ${phases[dest].title}: ${what}`);
  }

  choose(arc) {
    const state = this.view?.arcs.find((each) => each.arc === arc);
    const moves = (this.view?.question?.moves ?? []).filter((_, place) => state?.moves.includes(place));
    if (moves.length) this.fire(moves);
    else this.refuse(this.reason(arc, state));
  }

  reason(arc, state) {
    const { trigger, guards, source } = this.words.data.arcs[arc];
    const event = this.words.event(trigger);
    if (!state) return `${event}: this transition leaves the phase ${this.words.data.phases[source].title}, the phase is ${this.view.phase}`;
    if (state.enabled) return `${event}: ${this.view.who || "not now"}`;
    if (state.enabled === null) return `${event}: whether this transition is enabled depends on what is hidden from you`;
    return `${event}: this transition is not enabled${guards ? `, its guards are ${guards}` : ""}`;
  }
}

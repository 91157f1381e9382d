// The machine: the active phase and the arc fired last are highlighted, and a token moves along the arc.

import { svgElement } from "./cards.js";
import { byId, element, still } from "./dom.js";

const TRAVEL = 650;
const drawings = new Map(); // of the machines, by the names of their games; the page shows one of them

export class Diagram {
  // jump: called with the number of the arc that was clicked.
  constructor(story, jump) {
    this.story = story;
    this.jump = jump;
    for (const drawing of byId("diagram").querySelectorAll(".drawing")) drawings.set(drawing.dataset.game, drawing);
    const drawing = drawings.get(story.data.game) ?? drawingOf(story.data);
    drawing.hidden = false;
    byId("diagram").replaceChildren(drawing);
    this.root = drawing.querySelector("svg");
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", `Phases and transitions of ${story.data.title}`);
    this.phases = story.data.phases.map((phase) => this.root.getElementById(phase.name));
    this.arcs = story.data.arcs.map((_, number) => this.root.getElementById(`a_arc-${number}`));
    this.token = svgElement("circle", { r: 6, class: "token", visibility: "hidden" });
    this.root.querySelector(".graph").append(this.token);
    this.phases.forEach((group, number) => this.phase(group, number));
    this.listeners = new AbortController();
    this.arcs.forEach((group, number) => this.arc(group, number));
    this.moving = 0;
    this.focused = 0;
  }

  remove() {
    this.listeners.abort();
    cancelAnimationFrame(this.moving);
    this.clear();
    this.token.remove();
  }

  phase(group, number) {
    const { title, control } = this.story.data.phases[number];
    group.setAttribute("role", "img");
    group.setAttribute("aria-label", `Phase ${title}: ${control}`);
    tooltip(group, `${title}: ${control}`);
  }

  arc(group, number) {
    const { signal } = this.listeners;
    const { trigger, guards, description } = this.story.data.arcs[number];
    group.classList.add("arc");
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", number ? "-1" : "0");
    if (!group.querySelector("rect")) {
      const box = group.getBBox();
      group.prepend(svgElement("rect", { x: box.x - 3, y: box.y - 1.5, width: box.width + 6, height: box.height + 3, rx: 3 }));
    }
    tooltip(group, `${trigger}${guards ? ` [${guards}]` : ""}: ${description}`);
    group.addEventListener("click", () => this.jump(number), { signal });
    group.addEventListener("focus", () => this.focus(number), { signal });
    group.addEventListener("keydown", (event) => this.key(event, number), { signal });
  }

  key(event, number) {
    const last = this.arcs.length - 1;
    const next = { ArrowDown: Math.min(number + 1, last), ArrowUp: Math.max(number - 1, 0) }[event.key];
    if (next !== undefined) {
      this.arcs[next].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.jump(number);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // One arc at a time can be reached with the Tab key.
  focus(number) {
    this.arcs[this.focused].setAttribute("tabindex", "-1");
    this.arcs[number].setAttribute("tabindex", "0");
    this.focused = number;
    byId("arc").replaceChildren(...this.arcText(number));
  }

  show(at, animated, speed) {
    this.mark(this.story.frames[at].phase, this.story.step(at)?.arc ?? null, animated, speed);
  }

  // Highlight a phase, and the arc that led there: their numbers; null for no arc.
  mark(phase, arc, animated, speed) {
    this.clear();
    this.phases[phase].classList.add("active");
    byId("phase").textContent = this.story.data.phases[phase].title;
    byId("arc").replaceChildren(...(arc === null ? [this.story.data.phases[phase].control] : this.arcText(arc)));
    if (arc !== null) {
      const halves = this.halves(arc);
      for (const part of [this.arcs[arc], ...halves]) part?.classList.add("fired");
      this.source(arc).classList.add("source");
      if (animated && !still.matches) this.travel(arc, halves, speed);
    }
    this.reveal(this.phases[phase]);
  }

  clear() {
    cancelAnimationFrame(this.moving);
    this.token.setAttribute("visibility", "hidden");
    for (const part of this.root.querySelectorAll(".active, .fired, .source")) part.classList.remove("active", "fired", "source");
  }

  source(number) {
    return this.phases[this.story.data.arcs[number].source];
  }

  halves(number) {
    const { source, dest } = this.story.data.arcs[number];
    const name = `${this.story.data.phases[source].name}-${this.story.data.phases[dest].name}`;
    return [this.root.getElementById(`${name}-out`), this.root.getElementById(`${name}-in`)];
  }

  // The text of an arc: source, event, guards, effects, destination.
  arcText(number) {
    const { trigger, source, dest, guards, effects } = this.story.data.arcs[number];
    const phases = this.story.data.phases;
    const parts = [element("span", "", `${phases[source].title} `), element("b", "", trigger)];
    if (guards) parts.push(element("span", "", ` [${guards}]`));
    if (effects) parts.push(element("span", "quiet", ` / ${effects}`));
    parts.push(element("span", "", ` → ${phases[dest].title}`));
    return parts;
  }

  // How often each arc was fired in the game so far, for screen readers.
  count() {
    const times = this.arcs.map(() => 0);
    for (const step of this.story.steps) times[step.arc] += 1;
    const { arcs, phases } = this.story.data;
    this.arcs.forEach((group, number) => {
      const { trigger, guards, source, dest } = arcs[number];
      const often = times[number] ? `${times[number]} ${times[number] > 1 ? "events" : "event"}` : "not in this game";
      group.classList.toggle("never", !times[number]);
      group.setAttribute("aria-label", `${phases[source].title}, ${trigger}${guards ? ` [${guards}]` : ""}, to ${phases[dest].title}: ${often}`);
    });
  }

  travel(number, halves, speed) {
    const { source, dest } = this.story.data.arcs[number];
    const path = [...points(halves[0], center(this.phases[source]), true), ...points(halves[1], center(this.phases[dest]), false)];
    const lengths = [0];
    for (let place = 1; place < path.length; place += 1) {
      lengths.push(lengths[place - 1] + Math.hypot(path[place].x - path[place - 1].x, path[place].y - path[place - 1].y));
    }
    const begin = performance.now();
    const duration = TRAVEL / Math.max(1, speed);
    this.token.setAttribute("visibility", "visible");
    const frame = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / duration));
      const length = lengths.at(-1) * (1 - (1 - part) ** 2);
      const place = Math.max(1, lengths.findIndex((each) => each >= length));
      const share = (length - lengths[place - 1]) / (lengths[place] - lengths[place - 1] || 1);
      this.token.setAttribute("cx", path[place - 1].x + share * (path[place].x - path[place - 1].x));
      this.token.setAttribute("cy", path[place - 1].y + share * (path[place].y - path[place - 1].y));
      if (part < 1) this.moving = requestAnimationFrame(frame);
      else this.token.setAttribute("visibility", "hidden");
    };
    this.moving = requestAnimationFrame(frame);
  }

  // Scroll to the active phase where the drawing is larger than its window.
  reveal(phase) {
    const view = byId("diagram");
    if (view.scrollWidth <= view.clientWidth + 1 && view.scrollHeight <= view.clientHeight + 1) return;
    const box = phase.getBoundingClientRect();
    const visible = view.getBoundingClientRect();
    const left = view.scrollLeft + box.left + box.width / 2 - visible.left - visible.width / 2;
    const top = view.scrollTop + box.top + box.height / 2 - visible.top - visible.height / 2;
    view.scrollTo({ left, top, behavior: still.matches ? "auto" : "smooth" });
  }
}

function center(group) {
  const box = group.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// Points along half an edge, from the source phase or to the destination.
function points(half, phase, leaving) {
  const path = half.querySelector("path");
  const length = path.getTotalLength();
  const found = [];
  for (let place = 0; place <= 16; place += 1) found.push(path.getPointAtLength((length * place) / 16));
  const far = (point) => Math.hypot(point.x - phase.x, point.y - phase.y);
  const startsThere = far(found[0]) < far(found.at(-1));
  return startsThere === leaving ? found : found.reverse();
}

// The drawing of a game with house rules, which comes with the game.
function drawingOf({ game, drawing }) {
  const made = element("div", "drawing");
  made.dataset.game = game;
  made.append(document.adoptNode(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement));
  drawings.set(game, made);
  return made;
}

function tooltip(group, text) {
  let title = group.querySelector("title");
  if (!title) {
    title = svgElement("title");
    group.prepend(title);
  }
  title.textContent = text;
}

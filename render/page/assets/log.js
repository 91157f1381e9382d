// The log: a line for each event, with its rule; a click goes there.

import { byId, element } from "./dom.js";

const MARGIN = 24;
const WINDOW = 400; // entries in the page at first; more are added on scrolling
const MORE = 150;
const NEAR = 300; // pixels from an end of the list at which more are added

export class Log {
  // words: write texts with the faces of cards.
  constructor(story, words, go) {
    this.story = story;
    this.words = words;
    this.go = go;
    this.list = byId("log");
    this.list.replaceChildren();
    this.current = null;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.list.addEventListener("click", (event) => {
      const entry = event.target.closest("button");
      if (entry) this.go(Number(entry.dataset.at));
    }, { signal });
    this.list.addEventListener("keydown", (event) => this.key(event), { signal });
    this.list.addEventListener("scroll", () => this.extend(), { signal, passive: true });
    this.first = 0;
    this.grow();
  }

  remove() {
    this.listeners.abort();
  }

  get end() {
    return this.first + this.list.children.length;
  }

  button(at) {
    return this.list.children[at - this.first]?.firstElementChild;
  }

  // Add entries for new events, and remove those of events that were undone.
  grow() {
    while (this.end > this.story.length + 1) this.list.lastElementChild.remove();
    this.list.append(this.entries(this.end, Math.min(this.story.length + 1, this.first + WINDOW)));
    byId("count").textContent = this.story.length === 1 ? "1 event" : `${this.story.length} events`;
  }

  // Add entries before the first or after the last one when these become visible.
  extend() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    if (scrollTop + clientHeight > scrollHeight - NEAR && this.end <= this.story.length) {
      this.list.append(this.entries(this.end, Math.min(this.end + MORE, this.story.length + 1)));
    }
    if (scrollTop < NEAR && this.first > 0) {
      const from = Math.max(this.first - MORE, 0);
      this.list.prepend(this.entries(from, this.first));
      this.first = from;
      this.list.scrollTop = scrollTop + this.list.scrollHeight - scrollHeight;
    }
  }

  // Replace all entries by those around an event that has none.
  around(at) {
    this.first = Math.max(at - WINDOW / 2, 0);
    this.list.replaceChildren(this.entries(this.first, Math.min(this.first + WINDOW, this.story.length + 1)));
  }

  entries(from, to) {
    const fresh = document.createDocumentFragment();
    for (let at = from; at < to; at += 1) fresh.append(this.entry(at));
    return fresh;
  }

  entry(at) {
    const step = this.story.step(at);
    const button = element("button", "entry");
    button.type = "button";
    button.dataset.at = at;
    button.tabIndex = -1;
    button.append(element("span", "number", `${at}`));
    const words = element("span", "words");
    if (step) {
      const arc = this.story.arc(step);
      words.append(this.part("what", step.what ? `${step.what}.` : arc.description));
      if (step.why) words.append(this.part("why", step.why));
      if (step.what) words.append(element("span", "description", arc.description));
      button.append(words, element("span", "event", arc.trigger));
    } else {
      words.append(element("span", "what", this.story.sentence(0)));
      button.append(words);
    }
    const line = element("li");
    line.setAttribute("aria-posinset", at + 1);
    line.setAttribute("aria-setsize", this.story.length + 1);
    line.append(button);
    return line;
  }

  part(kind, text) {
    const part = element("span", kind);
    part.append(...this.words.rich(text));
    return part;
  }

  show(at) {
    if (!this.button(at)) this.around(at);
    const button = this.button(at);
    if (this.current && this.current !== button) {
      this.current.removeAttribute("aria-current");
      this.current.tabIndex = -1;
    }
    button.setAttribute("aria-current", "step");
    button.tabIndex = 0;
    this.current = button;
    const line = button.parentElement;
    const { scrollTop, clientHeight } = this.list;
    if (line.offsetTop < scrollTop + MARGIN || line.offsetTop + line.offsetHeight > scrollTop + clientHeight - MARGIN) {
      this.list.scrollTop = line.offsetTop - clientHeight / 2;
    }
  }

  key(event) {
    const at = Number(event.target.dataset.at);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const place = Math.min(Math.max(next, 0), this.story.length);
    this.go(place);
    this.button(place).focus({ preventScroll: true });
  }
}

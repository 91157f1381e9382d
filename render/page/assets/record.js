// What has happened: the whole log, the last events on the table, and announcements for screen readers.

import { byId, element } from "./dom.js";

const RECENT = 2;
const LOGGED = 1000; // entries that stay
const KEPT_ENDS = ["end_round", "end_match"];
const ANNOUNCED = 6; // announcements that stay in the page

export class Record {
  constructor(words) {
    this.words = words;
    this.entries = [];
  }

  clear() {
    this.entries = [];
    byId("log-entries").replaceChildren();
    this.recent();
  }

  // Add an entry. What was taken back holds no longer; of the rounds before, how they have ended is kept.
  add(entry) {
    if (entry.event === "undo") this.remove(({ number }) => number > entry.since);
    if (entry.event === "begin") this.remove(({ event }) => !KEPT_ENDS.includes(event));
    this.entries.push(entry);
    const [first] = this.entries;
    if (this.entries.length > LOGGED) this.remove((each) => each === first);
    if (!entry.text) return;
    const list = byId("log-entries");
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
    list.append(this.line(entry));
    if (isNear) list.scrollTop = list.scrollHeight;
    this.recent();
  }

  remove(gone) {
    const removed = new Set(this.entries.filter(gone).map(({ number }) => `${number}`));
    this.entries = this.entries.filter((entry) => !gone(entry));
    for (const line of [...byId("log-entries").children]) {
      if (removed.has(line.dataset.number)) line.remove();
    }
  }

  line(entry) {
    const line = element("li", `line by-${entry.by ?? "table"}`);
    line.dataset.number = entry.number;
    line.append(...this.words.rich(entry.text));
    return line;
  }

  recent() {
    const last = this.entries.filter(({ text }) => text).slice(-RECENT);
    for (const list of document.querySelectorAll(".recent")) list.replaceChildren(...last.map((entry) => this.line(entry)));
  }

  // Let screen readers say a text.
  announce(text) {
    const list = byId("announcements");
    list.append(element("p", "", this.words.plain(text)));
    while (list.childElementCount > ANNOUNCED) list.firstElementChild.remove();
  }
}

// What has happened: the whole log, the last events on the table, and announcements for screen readers.

import { byId, element } from "./dom.js";

const RECENT = 2;
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

  // Add an entry. What was taken back holds no longer.
  add(entry) {
    if (entry.event === "undo") this.remove(entry.since);
    this.entries.push(entry);
    if (!entry.text) return;
    const list = byId("log-entries");
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
    list.append(this.line(entry));
    if (isNear) list.scrollTop = list.scrollHeight;
    this.recent();
  }

  remove(since) {
    this.entries = this.entries.filter(({ number }) => number <= since);
    for (const line of [...byId("log-entries").children]) {
      if (Number(line.dataset.number) > since) line.remove();
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
    byId("recent").replaceChildren(...last.map((entry) => this.line(entry)));
  }

  // Let screen readers say a text.
  announce(text) {
    const list = byId("announcements");
    list.append(element("p", "", this.words.plain(text)));
    while (list.childElementCount > ANNOUNCED) list.firstElementChild.remove();
  }
}

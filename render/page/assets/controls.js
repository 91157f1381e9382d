// The controls: forward and back, play, speed, slider and keys.

import { byId } from "./dom.js";

export class Controls {
  // go: shows an event; length: the number of events; on: requests more at the end (a promise of whether there are more).
  constructor({ go, length, on }) {
    Object.assign(this, { go, length, on });
    this.at = 0;
    this.timer = 0;
    byId("first").addEventListener("click", () => this.to(0));
    byId("back").addEventListener("click", () => this.to(this.at - 1));
    byId("forward").addEventListener("click", () => this.forward());
    byId("last").addEventListener("click", () => this.to(this.length()));
    byId("play").addEventListener("click", () => this.toggle());
    byId("slider").addEventListener("input", () => this.to(Number(byId("slider").value)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get speed() {
    return Number(byId("speed").value);
  }

  get playing() {
    return this.timer !== 0;
  }

  // Go to an event and stop playing.
  to(at) {
    this.pause();
    this.go(Math.min(Math.max(at, 0), this.length()));
  }

  async forward() {
    if (this.at < this.length() || !this.on) this.to(this.at + 1);
    else await this.on(1);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.at >= this.length() && !this.on) this.go(0);
    this.mark(true);
    this.timer = setTimeout(() => this.tick(), 150);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.mark(false);
  }

  async tick() {
    const begin = performance.now();
    const wait = 1000 / this.speed;
    if (this.at < this.length()) {
      this.go(this.at + 1, true);
    } else if (!this.on || !(await this.on(Math.ceil(this.speed / 2)))) {
      this.pause();
      return;
    }
    const used = performance.now() - begin;
    if (this.playing) this.timer = setTimeout(() => this.tick(), Math.max(0, wait - used));
  }

  mark(playing) {
    const button = byId("play");
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.title = playing ? "Pause (space)" : "Play (space)";
  }

  show(at) {
    this.at = at;
    const most = this.length();
    const slider = byId("slider");
    slider.max = most;
    slider.value = at;
    byId("place").textContent = `${at} / ${most}`;
    slider.setAttribute("aria-valuetext", `event ${at} of ${most}`);
    const off = { first: at === 0, back: at === 0, last: at === most, forward: at === most && !this.on };
    for (const [id, value] of Object.entries(off)) byId(id).setAttribute("aria-disabled", value);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (target.closest?.("input:not(#slider), textarea, select, [contenteditable]")) return;
    const act = {
      ArrowRight: () => this.forward(),
      ArrowLeft: () => this.to(this.at - 1),
      Home: () => this.to(0),
      End: () => this.to(this.length()),
      " ": target.closest?.("button, summary, a, [role=button]") ? null : () => this.toggle(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

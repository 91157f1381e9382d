// The page of games that are played: every event is fired at the server, and what it answers is shown.

import { Moves } from "./moves.js";
import { Setup } from "./setup.js";
import { Story } from "./story.js";
import { Viewer } from "./viewer.js";
import { ask, end } from "./server.js";
import { byId } from "./table.js";

const STORED = "maumau game";
const OUTDATED = 409;

class Play {
  constructor() {
    this.id = null;
    this.now = null;
    this.busy = false;
    this.viewer = new Viewer({ on: (count) => this.step(count), moved: (at) => this.moved(at) });
    this.moves = new Moves((move) => this.change("events", move));
    this.setup = new Setup(JSON.parse(byId("data").textContent).games, (asked) => this.begin(asked));
    byId("undo").addEventListener("click", () => this.undo(1));
    byId("choose").addEventListener("click", () => this.step(1));
    byId("from-here").addEventListener("click", () => this.undo(this.story.length - this.viewer.controls.at));
    byId("to-end").addEventListener("click", () => this.viewer.controls.to(this.story.length));
    byId("copy").addEventListener("click", () => this.copy());
    addEventListener("hashchange", () => this.follow(location.hash));
    this.start();
  }

  get story() {
    return this.viewer.story;
  }

  // The position in the address, else the game of this window, if the server still has it.
  async start() {
    const wanted = inAddress(location.hash);
    const kept = await this.kept();
    if (kept && (!wanted || wanted.position === kept.now.position)) this.open(kept);
    else await this.begin(wanted ?? this.setup.asked(), true);
    document.documentElement.dataset.ready = "";
  }

  async follow(hash) {
    const wanted = inAddress(hash);
    if (wanted && wanted.position !== this.now?.position) await this.begin(wanted);
  }

  async begin(asked, keepForm = false) {
    const told = await this.tried(() => ask("games", asked));
    if (told && this.id) end(this.id);
    if (told) this.open(told);
    if (told && !keepForm) byId("setup").open = false;
  }

  open({ id, story, now }) {
    this.id = id;
    sessionStorage.setItem(STORED, id);
    const opened = new Story({ ...this.setup.setting(story.game), ...story });
    opened.outcome = now.outcome;
    this.now = now;
    document.title = `${opened.data.title}: ${story.heading}`;
    this.setup.fill(story.game);
    this.viewer.open(opened, opened.length);
    this.stand(now);
  }

  // Ask for a change of the game, and show it; whether there was one.
  async change(what, asked) {
    if (this.busy || !this.id) return false;
    this.busy = true;
    const told = await this.tried(() => ask(`games/${this.id}/${what}`, { version: this.now.version, ...asked }));
    this.busy = false;
    if (!told) return false;
    const { story } = this;
    const at = story.length;
    if (what === "undo") story.cut(at - asked.count);
    story.words.push(...told.words);
    story.append(told.steps);
    story.outcome = told.now.outcome;
    this.now = told.now;
    this.viewer.refresh(what === "undo" ? story.length : at + 1, this.viewer.controls.playing);
    this.stand(told.now);
    return true;
  }

  async step(count) {
    if (!this.story || this.story.outcome) return false;
    return this.change("steps", { count: Math.max(1, count) });
  }

  async undo(count) {
    this.viewer.controls.pause();
    await this.change("undo", { count });
  }

  // Show what may be done now, and put the position into the address.
  stand(now) {
    this.moves.show(now, this.story, this.viewer.table.cards);
    this.moves.place(this.viewer.controls.at, this.story);
    const { game, rules } = this.story.data;
    const address = new URLSearchParams({ game, ...(rules && { rules }), position: now.position });
    history.replaceState(null, "", `#${address}`);
    byId("copied").textContent = "";
  }

  moved(at) {
    if (this.now) this.moves.place(at, this.story);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("copied").textContent = "Copied.";
    } catch {
      byId("position").select();
      byId("copied").textContent = "Select the position and copy it.";
    }
  }

  // What `act` gives; nothing if the server refuses, which is told.
  async tried(act) {
    byId("error").textContent = "";
    try {
      return await act();
    } catch (error) {
      this.viewer.controls.pause();
      byId("error").textContent = error.message;
      if (error.status === OUTDATED) await this.reopen();
      return null;
    }
  }

  // Show the game as the server has it, which another window has changed.
  async reopen() {
    try {
      this.open(await ask(`games/${this.id}`));
    } catch (error) {
      byId("error").textContent = error.message;
    }
  }

  // The game that this window has shown before, if the server still has it.
  async kept() {
    const id = sessionStorage.getItem(STORED);
    try {
      return id ? await ask(`games/${encodeURIComponent(id)}`) : null;
    } catch {
      sessionStorage.removeItem(STORED);
      return null;
    }
  }
}

function inAddress(hash) {
  const address = new URLSearchParams(hash.slice(1));
  const position = address.get("position");
  return position ? { game: address.get("game") ?? undefined, rules: address.get("rules") ?? undefined, position } : null;
}

new Play();

// The live page: every event is fired on the server, and the page shows the response.

import { Moves } from "./moves.js";
import { Setup } from "./setup.js";
import { Story } from "./story.js";
import { Viewer } from "./viewer.js";
import { end, request } from "./server.js";
import { byId } from "./dom.js";

const STORED = "maumau game";
const OUTDATED = 409;

class Play {
  constructor() {
    this.id = null;
    this.state = null;
    this.busy = false;
    this.viewer = new Viewer({ on: (count) => this.step(count), moved: (at) => this.moved(at) });
    this.moves = new Moves((move) => this.change("events", move));
    this.setup = new Setup(JSON.parse(byId("data").textContent).games, (fields) => this.begin(fields));
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
    const stored = await this.storedGame();
    if (stored && (!wanted || wanted.position === stored.state.position)) this.open(stored);
    else await this.begin(wanted ?? this.setup.fields(), true);
    document.documentElement.dataset.ready = "";
  }

  async follow(hash) {
    const wanted = inAddress(hash);
    if (wanted && wanted.position !== this.state?.position) await this.begin(wanted);
  }

  async begin(fields, formOpen = false) {
    const response = await this.attempt(() => request("games", fields));
    if (response && this.id) end(this.id);
    if (response) this.open(response);
    if (response && !formOpen) byId("setup").open = false;
  }

  open({ id, story, state }) {
    this.id = id;
    sessionStorage.setItem(STORED, id);
    const opened = new Story({ ...this.setup.gameData(story.game), ...story });
    opened.outcome = state.outcome;
    this.state = state;
    document.title = `${opened.data.title}: ${story.heading}`;
    this.setup.fill(story.game);
    this.viewer.open(opened, opened.length);
    this.showState(state);
  }

  // Request a change of the game and show it. Returns whether there was one.
  async change(what, fields) {
    if (this.busy || !this.id) return false;
    this.busy = true;
    const response = await this.attempt(() => request(`games/${this.id}/${what}`, { version: this.state.version, ...fields }));
    this.busy = false;
    if (!response) return false;
    const { story } = this;
    const at = story.length;
    if (what === "undo") story.cut(at - fields.count);
    story.sentences.push(...response.sentences);
    story.append(response.steps);
    story.outcome = response.state.outcome;
    this.state = response.state;
    this.viewer.refresh(what === "undo" ? story.length : at + 1, this.viewer.controls.playing);
    this.showState(response.state);
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

  // Show the legal moves, and put the position into the address.
  showState(state) {
    this.moves.show(state, this.story, this.viewer.table.cards);
    this.moves.place(this.viewer.controls.at, this.story);
    const { game, rules } = this.story.data;
    const address = new URLSearchParams({ game, ...(rules && { rules }), position: state.position });
    history.replaceState(null, "", `#${address}`);
    byId("copied").textContent = "";
  }

  moved(at) {
    if (this.state) this.moves.place(at, this.story);
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

  // The result of `action`; null if the server refuses, with its message on the page.
  async attempt(action) {
    byId("error").textContent = "";
    try {
      return await action();
    } catch (error) {
      this.viewer.controls.pause();
      byId("error").textContent = error.message;
      if (error.status === OUTDATED) await this.reopen();
      return null;
    }
  }

  // Show the game in the state of the server: another window has changed it.
  async reopen() {
    try {
      this.open(await request(`games/${this.id}`));
    } catch (error) {
      byId("error").textContent = error.message;
    }
  }

  // The last game of this window, if the server still has it.
  async storedGame() {
    const id = sessionStorage.getItem(STORED);
    try {
      return id ? await request(`games/${encodeURIComponent(id)}`) : null;
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

// The connection to a table: pushes as they come, and again by itself after it was lost.

import { Refusal, request } from "./server.js";

const SILENCE = 35_000; // milliseconds without a push or a heartbeat after which the connection counts as lost
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
const GONE = 404;

export class Stream {
  // address: of the seat; push: called with each push; state: called with "open", "lost", or "gone" with a message.
  constructor(address, { push, state }) {
    Object.assign(this, { address, push, state });
    this.since = "";
    this.wait = FIRST_WAIT;
    this.source = null;
    this.timers = [];
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.lost());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    this.open();
  }

  open() {
    this.close();
    this.source = new EventSource(`${this.address}/events?since=${this.since}`);
    this.source.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.source.addEventListener("beat", () => this.heard(null));
    this.source.addEventListener("error", () => this.lost());
    this.listen();
  }

  close() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.source?.close();
    this.source = null;
  }

  heard(push) {
    this.wait = FIRST_WAIT;
    this.listen();
    this.state("open");
    if (!push) return;
    if (push.view) this.since = `${push.room.table}.${push.view.seat ?? 0}.${push.view.version}`;
    this.push(push);
  }

  // Wait for the next sign of life.
  listen() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [setTimeout(() => this.lost(), SILENCE)];
  }

  async lost() {
    this.close();
    this.state("lost");
    if (await this.isGone()) return;
    this.timers.push(setTimeout(() => this.open(), this.wait));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // Whether the server says that there is no such table.
  async isGone() {
    try {
      await request(`${this.address}/state?since=${this.since}`);
    } catch (error) {
      if (error instanceof Refusal && error.status === GONE) {
        this.state("gone", error.message);
        return true;
      }
    }
    return false;
  }
}

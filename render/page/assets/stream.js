// The connection to a table: pushes as they come, and answers to requests; open again by itself after it was lost.

import { GONE, Refusal, SILENT, request } from "./server.js";

const BEAT = 15_000; // milliseconds from one heartbeat of the server to the next
const SILENCE = 35_000; // without anything after which the connection counts as lost
const ASKED = BEAT + 5_000; // the same while an answer is waited for
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

export class Stream {
  // address: of the seat; push: called with each push; said: with what somebody says; state: with "open", "lost", or
  // "gone" and a message.
  constructor(address, { push, said, state }) {
    Object.assign(this, { address, push, said, state });
    this.since = "";
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.asked = null; // the request that is not answered yet
    this.last = 0; // when something was heard
    this.timers = [];
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.lost());
    addEventListener("pagehide", () => this.close());
    document.addEventListener("visibilitychange", () => this.seen());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    this.open();
  }

  open() {
    this.close();
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}${this.address}/socket?since=${this.since}`);
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.heard(JSON.parse(data)));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
    this.socket = socket;
    this.listen();
  }

  close() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.socket?.close();
    this.socket = null;
    this.asked?.reject(new Refusal(0, SILENT));
    this.asked = null;
  }

  // Ask for something, one at a time. Returns the answer; throws the refusal.
  request(what, fields) {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) throw new Refusal(0, SILENT);
      this.asked = { resolve, reject };
      this.socket.send(JSON.stringify({ do: what, fields }));
      this.listen(ASKED);
    });
  }

  heard(message) {
    this.wait = FIRST_WAIT;
    this.last = Date.now();
    this.listen();
    this.state("open");
    const { answer, error, status, room, view, said } = message;
    if (said) {
      this.said(said);
    } else if (room) {
      if (view) this.since = `${room.table}.${view.seat ?? 0}.${view.version}`;
      this.push(message);
    } else if (answer || error) {
      if (answer) this.asked?.resolve(answer);
      else this.asked?.reject(new Refusal(status, error));
      this.asked = null;
    }
  }

  // Wait for the next sign of life.
  listen(silence = SILENCE) {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [setTimeout(() => this.lost(), silence)];
  }

  // The page is looked at again, maybe after the device has slept, which may have lost the connection without notice.
  seen() {
    if (!document.hidden && this.socket && Date.now() - this.last > BEAT + 1_000) this.open();
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

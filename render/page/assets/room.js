// The room: who is there, what is played, the link for others, and the way in.

import { svgElement } from "./cards.js";
import { byId, capital, element, pause } from "./dom.js";
import { Refusal, request } from "./server.js";

export const NAME = "maumau name";
const LINK_WAIT = 2000; // milliseconds that a table waits for its link
const KEPT = "maumau room "; // with the code: the token of this browser, and when it was used last
export const ROOT = location.pathname.replace(/room\/.*$/, "");

export function codeHere() {
  return location.pathname.split("/room/")[1]?.split("/")[0] ?? "";
}

export function keep(code, token) {
  localStorage.setItem(KEPT + code, `${token} ${Date.now()}`);
}

export function forget(code) {
  localStorage.removeItem(KEPT + code);
}

export function tokenHere() {
  return localStorage.getItem(KEPT + codeHere())?.split(" ")[0];
}

// The rooms of which this browser has a token, the latest first.
export function keptRooms() {
  const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(KEPT));
  const rooms = kept.map(([key, value]) => [key.slice(KEPT.length), ...value.split(" ")]);
  return rooms.map(([code, token, used = 0]) => ({ code, token, used })).sort((one, other) => other.used - one.used);
}

// The token of this browser: kept, in the address, or of who comes in now.
export async function entered() {
  const token = location.hash.slice(1) || tokenHere();
  if (!token) return comeIn();
  keep(codeHere(), token);
  if (location.hash) history.replaceState(null, "", location.pathname);
  return token;
}

// Ask for a name, or for the code of another device.
function comeIn() {
  byId("name").value = localStorage.getItem(NAME) ?? "";
  byId("join").addEventListener("cancel", (event) => event.preventDefault());
  byId("join").showModal();
  document.documentElement.dataset.ready = "";
  return new Promise((resolve) => {
    const join = async (fields) => {
      byId("join-error").textContent = "";
      try {
        const { code, token } = await request(`${ROOT}rooms/${codeHere()}`, fields);
        keep(code, token);
        byId("join").close();
        resolve(token);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        byId("join-error").textContent = `${capital(error.message)}.`;
      }
    };
    const named = (plays) => {
      const name = byId("name").value.trim();
      if (name) localStorage.setItem(NAME, name);
      return join({ name, plays });
    };
    byId("join-form").addEventListener("submit", (event) => { event.preventDefault(); named(true); });
    byId("join-watch").addEventListener("click", () => named(false));
    byId("moved-form").addEventListener("submit", (event) => { event.preventDefault(); join({ moved: byId("moved").value }); });
  });
}

export class Room {
  // change: sends what is wanted.
  constructor(words, change) {
    this.words = words;
    this.change = change;
    this.room = null;
    byId("ready").addEventListener("click", () => change("ready"));
    byId("deal").addEventListener("click", () => change("deal"));
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
  }

  get me() {
    return this.room.people.find(({ number }) => number === this.room.me);
  }

  // What others do is shown, and what I may do. view: of the table; null where there is none yet.
  async show(room, view) {
    if (room.code !== codeHere()) {
      keep(room.code, tokenHere());
      forget(codeHere());
      history.replaceState(null, "", `${ROOT}room/${room.code}`);
      this.linked = null;
    }
    this.room = room;
    const invited = this.invite();
    const waits = !view || view.state !== "playing";
    if (waits) await Promise.race([invited, pause(LINK_WAIT)]); // no button moves under a finger when the link comes
    const isNext = Boolean(view);
    const isMatch = room.between && Boolean(view?.match); // one is over, and another one can begin
    const { me } = this;
    const wanted = room.people.filter((each) => each.plays && !each.away && each.here && (room.between || each.seat !== null));
    const late = wanted.filter(({ ready }) => !ready);
    byId("gathering").hidden = !waits;
    byId("helps").hidden = !view || me.seat === null;
    byId("invite").hidden = isNext;
    byId("people").hidden = room.people.length === 1 && isNext;
    for (const list of document.querySelectorAll(".people")) list.replaceChildren(...room.people.map((each) => this.person(each, waits)));
    byId("plan").textContent = isMatch || (room.between && room.plan.game !== view?.game) ? planText(room.plan, isNext) : "";
    byId("evening").textContent = waits ? eveningText(room.evening, this.words.data.words.card) : "";
    byId("waiting").textContent = me.ready && late.length ? `Waiting for ${names(late)}.` : "";
    byId("ready").hidden = !me.plays || me.ready || (!room.between && me.seat === null);
    byId("ready").textContent = late.length > 1 || !me.plays ? "Ready" : isMatch ? "New match" : view ? "Go on" : "Deal";
    byId("deal").hidden = !me.rules || !late.some(({ number }) => number !== room.me);
    byId("replay").hidden = !isNext || view.hands.includes(null);
    byId("replay").href = `${ROOT}tables/${tokenHere()}/replay`;
    byId("other-game").hidden = !me.rules || !room.between;
    byId("other-game").href = `${ROOT}room/${room.code}/game`;
  }

  person({ name, plays, away, here, ready, seat, number, rules, won }, waits) {
    const state = away ? "away" : !here ? "not here" : !plays ? "watches" : waits ? (ready ? "ready" : "") : seat === null ? "plays next" : "";
    const item = element("li", `person${ready && waits ? " is-ready" : ""}${number === this.room.me ? " own" : ""}`);
    item.append(element("b", "", name));
    if (won) item.append(element("span", "quiet", `${won} won`));
    if (state) item.append(element("span", "state", state));
    if (this.me.rules && !rules) {
      const remove = element("button", "remove", "×");
      remove.type = "button";
      remove.setAttribute("aria-label", `Remove ${name}`);
      remove.addEventListener("click", () => this.remove(remove, number, name));
      item.append(remove);
    }
    return item;
  }

  // Removing takes two taps.
  remove(button, number, name) {
    if (button.dataset.sure) this.change("remove", { number });
    button.dataset.sure = "yes";
    button.textContent = `Remove ${name}?`;
  }

  // The link for others, and its picture.
  async invite() {
    const { code } = this.room;
    if (this.linked === code) return;
    this.linked = code;
    const { link, qr, here } = await request(`${ROOT}room/${code}/link`).catch(() => ({ link: location.href, qr: null }));
    for (const field of document.querySelectorAll(".address")) field.value = link;
    for (const hint of document.querySelectorAll(".only-here")) hint.hidden = !here;
    for (const place of document.querySelectorAll(".qr")) place.replaceChildren(...(qr ? [picture(qr)] : []));
  }
}

function picture({ size, path }) {
  const drawn = svgElement("svg", { viewBox: `-3 -3 ${size + 6} ${size + 6}`, role: "img", "aria-label": "QR code of the link" });
  drawn.append(svgElement("rect", { x: -3, y: -3, width: size + 6, height: size + 6, class: "qr-light" }), svgElement("path", { d: path, class: "qr-dark" }));
  return drawn;
}

async function copy(button) {
  const field = button.parentElement.querySelector(".address");
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    field.select();
    button.textContent = "Select and copy it";
  }
}

function names(people) {
  const found = people.map(({ name }) => name);
  return found.length < 2 ? found.join("") : `${found.slice(0, -1).join(", ")} and ${found.at(-1)}`;
}

// What was the most in the rounds that are over.
function eveningText({ rounds, longest, largest, holder, drawn, drawer }, card) {
  if (rounds < 2) return "";
  const most = drawer ? `; ${drawer} drew most, ${drawn} ${card}s` : "";
  return `${rounds} rounds, the longest of ${longest} turns; the largest hand had ${largest} ${card}s, ${holder}'s${most}.`;
}

function planText({ title, players, target }, isNext) {
  return `${isNext ? "Next: " : ""}${title}, ${players} players${target ? `, to ${target} points` : ""}`;
}

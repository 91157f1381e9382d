// The menu of a table: its links, the pace, leaving and coming back, another table.

import { byId, element } from "./dom.js";
import { request } from "./server.js";

export const OPENED = "maumau opened";
const PACE = "maumau pace";

export class TableMenu {
  // change: called with "leave" or "come-back".
  constructor(address, words, change) {
    this.words = words;
    this.address = address;
    this.root = address.replace(/tables\/[^/]*$/, "");
    this.opened = opened(address);
    byId("menu-button").addEventListener("click", () => byId("menu").showModal());
    byId("menu-close").addEventListener("click", () => byId("menu").close());
    byId("menu").addEventListener("click", (event) => event.target === byId("menu") && byId("menu").close());
    byId("leave").addEventListener("click", () => change(byId("leave").dataset.what) && byId("menu").close());
    byId("play-again").addEventListener("click", () => this.again());
    byId("pace").value = localStorage.getItem(PACE) ?? byId("pace").value;
    byId("pace").addEventListener("change", () => localStorage.setItem(PACE, byId("pace").value));
    for (const id of ["lobby", "other-table"]) byId(id).href = `${this.root}play`;
    byId("step").href = this.root;
    byId("links").replaceChildren(...links(this.opened, this.root));
    byId("links-part").hidden = !this.opened;
  }

  // Milliseconds for an event.
  get pace() {
    return Number(byId("pace").value);
  }

  show(view) {
    const seat = view.seat === null ? null : view.seats[view.seat - 1];
    byId("leave").hidden = !seat;
    byId("leave").dataset.what = seat?.absent ? "come-back" : "leave";
    byId("leave").textContent = seat?.absent ? "Come back to the table" : "Leave the table for a while";
  }

  // Open another table like this one, if this window has opened it.
  async again() {
    if (!this.opened) {
      location.href = `${this.root}play`;
      return;
    }
    const links = await request(`${this.root}tables`, this.opened.asked);
    keep(this.opened.asked, links);
    const place = this.opened.links.seats.findIndex((path) => path && this.address.endsWith(path));
    location.href = `${this.root}${links.seats[place] ?? links.watch}`;
  }
}

// Keep the links of a table that was opened here: asked: the request; links: the answer.
export function keep(asked, links) {
  const tables = JSON.parse(sessionStorage.getItem(OPENED) ?? "[]");
  sessionStorage.setItem(OPENED, JSON.stringify([...tables.slice(-9), { asked, links }]));
}

function opened(address) {
  const tables = JSON.parse(sessionStorage.getItem(OPENED) ?? "[]");
  return tables.find(({ links }) => [...links.seats, links.watch].some((path) => path && address.endsWith(path))) ?? null;
}

// Lines with the links of the seats and for watching, each with a button that copies it.
export function links(table, root) {
  if (!table) return [];
  const seats = table.links.seats.map((path, place) => path && link(table.asked.seats[place].person, path, root));
  return [...seats.filter(Boolean), link("To watch", table.links.watch, root)];
}

function link(name, path, root) {
  const line = element("li", "link");
  const address = new URL(`${root}${path}`, location.href).href;
  const open = element("a", "", name);
  open.href = address;
  const copy = element("button", "action", "Copy the link");
  copy.type = "button";
  copy.setAttribute("aria-label", `Copy the link: ${name}`);
  const field = element("input", "address");
  field.type = "text";
  field.readOnly = true;
  field.value = address;
  field.setAttribute("aria-label", `Link: ${name}`);
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "Copied";
    } catch {
      field.select();
      copy.textContent = "Select and copy it";
    }
  });
  line.append(open, field, copy);
  return line;
}

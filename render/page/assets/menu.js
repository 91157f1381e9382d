// The menu of a room: the pace, going and coming back, another device, the end of a game.

import { byId } from "./dom.js";
import { offerLooks } from "./looks.js";
import { ROOT } from "./room.js";

const PACE = "maumau pace";

export class Menu {
  // change: sends what is wanted.
  constructor(change) {
    byId("menu-button").addEventListener("click", () => byId("menu").showModal());
    for (const id of ["menu-close", "menu"]) byId(id).addEventListener("click", (event) => event.target === byId(id) && byId("menu").close());
    for (const id of ["leave", "play", "end"]) byId(id).addEventListener("click", () => this.act(id, change));
    byId("move").addEventListener("click", async () => {
      const moving = await change("move");
      if (moving) byId("move-code").textContent = `On the other device, open the link of this room and give the code ${moving.code}. It holds for ten minutes.`;
    });
    byId("pace").value = localStorage.getItem(PACE) ?? byId("pace").value;
    byId("pace").addEventListener("change", () => localStorage.setItem(PACE, byId("pace").value));
    byId("emotes-allowed").addEventListener("change", () => change("emotes", { allowed: byId("emotes-allowed").checked }));
    byId("lobby").href = ROOT;
    offerLooks();
  }

  act(id, change) {
    const { what, plays } = byId(id).dataset;
    change(what, plays ? { plays: plays === "true" } : {});
    byId("menu").close();
  }

  // Milliseconds for an event.
  get pace() {
    return Number(byId("pace").value);
  }

  // me: who I am in the room.
  show(room, me) {
    byId("leave").dataset.what = me.away ? "come-back" : "leave";
    byId("leave").textContent = me.away ? "Come back" : "Leave for a while";
    byId("play").dataset.plays = String(!me.plays);
    byId("play").textContent = me.plays ? "Give up the seat and watch" : "Take a seat";
    byId("allowing").hidden = !me.rules;
    byId("emotes-allowed").checked = room.emotes;
    byId("end").hidden = !me.rules || room.between;
  }
}

// What people at the table say to each other: one of six things, as a bubble beside a seat for a moment.

import { svgElement } from "./cards.js";
import { byId, element } from "./dom.js";

const TEXTS = {
  hello: "Hello!",
  "well-played": "Well played!",
  wow: "Wow!",
  oops: "Oops!",
  hurry: "Your turn!",
  thanks: "Thanks!",
};
// Eyes and mouth of the face of each, in a box of 24 by 24.
const FACES = {
  hello: "M8.5 9V10.5M15.5 9V10.5M7.5 14Q12 18.5 16.5 14",
  "well-played": "M7 10.5Q8.5 8 10 10.5M14 10.5Q15.5 8 17 10.5M7.5 14H16.5Q12 20 7.5 14",
  wow: "M8.5 8.5V10M15.5 8.5V10M12 13.5A2.4 2.6 0 1 1 11.99 13.5Z",
  oops: "M7 9 10 10.5M17 9 14 10.5M7.5 16Q9 13.5 10.5 15.5T13.5 15.5 16.5 15",
  hurry: "M7 8.5 10 10M17 8.5 14 10M8.5 16H15.5",
  thanks: "M7 9.5Q8.5 11.5 10 9.5M14 9.5Q15.5 11.5 17 9.5M8 14Q12 17 16 14",
};
const HEARING = "maumau emotes";
const LASTING = 4000; // milliseconds that a bubble is seen

export class Emotes {
  // say: sends one of them. announce: called with what screen readers say.
  constructor(words, { say, announce }) {
    Object.assign(this, { words, announce });
    const dialog = byId("emotes");
    byId("talk").addEventListener("click", () => dialog.showModal());
    for (const id of ["emotes", "emotes-close"]) byId(id).addEventListener("click", (event) => event.target === byId(id) && dialog.close());
    byId("emotes-choices").append(...Object.entries(TEXTS).map(([emote, text]) => {
      const button = element("button", "action");
      button.type = "button";
      button.append(face(emote), text);
      button.addEventListener("click", () => {
        dialog.close();
        say(emote);
      });
      return button;
    }));
    byId("hearing").checked = localStorage.getItem(HEARING) !== "off";
    byId("hearing").addEventListener("change", () => localStorage.setItem(HEARING, byId("hearing").checked ? "on" : "off"));
  }

  show(room) {
    byId("talk").hidden = !room.emotes;
  }

  said({ seat, emote }) {
    if (!byId("hearing").checked || !TEXTS[emote]) return;
    this.bubble(seat, face(emote), TEXTS[emote]);
    this.announce(`${this.words.player(seat)}: ${TEXTS[emote]}`);
  }

  // Nothing is seen any more that was said where people sat before.
  clear() {
    byId("bubbles").replaceChildren();
  }

  // A bubble at a seat, which takes the place of the one before. said: texts and pictures.
  bubble(player, ...said) {
    const seat = document.querySelector(`#others [data-player="${player}"]`);
    const box = (seat ?? byId("plate")).getBoundingClientRect();
    byId("bubbles").querySelector(`[data-player="${player}"]`)?.remove();
    const bubble = element("span", "bubble");
    bubble.append(...said);
    bubble.dataset.player = player;
    byId("bubbles").append(bubble);
    const left = Math.min(box.left + 12, innerWidth - bubble.offsetWidth - 6);
    const top = seat ? box.bottom - 8 : box.top - bubble.offsetHeight - 4;
    Object.assign(bubble.style, { left: `${Math.max(left, 6)}px`, top: `${Math.max(top, 6)}px` });
    setTimeout(() => bubble.remove(), LASTING);
  }
}

function face(emote) {
  const drawn = [svgElement("circle", { cx: 12, cy: 12, r: 10.5 }), svgElement("path", { d: FACES[emote] })];
  return svgElement("svg", { class: "emote", viewBox: "0 0 24 24", "aria-hidden": "true" }, ...drawn);
}

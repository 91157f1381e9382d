// The page of a finished game: the page contains its story.

import { Story } from "./story.js";
import { Viewer } from "./viewer.js";
import { byId } from "./dom.js";

const ADDRESS_INTERVAL = 250; // milliseconds between two changes of the address

function stepInAddress() {
  return Number(/^#step=(\d{1,9})$/.exec(location.hash)?.[1] ?? 0);
}

let writing = 0;
export const story = new Story(JSON.parse(byId("data").textContent));
export const viewer = new Viewer({
  moved: (at) => {
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", `#step=${at}`), ADDRESS_INTERVAL);
  },
});
viewer.open(story, stepInAddress());
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#step=")) viewer.controls.to(stepInAddress());
});
document.documentElement.dataset.ready = "";

// The page of a game that was played: its story stands in the page.

import { Story } from "./story.js";
import { Viewer } from "./viewer.js";
import { byId } from "./table.js";

const KEPT = 250; // milliseconds in which the address is changed at most once

function stepInAddress() {
  return Number(/^#step=(\d{1,9})$/.exec(location.hash)?.[1] ?? 0);
}

let writing = 0;
const story = new Story(JSON.parse(byId("data").textContent));
const viewer = new Viewer({
  moved: (at) => {
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", `#step=${at}`), KEPT);
  },
});
viewer.open(story, stepInAddress());
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#step=")) viewer.controls.to(stepInAddress());
});
document.documentElement.dataset.ready = "";

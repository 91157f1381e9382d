// The page of a finished game: the page contains its story.

import { Story } from "./story.js";
import { Viewer, writeAddress } from "./viewer.js";
import { byId } from "./dom.js";

function stepInAddress() {
  return Number(/^#step=(\d{1,9})$/.exec(location.hash)?.[1] ?? 0);
}

export const story = new Story(JSON.parse(byId("data").textContent));
export const viewer = new Viewer({ moved: (at) => writeAddress(`#step=${at}`) });
viewer.open(story, stepInAddress());
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#step=")) viewer.controls.to(stepInAddress());
});
document.documentElement.dataset.ready = "";

// A drawing that is zoomed: with its buttons, with two fingers, and with the wheel of a mouse and the control key.

import { byId } from "./dom.js";

const READABLE = 640; // the width of a drawing whose texts can be read
const MOST = 6;
const STEP = 1.4;

export class Zoom {
  // view: the element that scrolls the drawing.
  constructor(view) {
    this.view = view;
    this.apart = 0;
    this.set(READABLE / view.clientWidth);
    byId("zoom-in").addEventListener("click", () => this.by(STEP));
    byId("zoom-out").addEventListener("click", () => this.by(1 / STEP));
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.by(event.deltaY < 0 ? STEP : 1 / STEP, event);
    }, { passive: false });
    view.addEventListener("touchmove", (event) => this.pinch(event), { passive: false });
    view.addEventListener("touchend", () => { this.apart = 0; });
  }

  set(zoom) {
    this.zoom = Math.min(Math.max(zoom, 1), MOST);
    this.view.style.setProperty("--zoom", this.zoom);
  }

  // Zoom by a factor; what is at a place of the window stays there.
  by(factor, place = null) {
    const { view, zoom } = this;
    const box = view.getBoundingClientRect();
    const [left, top] = place ? [place.clientX - box.left, place.clientY - box.top] : [box.width / 2, box.height / 2];
    this.set(zoom * factor);
    const ratio = this.zoom / zoom;
    view.scrollTo((view.scrollLeft + left) * ratio - left, (view.scrollTop + top) * ratio - top);
  }

  pinch(event) {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (this.apart) this.by(apart / this.apart, { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 });
    this.apart = apart;
  }
}

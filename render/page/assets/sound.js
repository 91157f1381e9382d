// Short sounds, made here, and a touch of vibration: my turn, a card that is laid, the end. A switch turns them off.

import { byId } from "./dom.js";

const SWITCH = "maumau sounds";
const TUNES = { turn: [660, 880], card: [220], win: [523, 659, 784, 1047], lose: [392, 330] }; // hertz, one tone after the other
const CALLS = ["turn", "win", "lose"]; // who looks at another page is called back
const TONE = 0.11; // seconds
const LOUDNESS = 0.08;
const VIBRATIONS = { turn: 80, win: [60, 60, 120] }; // milliseconds

export class Sounds {
  constructor() {
    this.context = null;
    byId("sounds").checked = localStorage.getItem(SWITCH) !== "off";
    byId("sounds").addEventListener("change", () => localStorage.setItem(SWITCH, byId("sounds").checked ? "on" : "off"));
    // browsers let a page make sounds only after somebody has touched it
    document.addEventListener("pointerdown", () => { this.context ??= globalThis.AudioContext ? new AudioContext() : null; }, { once: true });
  }

  // what: `turn`, `card`, `win` or `lose`.
  play(what) {
    if (!byId("sounds").checked || (document.hidden && !CALLS.includes(what))) return;
    if (VIBRATIONS[what] && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATIONS[what]);
    TUNES[what].forEach((pitch, place) => this.tone(pitch, place * TONE));
  }

  tone(pitch, after) {
    const { context } = this;
    if (context?.state !== "running") return;
    const begin = context.currentTime + after;
    const [voice, volume] = [context.createOscillator(), context.createGain()];
    voice.type = "triangle";
    voice.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE * 1.6);
    voice.connect(volume).connect(context.destination);
    voice.start(begin);
    voice.stop(begin + TONE * 1.6);
  }
}

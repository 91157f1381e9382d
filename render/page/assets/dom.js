// The parts of the document, found and made; whether they may move; texts.

export const still = matchMedia("(prefers-reduced-motion: reduce)");

export function byId(id) {
  return document.getElementById(id);
}

export function element(name, kind, text) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

// An element with a text that may be cut off with an ellipsis: the title holds all of it.
export function titled(name, kind, text) {
  const made = element(name, kind, text);
  made.title = text;
  return made;
}

// Replace what an element holds by what `make` returns, unless it was made for the same key.
export function fill(place, key, make) {
  const text = JSON.stringify(key);
  if (place.dataset.key === text) return;
  place.dataset.key = text;
  place.replaceChildren(...make());
}

// A name of the program in words: `Draw until fit`. title: of the game, whose words are written as there.
export function inWords(name, title = "") {
  const known = title.split(/\W+/);
  return capital(name.split(/[-:]/).map((word) => known.find((each) => each.toLowerCase() === word) ?? word).join(" "));
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function pause(milliseconds) {
  return new Promise((resume) => setTimeout(resume, milliseconds));
}

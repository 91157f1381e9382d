// The parts of the document: found, made, and whether they may move.

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

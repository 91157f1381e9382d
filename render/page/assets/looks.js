// How pages look in this browser: light or dark, the colours of suits, the size of text. It is kept here and sent nowhere.

import { element } from "./dom.js";

const LOOK = "maumau look ";
const LOOKS = [
  ["scheme", "Page", [["", "as the system is"], ["light", "light"], ["dark", "dark"]]],
  ["deck", "Suits", [["", "in four colours"], ["two", "in two colours"]]],
  ["text", "Text", [["", "normal"], ["large", "large"], ["largest", "largest"]]],
];

for (const [name, , choices] of LOOKS) {
  const kept = keptLook(name);
  if (choices.some(([value]) => value === kept)) look(name, kept);
}

// A choice for each of them, in the elements of the page that have the class `looks`.
export function offerLooks() {
  for (const place of document.querySelectorAll(".looks")) place.replaceChildren(...LOOKS.map(offered));
}

function offered([name, title, choices]) {
  const [label, list] = [element("label", "", `${title} `), element("select")];
  list.append(...choices.map(([value, text]) => new Option(text, value)));
  list.value = document.documentElement.dataset[name] ?? "";
  list.addEventListener("change", () => {
    look(name, list.value);
    localStorage.setItem(LOOK + name, list.value);
  });
  label.append(list);
  return label;
}

function look(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
}

function keptLook(name) {
  try {
    return localStorage.getItem(LOOK + name);
  } catch { // a page of a file, in some browsers
    return null;
  }
}

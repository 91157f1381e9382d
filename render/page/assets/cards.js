// Card faces: each is drawn once as a symbol and used wherever the card is shown.

const SVG = "http://www.w3.org/2000/svg";

// Suits in a box of 20 by 20, around the origin.
const SUIT_PATHS = {
  H: "M0 9C-4-1-9-1-9-5A4.6 4.6 0 0 1 0-6 4.6 4.6 0 0 1 9-5C9-1 4-1 0 9Z",
  D: "M0-10 7.5 0 0 10-7.5 0Z",
  S: "M0-10C3-5 9-3 9 2A4.4 4.4 0 0 1 1.2 4.6Q1.6 8 4 9.6H-4Q-1.6 8-1.2 4.6A4.4 4.4 0 0 1-9 2C-9-3-3-5 0-10Z",
  C: "M0-10A4.5 4.5 0 0 1 3.4-2.6 4.5 4.5 0 1 1 1.2 4Q1.6 8 4 9.6H-4Q-1.6 8-1.2 4A4.5 4.5 0 1 1-3.4-2.6 4.5 4.5 0 0 1 0-10Z",
};

// The positions of the pips of a rank in the inner field; those below the middle are turned upside down.
const PIPS = {
  A: [[25, 35]],
  2: [[25, 17], [25, 53]],
  3: [[25, 17], [25, 35], [25, 53]],
  4: [[16, 17], [34, 17], [16, 53], [34, 53]],
  5: [[16, 17], [34, 17], [25, 35], [16, 53], [34, 53]],
  6: [[16, 17], [34, 17], [16, 35], [34, 35], [16, 53], [34, 53]],
  7: [[16, 17], [34, 17], [25, 26], [16, 35], [34, 35], [16, 53], [34, 53]],
  8: [[16, 17], [34, 17], [25, 26], [16, 35], [34, 35], [25, 44], [16, 53], [34, 53]],
  9: [[16, 16], [34, 16], [16, 28.5], [34, 28.5], [25, 35], [16, 41.5], [34, 41.5], [16, 54], [34, 54]],
  10: [[16, 16], [34, 16], [25, 22], [16, 28.5], [34, 28.5], [16, 41.5], [34, 41.5], [25, 48], [16, 54], [34, 54]],
};

// The crowns of court cards.
const CROWNS = {
  K: "M15 25 13 13 19.5 18 25 10 30.5 18 37 13 35 25Z",
  Q: "M16 25 14 15 19 19 22 13 25 18 28 13 31 19 36 15 34 25Z",
  J: "M15 24Q17 14 27 14L36 10Q34 16 35 24Z",
};

export function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Cards {
  // where: the element that holds the symbols. prefix: of their names, if a page has the cards of several games.
  constructor(faces, where, prefix = "card") {
    this.faces = faces;
    this.prefix = prefix;
    this.store = svgElement("svg", { width: 0, height: 0, "aria-hidden": "true", class: "store" });
    this.made = new Map();
    where.append(this.store);
  }

  // The picture of a card by its name, or of the back of a card where no face has this name.
  picture(name) {
    const face = this.faces[name];
    const use = svgElement("use", { href: `#${this.symbol(name, face)}` });
    const picture = svgElement("svg", { class: "card", viewBox: "0 0 50 70" }, use);
    if (face) {
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", face.label);
      picture.append(svgElement("title"));
      picture.lastChild.textContent = face.label;
    } else {
      picture.setAttribute("aria-hidden", "true");
    }
    picture.dataset.card = face ? name : "";
    return picture;
  }

  // The same where the text around it says which card it is.
  plainPicture(name) {
    const picture = this.picture(name);
    picture.setAttribute("aria-hidden", "true");
    for (const attribute of ["role", "aria-label"]) picture.removeAttribute(attribute);
    return picture;
  }

  symbol(name, face) {
    const key = face ? name : "back";
    if (!this.made.has(key)) {
      const id = `${this.prefix}-${this.made.size}`;
      const drawn = face ? DRAWN[face.style](face) : back();
      this.store.append(svgElement("symbol", { id, viewBox: "0 0 50 70" }, ...drawn));
      this.made.set(key, id);
    }
    return this.made.get(key);
  }

  // A small mark of a suit or colour.
  mark(letter) {
    const path = SUIT_PATHS[letter];
    const drawn = this.faces[Object.keys(this.faces)[0]].style === "uno"
      ? svgElement("circle", { r: 8, class: `uno-${letter}` })
      : svgElement("path", { d: path ?? "", class: `suit-${letter}` });
    return svgElement("svg", { class: "mark", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, drawn);
  }
}

const DRAWN = { french: frenchFace, uno: unoFace, tile: tileFace, plain: plainFace };

function outline(kind) {
  return svgElement("rect", { x: 0.5, y: 0.5, width: 49, height: 69, rx: 5, class: `sheet ${kind}` });
}

function text(content, x, y, size, kind) {
  const element = svgElement("text", { x, y, "font-size": size, class: kind, "text-anchor": "middle" });
  element.textContent = content;
  return element;
}

// The same in the upper left corner and, rotated, in the lower right one.
function corners(make) {
  return [make(), svgElement("g", { transform: "rotate(180 25 35)" }, make())];
}

function pip(suit, x, y, size, turned = false) {
  const transform = `translate(${x} ${y}) scale(${turned ? -size : size})`;
  return svgElement("path", { d: SUIT_PATHS[suit], transform, class: `suit-${suit}` });
}

function frenchFace({ rank, suit }) {
  const index = () =>
    svgElement("g", {}, text(rank, 6.5, 12, rank.length > 1 ? 10.5 : 12, `index suit-${suit}`), pip(suit, 6.5, 18.5, 0.36));
  const court = CROWNS[rank];
  return [outline("white"), ...corners(index), ...(court ? courtFigure(rank, suit, court) : pips(rank, suit))];
}

function pips(rank, suit) {
  return PIPS[rank].map(([x, y]) => pip(suit, x, y, rank === "A" ? 1.35 : 0.54, y > 35));
}

function courtFigure(rank, suit, crown) {
  const frame = svgElement("rect", { x: 12, y: 7, width: 26, height: 56, rx: 2.5, class: `frame suit-${suit}` });
  const letter = text(rank, 25, 44.5, 25, `court suit-${suit}`);
  const half = () =>
    svgElement("g", { transform: "translate(25 17.2) scale(0.62) translate(-25 -17.2)" },
      svgElement("path", { d: crown, class: `crown suit-${suit}` }));
  return [frame, ...corners(half), letter];
}

const UNO_SIGNS = {
  S: () => [svgElement("circle", { cx: 25, cy: 35, r: 9.5, class: "stroke" }), svgElement("path", { d: "M18.5 41.5 31.5 28.5", class: "stroke" })],
  R: () => [
    svgElement("path", { d: "M16.5 36A8.5 8.5 0 0 1 31 29.2M31.5 23.5V30H25", class: "stroke" }),
    svgElement("path", { d: "M33.5 34A8.5 8.5 0 0 1 19 40.8M18.5 46.5V40H25", class: "stroke" }),
  ],
  D: () => [
    svgElement("rect", { x: 23, y: 24, width: 10, height: 14, rx: 1.6, class: "small" }),
    svgElement("rect", { x: 17, y: 31, width: 10, height: 14, rx: 1.6, class: "small" }),
  ],
};
const UNO_CORNERS = { S: "⊘", R: "⇄", D: "+2", WC: "", WF: "+4" };

function unoFace({ rank, suit }) {
  const colour = suit ? `uno-${suit}` : "uno-wild";
  const corner = UNO_CORNERS[rank] ?? rank;
  const index = () => text(corner, corner.length > 1 ? 9.5 : 8, 14, corner.length > 1 ? 9 : 11, "uno-index");
  const inner = svgElement("rect", { x: 3.5, y: 3.5, width: 43, height: 63, rx: 3.5, class: colour });
  const oval = svgElement("ellipse", { cx: 25, cy: 35, rx: 16.5, ry: 27, transform: "rotate(24 25 35)", class: suit ? "oval" : "oval dark" });
  const middle = suit ? UNO_SIGNS[rank]?.() ?? [text(rank, 25, 46, 31, "uno-number")] : wildSign(rank);
  return [outline("white"), inner, oval, svgElement("g", { class: `${colour} sign` }, ...middle), ...corners(index)];
}

function wildSign(rank) {
  if (rank === "WF") {
    return ["B", "G", "Y", "R"].map((suit, place) =>
      svgElement("rect", { x: 12.5 + 5 * place, y: 36 - 6.2 * place, width: 11, height: 16, rx: 1.8, class: `small uno-${suit}` }));
  }
  const quarters = { R: "M25 35V9A16.5 27 0 0 0 8.5 35Z", B: "M25 35V9A16.5 27 0 0 1 41.5 35Z", Y: "M25 35V61A16.5 27 0 0 1 8.5 35Z", G: "M25 35V61A16.5 27 0 0 0 41.5 35Z" };
  const turned = svgElement("g", { transform: "rotate(24 25 35) translate(2.5 3.5) scale(.9)" });
  for (const [suit, d] of Object.entries(quarters)) turned.append(svgElement("path", { d, class: `uno-${suit}` }));
  return [turned];
}

// The positions of the signs of a rank on a tile.
const SIGNS = {
  1: [[25, 38]],
  2: [[25, 24], [25, 52]],
  3: [[14, 22], [25, 38], [36, 54]],
  4: [[16, 25], [34, 25], [16, 51], [34, 51]],
  5: [[14, 23], [36, 23], [25, 38], [14, 53], [36, 53]],
  6: [[16, 20], [34, 20], [16, 38], [34, 38], [16, 56], [34, 56]],
  7: [[12, 16], [25, 21], [38, 26], [16, 41], [34, 41], [16, 57], [34, 57]],
  8: [[16, 17], [34, 17], [16, 31], [34, 31], [16, 45], [34, 45], [16, 59], [34, 59]],
  9: [[11, 20], [25, 20], [39, 20], [11, 38], [25, 38], [39, 38], [11, 56], [25, 56], [39, 56]],
};
const TILE_SIGNS = { D: dot, B: bamboo };

function tileFace({ rank, suit }) {
  const index = text(rank, 6, 11, 9.5, `tile-index tile-${suit}`);
  const sheet = [outline("white"), svgElement("rect", { x: 2.5, y: 2.5, width: 45, height: 65, rx: 3.5, class: "tile-edge" })];
  const sign = TILE_SIGNS[suit];
  if (!sign) return [...sheet, text(rank, 25, 34, 27, `tile-number tile-${suit}`), character(suit)];
  const size = rank === "1" ? 2.1 : rank > 6 ? 0.85 : 1;
  return [...sheet, index, ...SIGNS[rank].flatMap(([x, y]) => sign(x, y, size))];
}

function dot(x, y, size) {
  return [
    svgElement("circle", { cx: x, cy: y, r: 6.4 * size, class: "tile-D" }),
    svgElement("circle", { cx: x, cy: y, r: 3.9 * size, class: "tile-ring" }),
    svgElement("circle", { cx: x, cy: y, r: 1.5 * size, class: "tile-heart" }),
  ];
}

function bamboo(x, y, size) {
  const stick = svgElement("rect", { x: x - 2.3 * size, y: y - 6.6 * size, width: 4.6 * size, height: 13.2 * size, rx: 2.1 * size, class: "tile-B" });
  const knot = svgElement("rect", { x: x - 3.2 * size, y: y - 0.9 * size, width: 6.4 * size, height: 1.8 * size, rx: 0.9 * size, class: "tile-B" });
  return [stick, knot, svgElement("path", { d: `M${x} ${y - 5 * size}V${y + 5 * size}`, class: "tile-line" })];
}

// The sign for ten thousand: grass over a field that stands on two legs.
function character(suit) {
  const strokes = "M13 42H37M20 39V45M30 39V45M17 48H33V56H17ZM25 48V65M17 52H33M14 66V59H36V66";
  return svgElement("path", { d: strokes, class: `tile-sign tile-${suit}` });
}

function plainFace({ rank }) {
  return [outline("white"), text(rank, 25, 40, Math.min(20, 60 / rank.length), "index")];
}

function back() {
  const pattern = [];
  for (let y = 10; y <= 60; y += 5) {
    for (let x = 10 + (y % 10 ? 2.5 : 0); x <= 40; x += 5) pattern.push(`M${x} ${y - 1.6}l1.6 1.6-1.6 1.6-1.6-1.6z`);
  }
  return [
    outline("back"),
    svgElement("rect", { x: 4, y: 4, width: 42, height: 62, rx: 3, class: "back-inner" }),
    svgElement("path", { d: pattern.join(""), class: "back-pattern" }),
  ];
}

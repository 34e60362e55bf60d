/* Draws a scene: cards for the fighters, and the map. Text of a ledger becomes text, never markup. */

class Boards {
  constructor(data) {
    Object.assign(this, data);
    this.rewind();
  }

  rewind() {
    Object.assign(this, { at: -1, header: [], now: [], next: [], order: [], rows: new Map(), changed: new Map() });
    Object.assign(this, { ground: [], areas: [], links: [], bodies: [], places: [], steps: [] });
  }

  /* Afterwards `changed` holds for each card that the last step changed what it was before. */
  go(to) {
    if (to < this.at || (to === this.at && to > 0)) this.rewind();
    while (this.at < to) {
      const { h, t, o, r, g, p, s } = this.boards[++this.at];
      this.changed = new Map();
      this.steps = s || [];
      if (h) this.header = h;
      if (t) [this.now, this.next] = t;
      if (o) this.order = o;
      if (g) [this.ground, this.areas, this.links] = g;
      if (p) [this.bodies, this.places] = p;
      for (const [who, cells, bars, labels, word, side] of r || []) {
        if (this.rows.has(who)) this.changed.set(who, this.rows.get(who));
        this.rows.set(who, { cells, bars, labels, word, side });
      }
    }
  }

  cell(who, title) {
    return this.rows.get(who).cells[this.titles.indexOf(title)] || "";
  }

  side(who) {
    return this.sides.indexOf(this.rows.get(who).side);
  }
}

/* Sides differ by shape and by colour. */
const SHAPES = ["M12 1a11 11 0 1 0 .01 0z", "M2 2h20v20H2z", "M12 0L24 22H0z", "M12 0L24 12L12 24L0 12z", "M6 1h12l6 11l-6 11H6L0 12z"];

function drawn(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/* The shape of somebody's side with their sign, on a field of 24 units. */
function token(board, who) {
  const side = board.side(who);
  const letter = drawn("text", { x: 12, y: side % SHAPES.length === 2 ? 20 : 17.5 }, board.signs[who]);
  return [drawn("path", { d: SHAPES[side % SHAPES.length] }), letter];
}

const sideClass = (board, who) => `side-${board.side(who) % 6}`;

function badge(board, who) {
  return drawn("svg", { class: `badge ${sideClass(board, who)}`, viewBox: "-1 -1 26 26", "aria-hidden": "true" }, ...token(board, who));
}

function drawBar(board, who, bar, before) {
  const [name, now, most, kind] = bar;
  const cell = board.cell(who, name);
  const number = cell.includes("/") || !most ? cell : `${now}/${most}`;
  const share = (value) => `${100 * Math.min(Math.max(value / (most || Math.max(now, 1)), 0), 1)}%`;
  const left = most ? (kind === "taken" ? most - now : now) / most : 1;
  const grade = kind === "stock" ? "stock" : left > 0.5 ? "much" : left > 0.25 ? "some" : "little";
  const made = make("div", "", { class: `bar ${kind} ${grade}` });
  const track = make("div", "", { class: "track", role: "meter", "aria-label": `${name} of ${who}`, "aria-valuemin": 0,
    "aria-valuemax": Math.max(most, now, 0), "aria-valuenow": Math.max(now, 0), "aria-valuetext": number });
  const fill = make("div", "", { class: "fill" });
  fill.style.width = share(now);
  const old = before && before.bars.find(([one]) => one === name);
  if (old && old[1] !== now) {
    const moved = make("div", "", { class: "moved" });
    moved.style.left = share(Math.min(old[1], now));
    moved.style.width = `${Math.max(parseFloat(share(Math.max(old[1], now))) - parseFloat(share(Math.min(old[1], now))), 0)}%`;
    track.append(fill, moved);
  } else track.append(fill);
  made.append(make("span", name, { class: "name" }), track, make("span", number, { class: "number" }));
  return made;
}

function drawCard(board, who) {
  const { cells, bars, labels, word } = board.rows.get(who);
  const before = board.changed.get(who), down = board.cell(who, "down");
  const [now, next] = [board.now.includes(who), board.next.includes(who)];
  const card = make("li", "", { class: `card ${sideClass(board, who)}${down ? " fallen" : ""}${now && !down ? " acting" : ""}${before ? " touched" : ""}` });
  const head = make("div", "", { class: "head" });
  head.append(badge(board, who), make("h4", who));
  if (now && !down) head.append(make("span", "now", { class: "turn" }));
  else if (next && !down) head.append(make("span", "next", { class: "turn later" }));
  card.append(head);
  if (down) card.append(make("p", down === word ? down : word ? `${word}: ${down}` : down, { class: "word" }));
  else if (word) card.append(make("p", word, { class: "word" }));
  for (const bar of bars) card.append(drawBar(board, who, bar, before));
  if (labels.length) {
    const list = make("ul", "", { class: "labels" });
    list.append(...labels.map(([what, ends]) => {
      const label = make("li", what);
      if (ends) label.append(" ", make("span", ends, { class: "ends" }));
      return label;
    }));
    card.append(list);
  }
  const told = new Set(["side", "down", board.labels, ...bars.map(([name, now_, most]) => (
    board.cell(who, name).includes("/") || most ? name : ""))]);
  const facts = make("dl", "", { class: "facts" });
  board.titles.forEach((title, at) => {
    if (told.has(title) || !cells[at]) return;
    const pair = make("div", "", before && before.cells[at] !== cells[at] ? { class: "changed", title: `before: ${before.cells[at] || "nothing"}` } : {});
    pair.append(make("dt", title), " ", make("dd", cells[at]));
    facts.append(pair);
  });
  if (facts.children.length) card.append(facts);
  return card;
}

function drawCards(root, board) {
  root.replaceChildren(...board.sides.flatMap((side, nth) => {
    const members = board.order.filter((who) => board.rows.get(who).side === side);
    if (!members.length) return [];
    const group = make("section", "", { class: "group", "aria-label": side });
    const title = make("h3", "", { class: `side-${nth % 6}` });
    title.append(drawn("svg", { class: "badge", viewBox: "-1 -1 26 26", "aria-hidden": "true" }, drawn("path", { d: SHAPES[nth % SHAPES.length] })), make("span", side));
    const list = make("ul", "", { class: "cards" });
    list.append(...members.map((who) => drawCard(board, who)));
    group.append(title, list);
    return [group];
  }));
}

/* The map: squares, or areas with their links. */

const MOST_SQUARES = 60, SQUARE = 24;

function placed(board, who, x, y, size, more = {}) {
  const down = board.rows.has(who) && board.cell(who, "down");
  const group = drawn("g", { class: `token ${sideClass(board, who)}${down ? " fallen" : ""}${board.now.includes(who) ? " acting" : ""}`,
    transform: `translate(${x} ${y}) scale(${size / 24})` }, ...token(board, who));
  if (more.looks && !down) {
    const turn = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].indexOf(more.looks) * 45;
    group.prepend(drawn("path", { class: "looks", d: "M12 -4.5L17 1H7z", transform: `rotate(${turn} 12 12)` }));
  }
  if (more.height) group.append(drawn("text", { class: "height", x: 23, y: 6 }, `\u2191${more.height}`));
  if (down) group.append(drawn("path", { class: "cross", d: "M2 2L22 22M22 2L2 22" }));
  group.append(drawn("title", {}, `${who}${down ? `, ${down}` : ""}${more.height ? `, ${more.height} up` : ""}`));
  return group;
}

function drawSquares(board) {
  const shown = board.bodies.filter(([who]) => board.rows.has(who));
  const cells = [...shown.flatMap(([, x, y, wide, deep]) => [[x, y], [x + wide - 1, y + deep - 1]]), ...board.ground.flatMap(([, , squares]) => squares)];
  const [west, south] = [0, 1].map((axis) => cells.reduce((least, cell) => Math.min(least, cell[axis]), Infinity) - 1);
  const [east, north] = [0, 1].map((axis) => Math.min(cells.reduce((most, cell) => Math.max(most, cell[axis]), -Infinity) + 1, [west, south][axis] + MOST_SQUARES));
  const within = ([x, y]) => x <= east && y <= north;
  const [columns, rows] = [east - west + 1, north - south + 1];
  const at = (x, y) => [SQUARE * (x - west), SQUARE * (north - y)];
  const svg = drawn("svg", { viewBox: `-20 0 ${SQUARE * columns + 20} ${SQUARE * rows + 18}`, role: "img", class: "squares" });
  svg.style.maxWidth = `${Math.max(columns, 6) * 3.4}rem`;
  const lines = [];
  for (let x = 0; x <= columns; x++) lines.push(`M${x * SQUARE} 0V${rows * SQUARE}`);
  for (let y = 0; y <= rows; y++) lines.push(`M0 ${y * SQUARE}H${columns * SQUARE}`);
  for (const [nth, [, sign, squares]] of board.ground.entries()) {
    for (const [x, y] of squares.filter(within)) {
      const [left, top] = at(x, y);
      svg.append(drawn("rect", { class: `ground${sign === "#" ? " wall" : ""}`, x: left, y: top, width: SQUARE, height: SQUARE }),
        drawn("text", { class: "sign", x: left + 12, y: top + 17 }, sign));
    }
  }
  svg.append(drawn("path", { class: "grid", d: lines.join("") }));
  for (let x = west; x <= east; x++) if (x % 5 === 0) svg.append(drawn("text", { class: "ruler", x: at(x, 0)[0] + 12, y: SQUARE * rows + 14 }, `${x}`));
  for (let y = south; y <= north; y++) if (y % 5 === 0) svg.append(drawn("text", { class: "ruler", x: -10, y: at(0, y)[1] + 17 }, `${y}`));
  const down = (who) => (board.cell(who, "down") ? 0 : 1);
  let outside = 0;
  for (const [who, x, y, wide, deep, height, looks] of [...shown].sort((one, other) => down(one[0]) - down(other[0]))) {
    if (!within([x + wide - 1, y + deep - 1])) { outside += 1; continue; }
    const [left, top] = at(x, y + deep - 1);
    if (wide * deep > 1 && down(who)) svg.append(drawn("rect", { class: `body ${sideClass(board, who)}`, x: left, y: top, width: SQUARE * wide, height: SQUARE * deep }));
    const size = SQUARE * Math.min(wide, deep) - 5;
    svg.append(placed(board, who, left + (SQUARE * wide - size) / 2, top + (SQUARE * deep - size) / 2, size, { height, looks }));
  }
  const words = shown.map(([who, x, y, , , height]) => `${who} at ${x},${y}${height ? `, ${height} up` : ""}${down(who) ? "" : `, ${board.cell(who, "down")}`}`);
  const legend = board.ground.map(([name, sign]) => `${sign} ${name}`);
  if (outside) legend.push(`${outside} outside of this map`);
  return [svg, words, legend];
}

function drawAreas(board) {
  const { areas, links, places } = board, count = areas.length;
  const rows = Math.ceil(count / (count > 4 ? 3 : 2)), columns = Math.ceil(count / rows);
  const inside = areas.map((area) => places.filter(([who, where]) => where === area && board.rows.has(who)).map(([who]) => who));
  const deep = Math.max(1, ...inside.map((names) => Math.ceil(names.length / 4)));
  const [wide, high, gap] = [136, 34 + 32 * deep, 64];
  /* every second row is moved, so that no link runs behind a third area */
  const at = (nth) => [(nth % columns) * (wide + gap) + (Math.floor(nth / columns) % 2) * (columns > 1 ? 40 : 0), Math.floor(nth / columns) * (high + gap)];
  const svg = drawn("svg", { viewBox: `-4 -4 ${columns * (wide + gap) - gap + (columns > 1 && rows > 1 ? 40 : 0) + 8} ${rows * (high + gap) - gap + 8}`, role: "img", class: "areas" });
  const middle = (nth) => { const [x, y] = at(nth); return [x + wide / 2, y + high / 2]; };
  const notes = [];
  for (const [one, other, ways, oneway] of links) {
    const [from, to] = [areas.indexOf(one), areas.indexOf(other)];
    if (from < 0 || to < 0) continue;
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    svg.append(drawn("path", { class: `link${ways === "open" ? "" : " hard"}`, d: `M${x1} ${y1}L${x2} ${y2}` }));
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (oneway) {
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      notes.push(drawn("path", { class: "arrow", d: "M-6 -6L8 0L-6 6z", transform: `translate(${x} ${y}) rotate(${angle})` }));
    }
    if (ways !== "open") notes.push(drawn("text", { class: "ways", x, y: y + (oneway ? 18 : 4) }, ways));
  }
  svg.append(...notes);
  areas.forEach((area, nth) => {
    const [x, y] = at(nth);
    svg.append(drawn("rect", { class: "area", x, y, width: wide, height: high, rx: 8 }), drawn("text", { class: "area-name", x: x + 8, y: y + 18 }, area));
    inside[nth].forEach((who, place) => svg.append(placed(board, who, x + 6 + 32 * (place % 4), y + 28 + 32 * Math.floor(place / 4), 28)));
  });
  const words = places.filter(([who]) => board.rows.has(who)).map(([who, where]) => `${who} in ${where}${board.cell(who, "down") ? `, ${board.cell(who, "down")}` : ""}`);
  return [svg, words, links.map(([one, other, ways, oneway]) => `${one} ${oneway ? "\u2192" : "\u2013"} ${other}: ${ways}`)];
}

function drawMap(figure, board) {
  const squares = board.bodies.some(([who]) => board.rows.has(who));
  figure.hidden = !squares && !board.areas.length;
  if (figure.hidden) return figure.replaceChildren();
  const [svg, words, legend] = board.areas.length ? drawAreas(board) : drawSquares(board);
  svg.setAttribute("aria-label", `Map. ${words.join("; ")}.`);
  const caption = make("figcaption", "Map");
  const list = make("ul", "", { class: "legend" });
  list.append(...legend.map((line) => make("li", line)));
  return figure.replaceChildren(caption, svg, ...(legend.length ? [list] : []));
}

/* The board as a table, with what the last step changed. */

function drawTable(table, board) {
  table.tBodies[0].replaceChildren(...board.order.map((who) => {
    const row = document.createElement("tr");
    const name = make("th", "", { scope: "row" });
    name.append(make("div", who));
    row.append(name);
    const before = board.changed.get(who);
    board.rows.get(who).cells.forEach((text, at) => {
      const cell = document.createElement("td");
      cell.append(make("div", text));
      if (before && before.cells[at] !== text) {
        cell.className = "changed";
        cell.title = `before: ${before.cells[at] || "nothing"}`;
      }
      row.append(cell);
    });
    return row;
  }));
}

function drawScene(board) {
  the("above").replaceChildren(...board.header.map(([title, said]) => {
    const line = make("p", "", title ? { class: `said-${title.toLowerCase().replaceAll(" ", "-")}` } : {});
    if (title) line.append(make("span", `${title}: `, { class: "title" }));
    line.append(said);
    return line;
  }));
  drawCards(the("cards"), board);
  drawMap(the("map"), board);
  drawTable(the("table"), board);
}

/* Draws a scene: cards for the fighters, and the map. Text of a ledger becomes text, never markup. */

class Boards {
  /* The numbers of the entries, and for each what differs from the scene before. `labels` is the column whose cells
     stand as labels. */
  constructor({ entries = [], boards = [], labels = "" } = {}) {
    Object.assign(this, { entries, boards, labels });
    this.rewind();
  }

  rewind() {
    Object.assign(this, { at: -1, header: [], now: [], next: [], order: [], rows: new Map(), changed: new Map() });
    Object.assign(this, { titles: [], sides: [], signs: {} });
    Object.assign(this, { ground: [], areas: [], links: [], bodies: [], places: [], steps: [] });
  }

  /* Afterwards `changed` holds for each card that the last step changed what it was before. */
  go(to) {
    if (to < this.at || (to === this.at && to > 0)) this.rewind();
    while (this.at < to) {
      const { l, h, t, o, r, g, p, s } = this.boards[++this.at];
      this.changed = new Map();
      this.steps = s || [];
      if (l) Object.assign(this, l);
      if (h) this.header = h;
      if (t) [this.now, this.next] = t;
      if (o) this.order = o;
      for (const who of o ? [...this.rows.keys()] : []) if (!o.includes(who)) this.rows.delete(who);
      if (g) [this.ground, this.areas, this.links] = g;
      if (p) [this.bodies, this.places] = p;
      for (const [who, { c, b, l: labels, w, s: side }] of r || []) {
        const before = this.rows.get(who) || { cells: {}, bars: [], labels: [], word: "", side: "" };
        if (this.rows.has(who)) this.changed.set(who, before);
        this.rows.set(who, {
          cells: { ...before.cells, ...c }, bars: b || before.bars, labels: labels || before.labels,
          word: w ?? before.word, side: side ?? before.side,
        });
      }
    }
  }

  cell(who, title) {
    return this.rows.get(who).cells[title] || "";
  }

  side(who) {
    return this.sides.indexOf(this.rows.get(who).side);
  }
}

/* Sides differ by shape and by colour. */
const SHAPES = [
  "M12 1a11 11 0 1 0 .01 0z", "M2 2h20v20H2z", "M12 0L24 22H0z", "M12 0L24 12L12 24L0 12z", "M6 1h12l6 11l-6 11H6L0 12z",
];

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

function badge(className, ...inside) {
  return drawn("svg", { class: `badge ${className}`, viewBox: "-1 -1 26 26", "aria-hidden": "true" }, ...inside);
}

function drawBar(board, who, [name, now, most, kind], before) {
  const cell = board.cell(who, name), number = cell.includes("/") || !most ? cell : `${now}/${most}`;
  const share = (value) => 100 * Math.min(Math.max(value / (most || Math.max(now, 1)), 0), 1);
  const left = most ? (kind === "taken" ? most - now : now) / most : 1;
  const grade = kind === "stock" ? "stock" : left > 0.5 ? "much" : left > 0.25 ? "some" : "little";
  const track = make("div", "", {
    class: "track", role: "meter", "aria-label": `${name} of ${who}`, "aria-valuetext": number,
    "aria-valuemin": 0, "aria-valuemax": Math.max(most, now, 0), "aria-valuenow": Math.max(now, 0),
  });
  const fill = make("div", "", { class: "fill" });
  fill.style.width = `${share(now)}%`;
  track.append(fill);
  const old = before && before.bars.find(([one]) => one === name);
  if (old && old[1] !== now) {
    const moved = make("div", "", { class: "moved" });
    const [low, high] = [share(Math.min(old[1], now)), share(Math.max(old[1], now))];
    moved.style.left = `${low}%`;
    moved.style.width = `${high - low}%`;
    track.append(moved);
  }
  const made = make("div", "", { class: `bar ${kind} ${grade}` });
  made.append(make("span", name, { class: "name" }), track, make("span", number, { class: "number" }));
  return made;
}

function drawLabels(labels) {
  const list = make("ul", "", { class: "labels" });
  list.append(...labels.map(([what, ends]) => {
    const label = make("li", what);
    if (ends) label.append(" ", make("span", ends, { class: "ends" }));
    return label;
  }));
  return list;
}

/* The cells that stand nowhere else on a card. */
function drawFacts(board, who, before) {
  const { cells, bars } = board.rows.get(who);
  const barred = bars.filter(([name, , most]) => most || board.cell(who, name).includes("/")).map(([name]) => name);
  const told = new Set(["side", "down", board.labels, ...barred]);
  const facts = make("dl", "", { class: "facts" });
  board.titles.forEach((title) => {
    if (told.has(title) || !cells[title]) return;
    const changed = before && before.cells[title] !== cells[title];
    const pair = make("div", "", changed ? { class: "changed", title: `before: ${before.cells[title] || "nothing"}` } : {});
    pair.append(make("dt", title), " ", make("dd", cells[title]));
    facts.append(pair);
  });
  return facts;
}

function drawCard(board, who) {
  const { bars, labels, word } = board.rows.get(who);
  const before = board.changed.get(who), down = board.cell(who, "down");
  const acting = board.now.includes(who), next = board.next.includes(who);
  const marks = [["fallen", down], ["acting", acting], ["touched", before]].filter(([, is]) => is).map(([mark]) => mark);
  const card = make("li", "", { class: ["card", sideClass(board, who), ...marks].join(" ") });
  const head = make("div", "", { class: "head" });
  head.append(badge(sideClass(board, who), ...token(board, who)), make("h4", who));
  if (acting) head.append(make("span", "now", { class: "turn" }));
  else if (next) head.append(make("span", "next", { class: "turn later" }));
  card.append(head);
  const said = [...new Set([word, down])].filter(Boolean).join(": ");
  if (said) card.append(make("p", said, { class: "word" }));
  card.append(...bars.map((bar) => drawBar(board, who, bar, before)));
  if (labels.length) card.append(drawLabels(labels));
  const facts = drawFacts(board, who, before);
  if (facts.children.length) card.append(facts);
  return card;
}

function drawCards(root, board) {
  root.replaceChildren(...board.sides.flatMap((side, nth) => {
    const members = board.order.filter((who) => board.rows.get(who).side === side);
    if (!members.length) return [];
    const group = make("section", "", { class: "group", "aria-label": side });
    const title = make("h3", "", { class: `side-${nth % 6}` });
    title.append(badge("", drawn("path", { d: SHAPES[nth % SHAPES.length] })), make("span", side));
    const list = make("ul", "", { class: "cards" });
    list.append(...members.map((who) => drawCard(board, who)));
    group.append(title, list);
    return [group];
  }));
}

/* The board as a table, with what the last step changed. */

function drawTable(table, board) {
  const name = make("th", "", { scope: "col" });
  name.append(make("span", "Name", { class: "hidden" }));
  table.tHead.rows[0].replaceChildren(name, ...board.titles.map((title) => make("th", title, { scope: "col" })));
  table.tBodies[0].replaceChildren(...board.order.map((who) => {
    const row = document.createElement("tr");
    const name = make("th", "", { scope: "row" });
    name.append(make("div", who));
    row.append(name);
    const before = board.changed.get(who);
    board.titles.forEach((title) => {
      const cell = document.createElement("td"), text = board.cell(who, title), old = before && (before.cells[title] || "");
      cell.append(make("div", text));
      if (before && old !== text) {
        cell.className = "changed";
        cell.title = `before: ${old || "nothing"}`;
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

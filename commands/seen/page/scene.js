/* Draws a scene: cards for the fighters, and the map. Text of a ledger becomes text, never markup. */

class Boards {
  /* The numbers of the entries, and for each what differs from the scene before. `labels` is the column whose cells
     stand as labels. */
  constructor({ entries = [], boards = [], labels = "" } = {}) {
    Object.assign(this, { entries, boards, labels });
    this.rewind();
  }

  rewind() {
    Object.assign(this, { at: -1, header: [], now: [], next: [], done: [], turns: [], order: [], rows: new Map(), changed: new Map() });
    Object.assign(this, { titles: [], sides: [], signs: {} });
    Object.assign(this, { ground: [], areas: [], links: [], bodies: [], places: [] });
  }

  /* Afterwards `changed` holds for each card that the last step changed what it was before. */
  go(to) {
    if (to < this.at || (to === this.at && to > 0)) this.rewind();
    while (this.at < to) {
      const { l, h, t, u, o, r, g, p } = this.boards[++this.at];
      this.changed = new Map();
      if (l) Object.assign(this, l);
      if (h) this.header = h;
      if (t) [this.now, this.next, this.done] = t;
      if (u) this.turns = u;
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

  /* The arithmetic and the dice of an entry. */
  behind(entry) {
    const { s = [], d = [] } = this.boards[this.entries.indexOf(entry)] ?? {};
    return [s, d];
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

/* A bar is as long as what is left, and full when nobody is hurt. */
function drawBar(board, who, [name, now, most, left, grade], before) {
  const cell = board.cell(who, name), number = cell.includes("/") || !most ? cell : `${now}/${most}`;
  const share = (value) => 100 * (most ? Math.min(Math.max(value / most, 0), 1) : 1);
  const track = make("div", "", {
    class: "track", role: "meter", "aria-label": `${name} of ${who}`, "aria-valuetext": number,
    "aria-valuemin": 0, "aria-valuemax": Math.max(most, left, 0), "aria-valuenow": Math.max(left, 0),
  });
  const fill = make("div", "", { class: "fill" });
  fill.style.width = `${share(left)}%`;
  track.append(fill);
  const old = before && before.bars.find(([one]) => one === name);
  if (old && old[3] !== left) {
    const moved = make("div", "", { class: "moved" });
    const [low, high] = [share(Math.min(old[3], left)), share(Math.max(old[3], left))];
    moved.style.left = `${low}%`;
    moved.style.width = `${high - low}%`;
    track.append(moved);
  }
  const made = make("div", "", { class: `bar ${grade}` });
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
    pair.append(make("dt", title), /^\S{1,6}( |$)/.test(cells[title]) ? "\u00a0" : " ", make("dd", cells[title]));
    facts.append(pair, " ");
  });
  return facts;
}

/* Whether something came upon somebody: harm, healing, a condition, a fall. Turns, moves and gear only have a dot. */
function isTouched(board, who, before) {
  const told = ({ bars, labels, word, cells }) => JSON.stringify([bars, labels, word, cells.down || ""]);
  return Boolean(before) && told(before) !== told(board.rows.get(who));
}

function drawCard(board, who) {
  const { bars, labels, word } = board.rows.get(who);
  const before = board.changed.get(who), down = board.cell(who, "down"), acting = board.now.includes(who);
  const marks = [["fallen", down], ["acting", acting], ["touched", isTouched(board, who, before)]].filter(([, is]) => is).map(([mark]) => mark);
  const card = make("li", "", { class: ["card", sideClass(board, who), ...marks].join(" "), "data-card": who });
  const head = make("div", "", { class: "head" });
  head.append(badge(sideClass(board, who), ...token(board, who)), make("h4", who));
  const said = down || word;
  if (said) head.append(make("p", said, { class: "word" }));
  card.append(head, ...bars.map((bar) => drawBar(board, who, bar, before)));
  if (labels.length) card.append(drawLabels(labels));
  const facts = drawFacts(board, who, before);
  if (facts.children.length) card.append(facts);
  return card;
}

const phone = matchMedia("(max-width: 30rem)");
const MOST_CARDS = 8; /* of more on one side each is a line */

/* The cards of a side, the fallen last. Those of whom nothing but a word is known are lines, on a phone all others too. */
function drawSide(board, side, nth, members) {
  const down = (who) => Boolean(board.cell(who, "down"));
  const brief = members.length > MOST_CARDS || (nth && phone.matches) || members.every((who) => !board.rows.get(who).bars.length);
  const group = make("section", "", { class: brief ? "group brief" : "group", "aria-label": side });
  const title = make("h3", "", { class: `side-${nth % 6}` });
  title.append(badge("", drawn("path", { d: SHAPES[nth % SHAPES.length] })), make("span", side));
  group.append(title);
  const list = make("ul", "", { class: "cards" });
  list.append(...[...members.filter((who) => !down(who)), ...members.filter(down)].map((who) => drawCard(board, who)));
  group.append(list);
  return group;
}

/* The readers' side on one hand, all others on the other, the map between them. On a large screen there is room for six
   columns of cards beside the map. */
function drawCards(board) {
  const groups = board.sides.map((side, nth) => {
    const members = board.order.filter((who) => board.rows.get(who).side === side);
    return members.length ? [drawSide(board, side, nth, members)] : [];
  });
  the("ours").replaceChildren(...groups.slice(0, 1).flat());
  the("others").replaceChildren(...groups.slice(1).flat());
  const many = (id) => Math.max(2, Math.ceil(the(id).querySelectorAll(".group:not(.brief) .card").length / 2));
  for (const [id, other] of [["ours", "others"], ["others", "ours"]]) the("cards").style.setProperty(`--${id}`, Math.min(many(id), 6 - Math.min(many(other), 3)));
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

const MOST_NAMED = 6; /* of more who may act a phone has no names */

/* The order of turns: who had a turn, who has it, who is next, who is down. Without an order only those who may act. A
   group of which nobody is known has its name there. */
function drawTurns(list, board) {
  const onCard = (who) => board.rows.has(who), down = (who) => onCard(who) && Boolean(board.cell(who, "down"));
  const known = board.turns.length ? board.turns : board.now.filter(onCard);
  const stateOf = (who) => {
    if (board.now.includes(who)) return "now";
    if (down(who)) return "down";
    if (board.done.includes(who)) return "done";
    return board.next.includes(who) ? "next" : "";
  };
  const then = board.next.filter((who) => !onCard(who) && !known.includes(who));
  list.hidden = !known.length && !then.length;
  list.classList.toggle("many", board.now.length > MOST_NAMED);
  list.replaceChildren(...known.map((who) => {
    const state = stateOf(who), marks = [state, down(who) ? "fallen" : ""].filter(Boolean);
    const item = make("li", "", { class: ["turn", onCard(who) ? sideClass(board, who) : "group", ...marks].join(" ") });
    if (state === "now") item.setAttribute("aria-current", "step");
    if (onCard(who)) item.append(badge(sideClass(board, who), ...token(board, who)));
    item.append(make("span", who, { class: "who" }));
    if (state) item.append(make("span", state, { class: "state" }));
    return item;
  }), ...then.map((what) => make("li", `then ${what}`, { class: "then" })));
}

const MOST_PARTS = 24; /* of more on one side the bar has no parts */

/* What is left to somebody, from 0 to 1, as far as the readers know it: of those they know by a word, whether they stand. */
function left(board, who) {
  const [bar] = board.rows.get(who).bars;
  if (board.cell(who, "down")) return 0;
  if (!bar || !bar[2]) return 1;
  const [, , most, rest] = bar;
  return Math.min(Math.max(rest / most, 0), 1);
}

/* A bar with a part for each fighter, filled by what is left. */
function drawStrength(board, members) {
  const shares = members.map((who) => left(board, who));
  const parts = shares.length > MOST_PARTS ? [shares.reduce((sum, one) => sum + one, 0) / shares.length] : shares;
  const bar = make("div", "", { class: "strength", "aria-hidden": "true" });
  bar.append(...parts.map((share) => {
    const part = make("span", ""), fill = make("span", "", { class: "fill" });
    fill.style.width = `${100 * share}%`;
    part.append(fill);
    return part;
  }));
  return bar;
}

/* How many of each side stand, and what is left to them where all of it is known. */
function drawScore(list, board) {
  const found = board.sides.map((side, nth) => [side, nth, board.order.filter((who) => board.rows.get(who).side === side)])
    .filter(([, , members]) => members.length);
  list.hidden = !found.length;
  list.replaceChildren(...found.map(([side, nth, members]) => {
    const item = make("li", "", { class: `side-${nth % 6}` }), stand = members.filter((who) => !board.cell(who, "down")).length;
    const bars = members.map((who) => board.rows.get(who).bars[0]);
    item.append(badge("", drawn("path", { d: SHAPES[nth % SHAPES.length] })), make("span", side, { class: "name" }));
    item.append(make("strong", `${stand} of ${members.length}`), make("span", "stand", { class: "stand" }));
    if (bars.every((bar) => bar && bar[2] && bar[0] === bars[0][0])) {
      const [now, most] = [1, 2].map((at) => bars.reduce((sum, bar) => sum + bar[at], 0));
      item.append(make("span", `${bars[0][0]} ${now}/${most}`, { class: "sum" }));
    }
    item.append(drawStrength(board, members));
    return item;
  }));
}

/* Dice as they lie on the table: each by its shape, a d6 with its pips. */
const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };
const DICE = {
  4: "M16 3L30 28H2z", 6: "M3 3h26v26H3z", 8: "M16 1L30 16L16 31L2 16z", 10: "M16 1L31 13L16 31L1 13z",
  12: "M16 1L31 12L25 30H7L1 12z", 20: "M16 1L29 8.500V23.500L16 31L3 23.500V8.500z",
};

function die([sides, face]) {
  const parts = [drawn("path", { d: DICE[sides] || DICE[sides > 20 ? 10 : 20] })];
  if (sides === 6) for (const pip of PIPS[face] || []) parts.push(drawn("circle", { cx: 8 * ((pip - 1) % 3) + 8, cy: 8 * Math.floor((pip - 1) / 3) + 8, r: 2.8 }));
  else parts.push(drawn("text", { x: 16, y: sides === 4 ? 25 : 21 }, `${face}`));
  return drawn("svg", { class: "die", viewBox: "0 0 32 32", role: "img", "aria-label": `d${sides}: ${face}` }, ...parts);
}

/* What is asked of those who may act now, if it is anything else than to act. */
function asked(board) {
  const [, said = ""] = board.header.find(([title]) => title === "Now") ?? [];
  return said.endsWith(")") ? said.slice(said.indexOf(" (") + 2, -1) : "";
}

/* Some fighters in words: by their names, or by their side, or all. */
function called(board, names) {
  const sides = new Set(names.map((who) => board.rows.get(who)?.side)), standing = board.order.filter((who) => !board.cell(who, "down"));
  if (names.length > 2 && standing.every((who) => names.includes(who))) return "all";
  return names.length > 2 && sides.size === 1 && board.rows.has(names[0]) ? [...sides][0] : names.join(", ");
}

/* Who acts now, and what is asked of them, or what is next: the largest line of the page. */
function drawActing(line, board) {
  const { now, next, rows } = board, names = now.length ? now : next, [first] = names, here = rows.has(first);
  const alike = here && names.every((who) => rows.get(who)?.side === rows.get(first).side);
  line.hidden = !names.length;
  line.className = [alike ? sideClass(board, first) : "", names.length > 2 ? "several" : ""].join(" ").trim();
  const said = !now.length ? "next" : asked(board) || (now.length > 1 ? "act now" : "acts now");
  line.replaceChildren(...(here && names.length === 1 ? [badge("", ...token(board, first))] : []), make("strong", called(board, names)), " ", make("span", said));
}

/* What is said once on the page: whose turn it is, who is to declare or to resolve, and who is next, stand in the order of
   turns. */
function above(board) {
  const spare = ([title, said]) => title === "Next" || said === `Order: ${board.turns.join(", ")}`;
  const now = asked(board);
  return board.header.map((line) => (line[0] === "Now" ? ["Now", now.startsWith("to ") ? "" : now] : line)).filter((line) => line[1] && !spare(line));
}

function drawScene(board) {
  the("above").replaceChildren(...above(board).map(([title, said]) => {
    const line = make("p", "", title ? { class: `said-${title.toLowerCase().replaceAll(" ", "-")}` } : {});
    if (title) line.append(make("span", `${title}: `, { class: "title" }));
    line.append(...said.split(/\*([^*]+)\*/).map((part, nth) => (nth % 2 ? make("strong", part) : part)));
    return line;
  }));
  drawActing(the("acting"), board);
  drawScore(the("score"), board);
  drawTurns(the("turns"), board);
  drawCards(board);
  drawMap(the("map"), board);
  drawTable(the("table"), board);
}

/* The map: squares, or areas with their links. Nothing is on it that has no card. */

const MOST_SQUARES = 60, SQUARE = 24;
const LOOKS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/* A token of this size, with its height and where it looks; crossed out for the fallen. */
function placed(board, who, x, y, size, { height = 0, looks = "" } = {}) {
  const down = board.cell(who, "down"), acting = board.now.includes(who) && !down;
  const group = drawn("g", {
    class: ["token", sideClass(board, who), ...(down ? ["fallen"] : []), ...(acting ? ["acting"] : [])].join(" "),
    transform: `translate(${x} ${y}) scale(${size / 24})`, "data-card": who,
  }, ...token(board, who));
  if (looks && !down) {
    const turned = `rotate(${45 * LOOKS.indexOf(looks)} 12 12)`;
    group.prepend(drawn("path", { class: "looks", d: "M12 -4.5L17 1H7z", transform: turned }));
  }
  const corner = `translate(28 4) scale(${19 / size})`; /* as large on every token */
  if (height) group.append(drawn("text", { class: "height", transform: corner }, `\u2191${height}`));
  if (down) group.append(drawn("path", { class: "cross", d: "M2 2L22 22M22 2L2 22" }));
  const words = [who, ...(down ? [down] : []), ...(height ? [`${height} up`] : [])];
  group.append(drawn("title", {}, words.join(", ")));
  return group;
}

/* The squares that are drawn: all in use and one around them, up to the most. */
function fieldOf(bodies, ground) {
  const corners = bodies.flatMap(([, x, y, wide, deep]) => [[x, y], [x + wide - 1, y + deep - 1]]);
  const cells = [...corners, ...ground.flatMap(([, , squares]) => squares)];
  const least = (axis) => cells.reduce((found, cell) => Math.min(found, cell[axis]), Infinity) - 1;
  const most = (axis) => cells.reduce((found, cell) => Math.max(found, cell[axis]), -Infinity) + 1;
  const [west, south] = [least(0), least(1)];
  const [east, north] = [Math.min(most(0), west + MOST_SQUARES), Math.min(most(1), south + MOST_SQUARES)];
  return { west, south, east, north, columns: east - west + 1, rows: north - south + 1 };
}

function drawGrid({ west, south, east, north, columns, rows }) {
  const lines = [], rulers = [];
  for (let at = 0; at <= columns; at++) lines.push(`M${at * SQUARE} 0V${rows * SQUARE}`);
  for (let at = 0; at <= rows; at++) lines.push(`M0 ${at * SQUARE}H${columns * SQUARE}`);
  for (let x = west; x <= east; x++) {
    if (x % 5 === 0) rulers.push(drawn("text", { class: "ruler", x: SQUARE * (x - west) + 12, y: SQUARE * rows + 14 }, `${x}`));
  }
  for (let y = south; y <= north; y++) {
    if (y % 5 === 0) rulers.push(drawn("text", { class: "ruler", x: -10, y: SQUARE * (north - y) + 17 }, `${y}`));
  }
  return [drawn("path", { class: "grid", d: lines.join("") }), ...rulers];
}

function drawSquares(board) {
  const bodies = board.bodies.filter(([who]) => board.rows.has(who));
  const field = fieldOf(bodies, board.ground), { west, east, north, columns, rows } = field;
  const svg = drawn("svg", { viewBox: `-20 0 ${SQUARE * columns + 20} ${SQUARE * rows + 18}`, role: "img", class: "squares" });
  svg.style.maxWidth = `${Math.max(columns, 6) * 3.4}rem`;
  Object.assign(svg.dataset, { west, north });
  const within = (x, y) => x <= east && y <= north;
  for (const [, sign, squares] of board.ground) {
    for (const [x, y] of squares.filter((square) => within(...square))) {
      const [left, top] = [SQUARE * (x - west), SQUARE * (north - y)], kind = sign === "#" ? "ground wall" : "ground";
      svg.append(drawn("rect", { class: kind, x: left, y: top, width: SQUARE, height: SQUARE }));
      svg.append(drawn("text", { class: "sign", x: left + 12, y: top + 17 }, sign));
    }
  }
  svg.append(...drawGrid(field));
  const stands = (who) => (board.cell(who, "down") ? 0 : 1), words = [], legend = [];
  /* the fallen lie below the others, and large bodies below small ones */
  const layer = ([who, , , wide, deep]) => 1e6 * stands(who) - wide * deep;
  let outside = 0;
  for (const [who, x, y, wide, deep, height, looks] of [...bodies].sort((one, other) => layer(one) - layer(other))) {
    words.push([`${who} at ${x},${y}`, height ? `${height} up` : "", board.cell(who, "down")].filter(Boolean).join(", "));
    if (!within(x + wide - 1, y + deep - 1)) {
      outside += 1;
      continue;
    }
    const [left, top, width, tall] = [SQUARE * (x - west), SQUARE * (north - y - deep + 1), SQUARE * wide, SQUARE * deep];
    if (wide * deep > 1 && stands(who)) {
      svg.append(drawn("rect", { class: `body ${sideClass(board, who)}`, x: left, y: top, width, height: tall }));
    }
    /* those who share their squares stand side by side, in rows */
    const there = bodies.filter(([, ...at]) => at.slice(0, 4).join() === [x, y, wide, deep].join()).map(([one]) => one);
    const across = Math.ceil(Math.sqrt(there.length)), nth = there.indexOf(who);
    const [room, size] = [Math.min(width, tall) / across, (Math.min(width, tall) - 5) / across];
    const shift = (place, whole) => (whole - room * across) / 2 + room * place + (room - size) / 2;
    svg.append(placed(board, who, left + shift(nth % across, width), top + shift(Math.floor(nth / across), tall), size, { height, looks }));
  }
  legend.push(...board.ground.filter(([, , squares]) => squares.length).map(([name, sign]) => `${sign} ${name}`));
  if (outside) legend.push(`${outside} outside of this map`);
  return [svg, words, legend];
}

/* Areas stand in rows. Every second row is moved, so that a link seldom runs behind a third area. */
function drawAreas(board) {
  const { areas, links } = board, places = board.places.filter(([who]) => board.rows.has(who));
  const inside = areas.map((area) => places.filter(([, where]) => where === area).map(([who]) => who));
  const rows = Math.ceil(areas.length / (areas.length > 4 ? 3 : 2)), columns = Math.ceil(areas.length / rows);
  const deep = Math.max(1, ...inside.map((names) => Math.ceil(names.length / 4)));
  const [wide, high, gap, moved] = [136, 34 + 32 * deep, 64, columns > 1 && rows > 1 ? 40 : 0];
  const across = columns * (wide + gap) - gap + moved, down = rows * (high + gap) - gap;
  const corner = (nth) => {
    const [column, row] = [nth % columns, Math.floor(nth / columns)];
    return [column * (wide + gap) + (row % 2) * moved, row * (high + gap)];
  };
  const middle = (nth) => [corner(nth)[0] + wide / 2, corner(nth)[1] + high / 2];
  const svg = drawn("svg", { viewBox: `-4 -4 ${across + 8} ${down + 8}`, role: "img", class: "areas" }), notes = [];
  for (const [one, other, ways, oneway] of links) {
    const [from, to] = [areas.indexOf(one), areas.indexOf(other)];
    if (from < 0 || to < 0) continue;
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)], [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    svg.append(drawn("path", { class: ways === "open" ? "link" : "link hard", d: `M${x1} ${y1}L${x2} ${y2}` }));
    if (oneway) {
      const turned = `translate(${x} ${y}) rotate(${(Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI})`;
      notes.push(drawn("path", { class: "arrow", d: "M-6 -6L8 0L-6 6z", transform: turned }));
    }
    if (ways !== "open") notes.push(drawn("text", { class: "ways", x, y: y + (oneway ? 18 : 4) }, ways));
  }
  svg.append(...notes);
  areas.forEach((area, nth) => {
    const [x, y] = corner(nth);
    svg.append(drawn("rect", { class: "area", x, y, width: wide, height: high, rx: 8, "data-area": area }));
    svg.append(drawn("text", { class: "area-name", x: x + 8, y: y + 18, "data-area": area }, area.length > 16 ? `${area.slice(0, 15)}\u2026` : area));
    inside[nth].forEach((who, at) => {
      svg.append(placed(board, who, x + 6 + 32 * (at % 4), y + 28 + 32 * Math.floor(at / 4), 28));
    });
  });
  const words = places.map(([who, where]) => [`${who} in ${where}`, board.cell(who, "down")].filter(Boolean).join(", "));
  return [svg, words, links.map(([one, other, ways, oneway]) => `${one} ${oneway ? "\u2192" : "\u2013"} ${other}: ${ways}`)];
}

function drawMap(figure, board) {
  figure.hidden = !board.areas.length && !board.bodies.some(([who]) => board.rows.has(who));
  if (figure.hidden) return figure.replaceChildren();
  const [svg, words, legend] = board.areas.length ? drawAreas(board) : drawSquares(board);
  svg.setAttribute("aria-label", `Map. ${words.join("; ")}.`);
  const list = make("ul", "", { class: "legend" });
  list.append(...legend.map((line) => make("li", line)));
  return figure.replaceChildren(make("figcaption", "Map"), svg, ...(legend.length ? [list] : []));
}

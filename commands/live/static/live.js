/* Follows the ledger. commands/live/PROTOCOL.md describes what the server sends. */

const LONGEST_LOG = 400; /* entries that the page keeps */
const SILENT = 40000; /* milliseconds without a beat after which the connection counts as lost */
const REDRAWN = 10000; /* milliseconds until heroes are told anew */
const secret = location.hash.slice(1);
const page = {
  program: "", known: "", log: new Map(), digests: new Map(), board: new Boards(), head: 0, digest: "", began: "", over: false,
};
page.board.behind = (entry) => {
  const { told = [], dice = [] } = page.log.get(entry) ?? {};
  return [told.map(({ arithmetic }) => arithmetic), dice];
};
const changed = []; /* what is called when the page shows something new */
const steering = steer(page.board, () => {}, () => {});

function status(text, kind) {
  the("live").textContent = text;
  the("live").className = kind;
}

/* The numbers of the entries that stand: from the head on back, each stands after another. */
function standing() {
  const found = new Set();
  for (let number = page.head; page.log.has(number); number = page.log.get(number).after) found.add(number);
  return found;
}

const isPassing = ({ entry, lasts, course }, stands) => course || (!stands.has(entry) && !lasts);

function drawEntry({ entry, told, lasts, deed, marks, origin }, stands) {
  const item = make("li", "", { id: `e${entry}`, ...(deed ? { class: "deed" } : {}), ...(marks ? { "data-marks": marks } : {}) });
  if (origin !== entry) item.dataset.origin = origin;
  const lines = told.flatMap(({ outcome, arithmetic, tone }) => [
    make("span", outcome, { class: tone ? `line ${tone}` : "line" }), ...arithmetic.map((step) => make("span", step, { class: outcome ? "step" : "step alone" })),
  ]);
  const within = make("del", "");
  within.append(make("span", "taken back: ", { class: "hidden" }), ...lines);
  item.append(make("a", `e${entry}`, { href: `#e${entry}` }), ...(stands.has(entry) || lasts ? lines : [within]));
  if (page.view === "gm" && stands.has(entry) && entry > 1) {
    item.append(make("button", "\u270e", { type: "button", class: "amend", "data-entry": entry, "aria-label": `Amend e${entry}` }));
  }
  return item;
}

/* A course that no longer stands, folded. */
function drawCourse(entries, stands, open) {
  const said = entries.findLast(({ course: correction }) => correction)?.course ?? "taken back";
  const many = `${counted(entries.length)} ${entries.length === 1 ? "entry" : "entries"}`;
  const course = make("li", "", { class: "course" }), fold = document.createElement("details"), list = make("ol", "");
  list.append(...entries.map((one) => drawEntry(one, stands)));
  fold.open = entries.some(({ entry }) => open.has(`e${entry}`));
  fold.append(make("summary", `${said}; ${many}`), list);
  course.append(fold);
  return course;
}

function titleOf({ entry, encounter, title }, heads) {
  if (!encounter) return entry === 1 ? "Before the first encounter" : "Between encounters";
  const again = heads.has(encounter) ? ", continued" : "";
  heads.add(encounter);
  return title + again;
}

/* The log in pieces, each with its encounter and its round where they begin. */
function drawLog() {
  const stands = standing(), parts = [], heads = new Set();
  const open = new Set([...document.querySelectorAll("#entries details[open] li")].map(({ id }) => id));
  let chapter = null, encounter = null, list = null, course = [];
  const fold = () => {
    if (course.length) list.append(drawCourse(course, stands, open));
    course = [];
  };
  const begin = (one) => {
    chapter = `${one.encounter} ${one.round}`;
    const again = heads.has(chapter) ? ", continued" : "";
    heads.add(chapter);
    if (one.encounter !== encounter) parts.push(make("h3", titleOf(one, heads)));
    encounter = one.encounter;
    if (one.round) parts.push(make("h4", `Round ${one.round}${again}`));
    list = make("ol", "");
    parts.push(list);
  };
  const told = [...page.log.values()].filter((one) => one.told.length);
  for (const one of told) {
    const passing = isPassing(one, stands);
    if (!passing) fold();
    if (!list) begin(told.find((other) => !isPassing(other, stands)) ?? one);
    else if (!passing && `${one.encounter} ${one.round}` !== chapter) begin(one);
    if (passing) course.push(one);
    else list.append(drawEntry(one, stands));
  }
  fold();
  const held = document.activeElement.closest("#entries li"), place = held && (held.id || held.querySelector("li").id);
  const summary = document.activeElement.matches("summary"), part = document.activeElement.matches(".amend") ? ".amend" : "a";
  the("entries").replaceChildren(...parts);
  if (place && the(place)) (summary ? the(place).closest("details")?.querySelector("summary") : the(place).querySelector(part))?.focus({ preventScroll: true });
}

/* The digest of an entry: from the log, or from the server; null as long as that has not answered. */
function digestOf(number) {
  if (page.log.has(number)) return page.log.get(number).digest;
  if (!number || number > page.head) return undefined;
  if (!page.digests.has(number)) {
    const asked = page.digests.set(number, null);
    fetch(`/digests/${number}`, { cache: "no-store" }).then((answer) => (answer.ok ? answer.text() : Promise.reject())).then((digest) => {
      asked.set(number, digest);
      if (asked !== page.digests || page.damaged) return;
      judgeHead();
      compare(digestOf);
    }).catch(() => asked.delete(number));
  }
  return page.digests.get(number);
}

/* Says whether the record goes on from what this browser has seen of it. */
function judgeHead() {
  const entries = `${counted(page.head)} ${page.head === 1 ? "entry" : "entries"}`;
  const missing = lost(page.began, page.head, page.digest, digestOf);
  if (missing === null) judge(null, "The entry that this browser saw last is being compared.");
  else judge(!missing, missing || `Sound: ${entries} in one chain. The server has checked each.`);
}

/* Shows the last entry, unless somebody looks at an earlier one. */
function show(following) {
  drawLog();
  drawSoon();
  if (following) steering.show(steering.last());
  else steering.show(steering.here());
  the("head").textContent = `affray e${page.head} ${page.digest}`;
  judgeHead();
  changed.forEach((look) => look());
}

/* Adds a step to the board. */
function step(number, board) {
  page.board.entries.push(number);
  page.board.boards.push(board);
}

const hears = {
  whole(said) {
    if (page.program && page.program !== said.program) location.reload(); /* a newer program has a newer page */
    const { program, head, digest, began, over } = said;
    Object.assign(page, { program, head, digest, began, over, view: said.view, digests: new Map(), log: new Map(said.log.map((entry) => [entry.entry, entry])) });
    Object.assign(page.board, { entries: [], boards: [], labels: said.labels });
    page.board.rewind();
    step(head, said.board);
    document.querySelector("h1").textContent = said.campaign;
    document.title = `${said.campaign} - Affray`;
    the("about").textContent = said.system + (said.view === "players" ? ", as the players may see it" : "");
    show(true);
  },
  entry(said) {
    const following = steering.here() === steering.last();
    page.log.set(said.entry, said);
    if (page.log.size > LONGEST_LOG) page.log.delete(page.log.keys().next().value);
    Object.assign(page, { head: said.entry, digest: said.digest, over: said.over });
    step(said.entry, said.board);
    show(following);
  },
  trouble(said) {
    status(said.text || "Live", said.text ? "lost" : "on");
    page.damaged = said.damaged;
    if (said.damaged) judge(false, "the ledger is not what was recorded.");
    else if (page.head) show(steering.here() === steering.last());
  },
};

/* Takes one event of the stream. */
function hear(text) {
  const fields = { event: "", id: "", data: "" };
  for (const line of text.split("\n")) {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (name in fields) fields[name] = value;
  }
  if (Object.hasOwn(hears, fields.event)) hears[fields.event](JSON.parse(fields.data));
  if (fields.id) page.known = fields.id;
}

/* Reads one connection to its end. EventSource cannot send the token, so the stream is read here. */
async function listen() {
  const leave = new AbortController();
  const headers = {};
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (page.known) headers["Last-Event-ID"] = page.known;
  let timer = setTimeout(() => leave.abort(), SILENT);
  try {
    const answer = await fetch("/events", { headers, cache: "no-store", signal: leave.signal });
    if (answer.status === 401) {
      status("This address is not good, or no longer. Ask the game master for the one that affray serve prints.", "lost");
      return false;
    }
    if (!answer.ok) return true;
    status("Live", "on");
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return true;
      clearTimeout(timer);
      timer = setTimeout(() => leave.abort(), SILENT);
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      events.forEach(hear);
    }
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

async function follow() {
  for (let wait = 250; ; wait = Math.min(2 * wait, 4000)) {
    const began = Date.now();
    if (!(await listen())) return;
    status("The connection is lost. Trying again.", "lost");
    if (Date.now() - began > 5000) wait = 250;
    await new Promise((done) => { setTimeout(done, wait * (0.5 + Math.random())); });
  }
}

/* The story of a fight that is over is made by the server, and so are the heroes when somebody wants to see them. */
let drawnAt = 0, waiting = null;

async function draw() {
  waiting = null;
  if (!isWanted() || drawnAt === page.head || the("drawn").querySelector("details[open]")) return;
  const head = page.head;
  try {
    const answer = await fetch("/drawings", { headers: secret ? { Authorization: `Bearer ${secret}` } : {}, cache: "no-store" });
    const text = await answer.text();
    const parts = answer.ok ? [...new DOMParser().parseFromString(text, "text/html").body.childNodes] : [make("p", text)];
    the("drawn").replaceChildren(...parts.filter(({ id }) => id !== "story"));
    tellStory(parts.find(({ id }) => id === "story"));
    drawnAt = head;
    if (page.over && !the("story")) waiting = setTimeout(() => { drawnAt = 0; draw(); }, REDRAWN); /* drawn before the fight ended */
  } catch {
    the("drawn").replaceChildren(make("p", "The connection is lost."));
  }
}

const isWanted = () => the("below").open || page.over;

/* Opens the page with the story as long as no other fight has begun and nobody looks back. */
function tellStory(story) {
  the("tale").replaceChildren(...(story && page.over ? [story] : []));
  if (the("story")) the("story").hidden = steering.here() !== steering.last();
}

function drawSoon() {
  if (!page.over) tellStory();
  const now = page.over && !the("story");
  if (isWanted() && !waiting) waiting = setTimeout(draw, drawnAt && !now ? REDRAWN : 0);
}

the("below").addEventListener("toggle", drawSoon);

/* The token stays in the address, so links of the page do not go there. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  const target = the(link.hash.slice(1));
  if (link.closest("#log") || !target) return;
  target.tabIndex = -1;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.focus({ preventScroll: true });
  target.scrollIntoView();
});
addEventListener("hashchange", () => location.reload());
the("kept").addEventListener("input", () => compare(digestOf));
reveal();
follow();

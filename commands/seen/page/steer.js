/* Moves through the entries. The slider, the buttons and the log lead to the same place. */

const LARGE = 80; /* signs of a headline, */
const WHOLE = 105; /* or of one that is not divided */
const PACE = 1500; /* milliseconds that each entry is shown when the fight is played */

const [LEAST, FULL] = [16, 0.9]; /* pixels of a letter, and how much of a large screen is taken when it is full */
const wall = matchMedia("(min-width: 115rem)");

/* On a large screen everything grows until the page is full; never while somebody fills in a form, or reads on below. */
function fit() {
  const { style } = document.documentElement, board = the("board");
  if (!wall.matches) return void style.removeProperty("--fit");
  if (document.querySelector(".filling") || the("whole").open || scrollY) return;
  const full = () => (board.offsetTop + board.scrollHeight) / innerHeight, most = Math.floor(innerWidth / 50);
  const takes = (pixels) => {
    style.setProperty("--fit", `${pixels}px`);
    return full() <= 1 && board.scrollWidth <= board.clientWidth;
  };
  let size = Math.max(parseInt(style.getPropertyValue("--fit"), 10) || 0, LEAST);
  if (takes(size) && full() > FULL) return;
  while (size < most && takes(size + 1)) size += 1;
  while (!takes(size) && size > LEAST) size -= 1;
}

/* `also` is called with the place and the number of each entry that is shown, and `settle` when the reader stays. */
function steer(board, also, settle) {
  const slider = the("at"), wide = matchMedia("(min-width: 80rem)");
  let current = null, stops = [];

  const last = () => board.entries.length - 1;
  const here = () => stops[slider.value] ?? last();
  const courseOf = (item) => item.closest(".course > details:not([open])");
  const isFolded = (entry) => { const item = the(`e${entry}`); return item && courseOf(item); };

  /* The places of entries where the slider stops: all that stand, those of a course that is open, and the last. */
  function measure() {
    stops = board.entries.flatMap((entry, at) => (at === last() || !isFolded(entry) ? [at] : []));
  }

  /* The words of the marks at each place of the slider. One at an action that was resolved again is at what stands now. */
  function marked() {
    const set = [...the("log").querySelectorAll("li[data-marks]")].filter(stands), at = new Map();
    const now = set.length ? new Map([...the("log").querySelectorAll("li[id]")].filter(stands).map((item) => [originOf(item), item])) : null;
    for (const mark of set) {
      const { marks } = mark.dataset, item = now.get(the(`e${marks}`) ? originOf(the(`e${marks}`)) : marks) ?? mark;
      const place = stops.indexOf(board.entries.indexOf(Number(item.id.slice(1))));
      if (place >= 0) at.set(place, [...(at.get(place) ?? []), ...outcomesOf(mark)]);
    }
    return at;
  }

  const rounds = () => [...document.querySelectorAll("#log ol:not(.course ol)")].map((list) => list.querySelector(":scope > li[id]"))
    .map((item) => (item ? board.entries.indexOf(Number(item.id.slice(1))) : -1)).filter((at) => at >= 0);

  /* What the log has of an entry, or of the nearest one before it of which something is told. */
  function itemAt(at) {
    for (let place = at; place >= 0; place--) {
      const item = the(`e${board.entries[place]}`);
      if (item) return item;
    }
    return null;
  }

  /* Where an entry stands in the log: in which encounter, in which round, and whether it is the first one there. */
  function placeOf(item) {
    const line = item.closest(".course") ?? item, piece = line.parentElement, place = { round: "", first: !line.previousElementSibling };
    let part = piece.previousElementSibling;
    for (let within = true; part && part.tagName !== "H3"; part = part.previousElementSibling) {
      within &&= part.tagName !== "OL";
      if (within && part.tagName === "H4") place.round = part.textContent;
    }
    return { ...place, encounter: (part?.textContent ?? "").replace(/, continued$/, "") };
  }

  /* The last deed that stood after an entry, in a fight one of its own: the log has its words, the boards its arithmetic and
     its dice. None before the first one; what came before the first round is no longer the last deed in a round. */
  function deedOf(item) {
    if (item.querySelector("del") || item.matches(".deed")) return item;
    const items = [...the("log").querySelectorAll("li[id]")].filter((one) => one === item || stands(one));
    const last = items.slice(0, items.indexOf(item)).findLast((one) => one.matches(".deed"));
    const [before, now] = [last, item].map((one) => one && placeOf(one));
    if (!last || !isFight(now)) return last ?? null;
    return before.encounter === now.encounter && Boolean(before.round) === Boolean(now.round) ? last : null;
  }

  const isFight = ({ encounter }) => encounter.startsWith("Encounter ");

  /* What is said of a fight before the first deed: its round, and who may act; "" outside of one, and where nobody may. */
  function opening(item) {
    const place = placeOf(item), { encounter, round, first } = place, [, title] = /^Encounter \d+(?:: (.*))?$/.exec(encounter) ?? [];
    const [number] = /^Round \d+/.exec(round) ?? [];
    if (!isFight(place)) return "";
    if (!number) return `${title || "The fight"} begins`;
    const does = asked(board) || "to act", who = called(board, board.now);
    const then = who && does.startsWith("to ") ? `: ${who} ${does}` : "";
    return first || then ? `${number}${first ? " begins" : ""}${then}` : "";
  }

  const stands = (item) => !item.querySelector("del");
  const originOf = (item) => item.dataset.origin ?? item.id.slice(1);
  const outcomesOf = (item) => [...item.querySelectorAll(".line")].map((line) => line.textContent).filter(Boolean);

  /* The lines of an entry without those that only keep the books, unless it has no other. */
  function linesOf(item) {
    const lines = [...item.querySelectorAll(".line")], told = lines.filter((line) => !line.matches(".aside"));
    return told.length ? told : lines;
  }

  /* What was done in large letters, and what else came of it in smaller ones where all of it is long. */
  function headline(text) {
    const parts = text.length > WHOLE ? text.split("; ") : [text], line = make("p", "");
    let large = parts.shift();
    while (parts.length && large.length + parts[0].length < LARGE) large += `; ${parts.shift()}`;
    line.append(parts.length ? `${large}; ` : large);
    if (parts.length) line.append(make("span", parts.join("; "), { class: "rest" }));
    return line;
  }

  function tell(at) {
    const item = itemAt(at), outcomes = item ? outcomesOf(item) : [], undone = item && !stands(item) ? ", taken back" : "";
    const deed = item && deedOf(item), begins = item && !deed ? opening(item) : "", source = begins ? item : deed ?? item;
    const [each, dice] = board.behind(source ? Number(source.id.slice(1)) : 0);
    const steps = each.flat(), all = source ? [...source.querySelectorAll(".line")] : [], lines = source ? linesOf(source) : [];
    const lead = lines.find((line) => line.matches(".harm, .healing") || each[all.indexOf(line)]?.length);
    const said = [lead, ...lines.filter((line) => line !== lead)].map((line) => line?.textContent).filter(Boolean);
    const words = begins ? [begins] : said.length ? said : steps, also = make("div", "", { class: "also" });
    also.append(...words.slice(1).map((text) => make("p", text)));
    the("last").hidden = !words.length;
    the("told").classList.toggle("undone", Boolean(undone));
    the("told").replaceChildren(...words.slice(0, 1).map(headline), also);
    the("since").textContent = source === item && !begins ? "" : linesOf(item).map((line) => line.textContent).filter(Boolean).join("; ");
    the("faces").replaceChildren(...dice.map(die));
    the("steps").replaceChildren(...steps.map((text) => make("p", text)));
    the("how").hidden = !steps.length;
    the("why").hidden = !steps.length && !dice.length;
    return [item, outcomes, undone];
  }

  function mark(item) {
    if (current) current.removeAttribute("aria-current");
    current = item && (courseOf(item)?.parentElement ?? item);
    if (!item) return;
    current.setAttribute("aria-current", "true");
    if (wide.matches) bring(current, 10);
  }

  /* Scrolls the log. Entries get their true height only when they are near, so it is done again. */
  function bring(item, times) {
    const log = the("log"), [inner, outer] = [item.getBoundingClientRect(), log.getBoundingClientRect()];
    const bottom = Math.min(outer.bottom, innerHeight);
    if (inner.top < outer.top || inner.bottom > bottom) log.scrollTop += inner.top - outer.top - outer.height / 3;
    if (times && item === current) requestAnimationFrame(() => bring(item, times - 1));
  }

  function show(to) {
    const at = Math.min(Math.max(to, 0), last()), entry = board.entries[at];
    if (isFolded(entry) && at !== last()) isFolded(entry).open = true;
    measure();
    board.go(at);
    drawScene(board);
    document.querySelector(".steer").hidden = stops.length < 2;
    const nth = stops.indexOf(at);
    slider.max = stops.length - 1;
    slider.value = nth;
    const marks = marked();
    the("marks").replaceChildren(...[...marks.keys()].map((place) => new Option("", place)));
    the("marked").textContent = (marks.get(nth) ?? []).join("; ");
    const [item, outcomes, undone] = tell(at), words = `e${entry}${undone}`;
    slider.setAttribute("aria-valuetext", `${words}: ${outcomes.join("; ").slice(0, 200)}`);
    the("now").textContent = `${words}, ${counted(nth + 1)} of ${counted(stops.length)}`;
    if (the("story")) the("story").hidden = at !== last();
    fit();
    mark(item);
    also(at, entry);
    the("back").disabled = the("round-back").disabled = nth === 0;
    the("forth").disabled = the("round-forth").disabled = nth === stops.length - 1;
  }

  /* Plays the fight like a film, from the beginning if it has been seen to its end. */
  const play = the("play");
  let film = 0;
  function stop() {
    clearInterval(film);
    film = 0;
    play.setAttribute("aria-pressed", "false");
  }
  function start() {
    if (here() === last()) show(0);
    play.setAttribute("aria-pressed", "true");
    film = setInterval(() => {
      show(stops[Number(slider.value) + 1]);
      if (here() !== last()) return;
      stop();
      settle(board.entries[here()]);
    }, PACE);
  }

  const go = (to) => { show(to); settle(board.entries[here()]); };
  const move = (to) => {
    stop();
    go(to);
  };
  const leap = (to) => {
    move(to);
    if (!wide.matches) the("board").scrollIntoView();
  };

  addEventListener("resize", fit);
  phone.addEventListener("change", () => { if (last() >= 0) show(here()); });
  play.addEventListener("click", () => (film ? stop() : start()));
  document.querySelector(".steer").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") stop();
    if (!step || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    stop();
    go(stops[Number(slider.value) + step] ?? here());
  });
  slider.addEventListener("input", () => { stop(); show(here()); });
  slider.addEventListener("change", () => settle(board.entries[here()]));
  the("back").addEventListener("click", () => move(stops[Number(slider.value) - 1]));
  the("forth").addEventListener("click", () => move(stops[Number(slider.value) + 1]));
  the("round-back").addEventListener("click", () => move(rounds().findLast((at) => at < here()) ?? 0));
  the("round-forth").addEventListener("click", () => move(rounds().find((at) => at > here()) ?? last()));
  the("log").addEventListener("click", (event) => {
    const link = event.target.closest("li > a");
    const at = link ? board.entries.indexOf(Number(link.hash.slice(2))) : -1;
    if (link) event.preventDefault();
    if (at >= 0) leap(at);
    else if (link) mark(link.closest("li"));
  });
  the("log").addEventListener("toggle", (event) => {
    if (!event.target.matches(".course > details") || last() < 0) return;
    const at = here();
    measure();
    show(stops.includes(at) ? at : stops.findLast((stop) => stop <= at) ?? last());
  }, true);
  return { show, leap, here, last };
}

function reveal() {
  for (const part of document.querySelectorAll(".script")) part.hidden = false;
  the("whole").open = false;
  the("how").open = matchMedia("(min-width: 64rem)").matches;
}

function cursors(plots) {
  const svg = "http://www.w3.org/2000/svg";
  return [...document.querySelectorAll("[data-plots]")].map((group) => {
    const { left, right, top, bottom } = group.dataset;
    const places = new Map(plots[group.dataset.plots].map((entry, at) => [entry, at]));
    const lines = [...group.querySelectorAll("figure > svg")].map((plot) => {
      const line = document.createElementNS(svg, "line");
      line.setAttribute("class", "cursor");
      line.setAttribute("y1", top);
      line.setAttribute("y2", bottom);
      return plot.appendChild(line);
    });
    return (entry) => {
      const place = places.get(entry);
      const x = Number(left) + ((right - left) * (place || 0)) / Math.max(places.size - 1, 1);
      for (const line of lines) {
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
        line.style.display = place === undefined ? "none" : "";
      }
    };
  });
}

function steer(boards, record) {
  const board = new Boards(boards);
  const slider = the("at");
  const last = board.entries.length - 1;
  const recorded = record.runs.flatMap(({ lines }) => lines);
  const marks = cursors(boards.plots);
  const rounds = [...document.querySelectorAll("#log ol > li:first-child")]
    .map((item) => board.entries.indexOf(Number(item.id.slice(1))));
  const wide = matchMedia("(min-width: 64rem)");
  let current = null;

  function show(to) {
    const at = Math.min(Math.max(to, 0), last);
    const entry = board.entries[at];
    const item = the(`e${entry}`);
    board.go(at);
    drawScene(board);
    slider.value = at;
    const outcomes = [...item.querySelectorAll(".line")].map((line) => line.textContent);
    const undone = item.querySelector("del") ? ", taken back" : "";
    the("told").classList.toggle("undone", Boolean(undone));
    the("told").replaceChildren(...(outcomes.length ? outcomes : board.steps.flat()).map((text) => make("p", text)));
    the("steps").replaceChildren(...board.steps.flat().map((text) => make("p", text)));
    the("how").hidden = !board.steps.length;
    const words = `e${entry}${undone}`;
    slider.setAttribute("aria-valuetext", `${words}: ${outcomes.join("; ").slice(0, 200)}`);
    the("now").textContent = `${words}, ${counted(at + 1)} of ${counted(last + 1)}`;
    const { recorded_at: when, words: spoken, events } = JSON.parse(recorded[at]);
    const shown = (half, ending) => (Array.isArray(half) ? half[1] : ending);
    const told = events.filter(([open]) => Array.isArray(open)).map(([open, closed]) => open[1] + shown(closed, " ..."));
    const said = Array.isArray(spoken) ? [`${when}  ${spoken[1]}`, `affray ${spoken[2]}`] : [when];
    the("recorded").textContent = [...said, ...told].map(harmless).join("\n");
    if (current) current.removeAttribute("aria-current");
    current = item;
    current.setAttribute("aria-current", "true");
    if (wide.matches) {
      const log = the("log");
      const [inner, outer] = [item.getBoundingClientRect(), log.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom) log.scrollTop += inner.top - outer.top - outer.height / 3;
    }
    for (const mark of marks) mark(entry);
    the("back").disabled = the("round-back").disabled = at === 0;
    the("forth").disabled = the("round-forth").disabled = at === last;
  }

  const here = () => Number(slider.value);
  const settle = () => history.replaceState(null, "", `#e${board.entries[here()]}`);
  const go = (to) => { show(to); settle(); };
  const named = () => board.entries.indexOf(Number((/^#e([0-9]+)$/.exec(location.hash) || [])[1]));

  slider.addEventListener("input", () => show(here()));
  slider.addEventListener("change", settle);
  the("back").addEventListener("click", () => go(here() - 1));
  the("forth").addEventListener("click", () => go(here() + 1));
  the("round-back").addEventListener("click", () => go(rounds.findLast((at) => at < here()) ?? 0));
  the("round-forth").addEventListener("click", () => go(rounds.find((at) => at > here()) ?? last));
  the("log").addEventListener("click", (event) => {
    const link = event.target.closest("li > a");
    if (!link) return;
    event.preventDefault();
    go(board.entries.indexOf(Number(link.hash.slice(2))));
    if (!wide.matches) the("board").scrollIntoView();
  });
  the("standing").addEventListener("change", (event) => the("log").classList.toggle("standing", event.target.checked));
  const follow = () => {
    if (named() < 0) return false;
    show(named());
    if (!wide.matches) the("board").scrollIntoView();
    return true;
  };
  addEventListener("hashchange", follow);
  if (!follow()) show(last);
}

function reveal() {
  for (const part of document.querySelectorAll(".script")) part.hidden = false;
  the("whole").open = false;
}

async function begin() {
  judge(null, "Checking the chain.");
  const written = letters();
  let boards, record;
  try {
    boards = await unpacked("boards");
    record = read(await unpacked("record"));
    reveal();
    steer(read(boards), record);
  } catch (error) {
    return judge(false, typeof DecompressionStream === "undefined"
      ? "this browser is too old to read the record on this page."
      : "the record on this page is damaged and cannot be read.");
  }
  the("kept").addEventListener("input", () => compare(record));
  await pause();
  return check(written, boards, record);
}

begin();

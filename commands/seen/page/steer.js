/* Moves through the entries. The slider, the buttons and the log lead to the same place. */

/* `also` is called with the place and the number of each entry that is shown, and `settle` when the reader stays. */
function steer(board, also, settle) {
  const slider = the("at"), wide = matchMedia("(min-width: 64rem)");
  let current = null;

  const last = () => board.entries.length - 1;
  const here = () => Number(slider.value);
  const rounds = () => [...document.querySelectorAll("#log ol > li:first-child")]
    .map((item) => board.entries.indexOf(Number(item.id.slice(1)))).filter((at) => at >= 0);

  /* The entry in the log, or the nearest one before it of which something is told. */
  function told(at) {
    for (let place = at; place >= 0; place--) {
      const item = the(`e${board.entries[place]}`);
      if (item) return item;
    }
    return null;
  }

  function tell(item) {
    const outcomes = item ? [...item.querySelectorAll(".line")].map((line) => line.textContent) : [];
    const steps = board.steps.flat(), undone = item && item.querySelector("del") ? ", taken back" : "";
    the("last").hidden = !outcomes.length && !steps.length;
    the("told").classList.toggle("undone", Boolean(undone));
    the("told").replaceChildren(...(outcomes.length ? outcomes : steps).map((text) => make("p", text)));
    the("steps").replaceChildren(...steps.map((text) => make("p", text)));
    the("how").hidden = !steps.length;
    return [outcomes, undone];
  }

  function mark(item) {
    if (current) current.removeAttribute("aria-current");
    current = item;
    if (!item) return;
    item.setAttribute("aria-current", "true");
    if (wide.matches) bring(item, 10);
  }

  /* Scrolls the log. Entries get their true height only when they are near, so it is done again. */
  function bring(item, times) {
    const log = the("log"), [inner, outer] = [item.getBoundingClientRect(), log.getBoundingClientRect()];
    const bottom = Math.min(outer.bottom, innerHeight);
    if (inner.top < outer.top || inner.bottom > bottom) log.scrollTop += inner.top - outer.top - outer.height / 3;
    if (times && item === current) requestAnimationFrame(() => bring(item, times - 1));
  }

  function show(to) {
    const at = Math.min(Math.max(to, 0), last()), entry = board.entries[at], item = told(at);
    board.go(at);
    drawScene(board);
    document.querySelector(".steer").hidden = !last();
    slider.max = last();
    slider.value = at;
    const [outcomes, undone] = tell(item), words = `e${entry}${undone}`;
    slider.setAttribute("aria-valuetext", `${words}: ${outcomes.join("; ").slice(0, 200)}`);
    the("now").textContent = `${words}, ${counted(at + 1)} of ${counted(last() + 1)}`;
    mark(item);
    also(at, entry);
    the("back").disabled = the("round-back").disabled = at === 0;
    the("forth").disabled = the("round-forth").disabled = at === last();
  }

  const go = (to) => { show(to); settle(board.entries[here()]); };
  const leap = (to) => {
    go(to);
    if (!wide.matches) the("board").scrollIntoView();
  };

  slider.addEventListener("input", () => show(here()));
  slider.addEventListener("change", () => settle(board.entries[here()]));
  the("back").addEventListener("click", () => go(here() - 1));
  the("forth").addEventListener("click", () => go(here() + 1));
  the("round-back").addEventListener("click", () => go(rounds().findLast((at) => at < here()) ?? 0));
  the("round-forth").addEventListener("click", () => go(rounds().find((at) => at > here()) ?? last()));
  the("log").addEventListener("click", (event) => {
    const link = event.target.closest("li > a");
    const at = link ? board.entries.indexOf(Number(link.hash.slice(2))) : -1;
    if (link) event.preventDefault();
    if (at >= 0) leap(at);
    else if (link) mark(link.closest("li"));
  });
  the("standing").addEventListener("change", (event) => the("log").classList.toggle("standing", event.target.checked));
  return { show, leap, here, last };
}

function reveal() {
  for (const part of document.querySelectorAll(".script")) part.hidden = false;
  the("whole").open = false;
}

/* An entry as it was recorded. */
function asRecorded(recorded) {
  const { recorded_at: when, parts: { words: spoken, events = [] } } = JSON.parse(recorded);
  const shown = (half, ending) => (Array.isArray(half) ? half[1] : ending);
  const told = events.filter(([open]) => Array.isArray(open)).map(([open, closed]) => open[1] + shown(closed, " ..."));
  const said = Array.isArray(spoken) ? [`${when}  ${spoken[1]}`, `affray ${spoken[2]}`] : [when];
  return [...said, ...told].map(harmless).join("\n");
}

function guide(boards, lines) {
  const board = new Boards(boards);
  const steering = steer(board, (at) => {
    the("recorded").textContent = asRecorded(lines[at]);
  }, (entry) => history.replaceState(null, "", `#e${entry}`));
  const named = () => board.entries.indexOf(Number((/^#e([0-9]+)$/.exec(location.hash) || [])[1]));
  addEventListener("hashchange", () => { if (named() >= 0) steering.leap(named()); });
  if (named() >= 0) steering.leap(named());
  else steering.show(steering.last());
}

async function begin() {
  judge(null, "Checking the chain.");
  const written = letters();
  let boards, record, lines;
  try {
    boards = await unpacked("boards");
    record = read(await unpacked("record"));
    lines = record.runs.flatMap((run) => run.lines);
    reveal();
    guide(read(boards), lines);
  } catch (error) {
    return judge(false, typeof DecompressionStream === "undefined"
      ? "this browser is too old to read the record on this page."
      : "the record on this page is damaged and cannot be read.");
  }
  const entryOf = (number) => lines.map((line) => JSON.parse(line)).find(({ entry }) => entry === number);
  the("kept").addEventListener("input", () => compare((number) => entryOf(number)?.digest));
  await pause();
  return check(written, boards, record);
}

begin();

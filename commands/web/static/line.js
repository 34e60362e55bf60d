/* The line that is typed: its keys, its history, and where it stands on a terminal. */

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;
const NOTHING = /\p{Mn}|\p{Me}|\p{Cf}/u;
const MOST = 1000; /* lines of the history that are kept */

const breadth = (sign) => (NOTHING.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1);

/* The row and the column behind some text, on a terminal of so many columns. */
function place(text, columns) {
  let row = 0, column = 0;
  for (const sign of text) {
    const taken = breadth(sign);
    if (column + taken > columns) [row, column] = [row + 1, 0];
    column += taken;
  }
  return column === columns ? [row + 1, 0] : [row, column];
}

export class History {
  constructor(key) {
    this.key = key;
    try { this.lines = JSON.parse(localStorage.getItem(key)) ?? []; } catch { this.lines = []; }
    if (!Array.isArray(this.lines)) this.lines = [];
  }

  add(line) {
    if (!line.trim() || this.lines.at(-1) === line) return;
    this.lines = [...this.lines, line].slice(-MOST);
    try { localStorage.setItem(this.key, JSON.stringify(this.lines)); } catch { /* kept as long as the page */ }
  }

  /* The next line in a direction that begins so, from a place; its place, or -1. */
  from(at, step, begun) {
    for (let next = at + step; next >= 0 && next < this.lines.length; next += step) if (this.lines[next].startsWith(begun)) return next;
    return -1;
  }
}

export class Line {
  /* `on` has what is done with a line: submit(text), leave(how, text) and complete(before). */
  constructor(terminal, history, on) {
    Object.assign(this, { terminal, history, on, open: false, sign: "", typed: [], at: 0, row: 0, back: -1, begun: "", ahead: [] });
    terminal.onData((keys) => this.take(keys));
    terminal.onResize(() => this.open && this.draw());
  }

  get text() {
    return this.typed.join("");
  }

  /* Begins a line; what was typed meanwhile is typed now. */
  begin(sign, text = "", question = false) {
    Object.assign(this, { open: true, sign, question, typed: [...text], row: 0, back: -1 });
    this.at = this.typed.length;
    this.draw();
    while (this.open && this.ahead.length) this.take(this.ahead.shift());
  }

  /* Takes the line off the terminal, so that something can be printed in its place. */
  hide() {
    if (!this.open) return;
    this.terminal.write(`${this.row ? `\x1b[${this.row}A` : ""}\r\x1b[J`);
    this.row = 0;
  }

  draw() {
    const { columns, shown } = { columns: this.terminal.cols, shown: this.sign + this.text };
    const [endRow, endColumn] = place(shown, columns);
    const [row, column] = place(this.sign + this.typed.slice(0, this.at).join(""), columns);
    const up = this.row ? `\x1b[${this.row}A` : "";
    const last = endColumn === 0 && endRow ? "\r\n" : "";
    const back = `${endRow > row ? `\x1b[${endRow - row}A` : ""}\r${column ? `\x1b[${column}C` : ""}`;
    this.terminal.write(`${up}\r\x1b[J\x1b[1m${this.sign}\x1b[22m${this.text}${last}${back}`);
    this.row = row;
  }

  put(text) {
    this.typed = [...text];
    this.at = this.typed.length;
    this.draw();
  }

  insert(text) {
    this.typed.splice(this.at, 0, ...text);
    this.at += [...text].length;
    this.draw();
  }

  /* Replaces so many signs before the cursor. */
  replace(many, text) {
    const from = Math.max(0, this.at - many);
    this.typed.splice(from, this.at - from, ...text);
    this.at = from + [...text].length;
    this.draw();
  }

  end() {
    this.at = this.typed.length;
    this.draw();
    this.terminal.write("\r\n");
    Object.assign(this, { open: false, row: 0 });
  }

  submit() {
    const text = this.text;
    this.end();
    if (!this.question) this.history.add(text);
    this.on.submit(text);
  }

  leave(how) {
    const text = this.text;
    this.at = this.typed.length;
    this.draw();
    this.terminal.write(how === "interrupt" ? "^C\r\n" : "\r\n");
    Object.assign(this, { open: false, row: 0 });
    this.on.leave(how, text);
  }

  paste(text) {
    const lines = text.replace(/\r\n?/g, "\n").split("\n");
    if (lines.length === 1) return this.insert(lines[0].replace(/[\x00-\x1f\x7f]/g, " "));
    const whole = this.typed.slice(0, this.at).join("") + lines.join("\n") + this.typed.slice(this.at).join("");
    const all = whole.split("\n").map((line) => line.replace(/[\x00-\x1f\x7f]/g, " ")).filter((line) => line.trim());
    if (this.question) return this.put(all.join(" "));
    this.put("");
    for (const line of all) this.history.add(line);
    this.terminal.write(all.map((line) => `${line}\r\n`).join(this.sign));
    Object.assign(this, { open: false, row: 0 });
    return this.on.submit(all.join("\n"));
  }

  recall(step) {
    if (this.back < 0) [this.back, this.begun] = [this.history.lines.length, this.text];
    const next = this.history.from(this.back, step, this.begun);
    if (next < 0 && step < 0) return;
    this.back = next < 0 ? -1 : next;
    this.put(next < 0 ? this.begun : this.history.lines[next]);
  }

  word(from, step) {
    let at = from;
    const behind = () => this.typed[step < 0 ? at - 1 : at];
    while (behind() === " ") at += step;
    while (behind() !== undefined && behind() !== " ") at += step;
    return at;
  }

  /* Takes some keys, as the terminal sends them. */
  take(keys) {
    if (!this.open) {
      if (keys === "\x03") this.on.stop();
      else this.ahead.push(keys);
      return;
    }
    if (keys.startsWith("\x1b[200~")) return this.paste(keys.slice(6).replace(/\x1b\[201~$/, ""));
    if (keys.length > 1 && keys[0] !== "\x1b") return /[\r\n]/.test(keys) ? this.paste(keys) : this.insert(keys.replace(/[\x00-\x1f\x7f]/g, ""));
    const does = KEYS[keys];
    if (does) does(this);
    else if (keys >= " " && keys[0] !== "\x1b") this.insert(keys);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.typed.length, at));
    this.draw();
  }

  cut(from, to) {
    if (from >= 0 && to <= this.typed.length && from < to) {
      this.typed.splice(from, to - from);
      this.at = from;
      this.draw();
    }
  }
}

const KEYS = {
  "\r": (line) => line.submit(),
  "\n": (line) => line.submit(),
  "\t": (line) => !line.question && line.on.complete(line.typed.slice(0, line.at).join("")),
  "\x7f": (line) => line.cut(line.at - 1, line.at),
  "\b": (line) => line.cut(line.at - 1, line.at),
  "\x1b[3~": (line) => line.cut(line.at, line.at + 1),
  "\x1b[D": (line) => line.go(line.at - 1),
  "\x02": (line) => line.go(line.at - 1),
  "\x1b[C": (line) => line.go(line.at + 1),
  "\x06": (line) => line.go(line.at + 1),
  "\x1b[1;5D": (line) => line.go(line.word(line.at, -1)),
  "\x1bb": (line) => line.go(line.word(line.at, -1)),
  "\x1b[1;5C": (line) => line.go(line.word(line.at, 1)),
  "\x1bf": (line) => line.go(line.word(line.at, 1)),
  "\x1b[H": (line) => line.go(0),
  "\x01": (line) => line.go(0),
  "\x1b[F": (line) => line.go(line.typed.length),
  "\x05": (line) => line.go(line.typed.length),
  "\x15": (line) => line.cut(0, line.at),
  "\x0b": (line) => { const at = line.at; line.cut(at, line.typed.length); line.go(at); },
  "\x17": (line) => line.cut(line.word(line.at, -1), line.at),
  "\x1b[A": (line) => !line.question && line.recall(-1),
  "\x10": (line) => !line.question && line.recall(-1),
  "\x1b[B": (line) => !line.question && line.recall(1),
  "\x0e": (line) => !line.question && line.recall(1),
  "\x0c": (line) => { line.hide(); line.terminal.clear(); line.draw(); },
  "\x03": (line) => line.leave("interrupt"),
  "\x04": (line) => (line.typed.length ? line.cut(line.at, line.at + 1) : line.leave("end")),
};

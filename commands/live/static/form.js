/* One form, on the phone of a seat and on the desk: the verbs as buttons, and the fields of the one that is chosen. Which
   verbs there are, and what can stand in each field, comes from the server. */

const FEW = 9; /* so many words are chips; more are in a list */
const TAPPED = { square: " (tap the map)", entry: " (tap the log)" }; /* where fields are filled in by a tap elsewhere */

const nameOf = ({ name }) => name.replace(/_/g, " ").trim();
const sideOf = (who) => (page.board.rows.has(who) ? sideClass(page.board, who) : "");

/* A form with what is said already. `does` has `words`, what can stand in each kind of field now; `changed`; whether it
   `knows` who acts, and `reckons` odds. */
const begun = (verb, said, does) => ({ verb, values: new Map(Object.entries(said)), odds: {}, faces: new Map(), ...does });

const saidIn = ({ values }) => Object.fromEntries(values);
const isWhole = ({ verb, values }) => verb.fields.every(({ name, required }) => !required || values.has(name));

/* Verbs as buttons. `at` has the one that is `chosen`, those that come `first`, and what it means to `take` one. */
function verbRow(verbs, { chosen, first = [], dim = () => false, take }) {
  const row = make("div", "", { class: "chips" });
  row.append(...verbs.map((verb) => button(verb.verb, () => take(chosen === verb ? null : verb), {
    ...pressed(chosen === verb), class: `chip ${first.includes(verb.verb) ? "asked" : "verb"}${dim(verb.verb) ? " dim" : ""}`, title: verb.summary, "data-verb": verb.verb,
  })));
  return row;
}

function folded(title, id, open, ...parts) {
  const fold = make("details", "", { id });
  fold.open = the(id)?.open || open;
  fold.append(make("summary", title), ...parts);
  return fold;
}

const rankOf = ({ verb, often }, first = []) => (first.includes(verb) ? 0 : often ? 1 : 2);
const ranked = (verbs, first) => [...verbs].sort((one, other) => rankOf(one, first) - rankOf(other, first));

/* What somebody can do: what is asked for and what is often done, and the rest folded. */
function deeds(title, id, verbs, at) {
  const [near, rest] = [verbs.filter((verb) => rankOf(verb, at.first) < 2), verbs.filter((verb) => rankOf(verb, at.first) === 2)];
  return group(title, verbRow(ranked(near, at.first), at), ...(rest.length ? [folded("More", id, rest.includes(at.chosen), verbRow(rest, at))] : []));
}

/* By what a button is known again when its place is drawn anew. */
const knownBy = (one) => one.dataset.verb ?? one.textContent;

/* Draws a place anew where that changes something; what has the focus has it again. */
function redraw(place, parts, drawn) {
  if (drawn && place.dataset.drawn === drawn) return; /* a button stays under the finger that taps it */
  place.dataset.drawn = drawn;
  const held = place.contains(document.activeElement) && knownBy(document.activeElement);
  place.replaceChildren(...parts());
  if (held) [...place.querySelectorAll("button, summary")].find((one) => knownBy(one) === held)?.focus({ preventScroll: true });
}

function wordsOf(form, { kind, choices, offers, many, option }) {
  const words = form.words(), listed = choices.length ? choices : words[kind] ?? [];
  const any = kind === "open" && many && !option && !offers.length && !choices.length; /* words that may name anybody */
  return [...new Set([...listed, ...offers, ...(any ? [...(words.fighter ?? words.fighters ?? words.blows ?? []), ...(words.area ?? [])] : [])])];
}

function set(form, field, words) {
  const found = words.filter(Boolean);
  if (found.length || (field.kind === "flag" && words.length)) form.values.set(field.name, found);
  else form.values.delete(field.name);
  form.changed(field);
}

/* Words to tap: one, or several; some may be tapped again. Odds have their place before they come, so that nothing moves
   under a finger. */
function taps(form, field, words, input) {
  const reckoned = form.reckons && field.people && field.name !== "who", taken = () => form.values.get(field.name) ?? [];
  const row = make("div", "", { class: reckoned ? "chips reckoned" : "chips" }), none = button("None", () => give([]), { class: "chip" });
  const chips = words.map((word) => {
    const name = make("span", ""), odds = make("small", ""), chip = button("", () => {
      const there = taken().includes(word);
      give(!field.many ? (there ? [] : [word]) : there && !field.again ? taken().filter((one) => one !== word) : [...taken(), word]);
    }, { "data-word": word, ...(field.people ? { "data-who": word } : {}) });
    chip.append(name, ...(reckoned ? [odds] : []));
    return { word, chip, name, odds };
  });
  row.drawAnew = () => {
    for (const { word, chip, name, odds } of chips) {
      const times = taken().filter((one) => one === word).length, down = page.board.rows.has(word) ? page.board.cell(word, "down") : "";
      chip.setAttribute("aria-pressed", String(times > 0));
      chip.className = down ? "chip fallen" : `chip ${sideOf(word)}`;
      name.textContent = `${word}${down ? ` (${down})` : ""}${times > 1 ? ` \u00d7${times}` : ""}`;
      if (form.odds.field === field.name) odds.textContent = odds.title = form.odds.of[word] ?? "";
    }
    none.hidden = !field.many || !field.again || !taken().length;
    if (input && input !== document.activeElement) input.value = shownIn(form, field);
  };
  const give = (said) => {
    set(form, field, said);
    row.drawAnew();
  };
  row.append(...chips.map(({ chip }) => chip), none);
  row.drawAnew();
  return group(`${nameOf(field)}${field.many && field.again ? " (tap again for one more)" : ""}`, row, ...(input ? [input] : []));
}

const shownIn = ({ values }, { name, apart }) => (values.get(name) ?? []).join(apart ? "; " : " ");

/* The control of a field. */
function control(form, field) {
  const words = wordsOf(form, field), title = nameOf(field) + (TAPPED[field.kind] ?? "");
  if (field.kind === "flag") {
    const box = make("input", "", { type: "checkbox" });
    box.checked = form.values.has(field.name);
    box.addEventListener("change", () => set(form, field, box.checked ? [""] : []));
    return labelled(title, box, field.help);
  }
  const isTapped = words.length && (words.length <= FEW || field.people || field.kind === "sheet" || (field.kind === "open" && field.many));
  if (isTapped && !field.free) return taps(form, field, words);
  const input = make("input", "", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 200, ...(field.kind in TAPPED ? { [`data-${field.kind}`]: "" } : {}) });
  if (field.kind === "number") input.inputMode = "numeric";
  if (field.apart) input.placeholder = "one; another";
  const between = field.apart ? /\s*;\s*/ : field.many && !field.option ? /\s+/ : null; /* where one word ends */
  input.value = shownIn(form, field);
  input.addEventListener("input", () => {
    set(form, field, between ? input.value.trim().split(between) : [input.value.trim()]);
    input.parentElement.querySelector(".chips")?.drawAnew();
  });
  if (isTapped) { /* another word may be meant than those that are listed */
    input.setAttribute("aria-label", `${title}, in other words`);
    return taps(form, field, words, input);
  }
  const label = labelled(title, input, field.help);
  if (words.length) {
    const listed = make("datalist", "", { id: `form-${field.name}` });
    listed.append(...words.map((word) => new Option(word)));
    input.setAttribute("list", listed.id);
    label.append(listed);
  }
  return label;
}

/* The form, with `parts` below its first fields: dice, and what sends it. */
function drawForm(form, parts, sent) {
  const { verb, summary, fields } = form.verb, asked = fields.filter(({ name }) => name !== "who" || !form.knows);
  const rest = asked.filter(({ front }) => !front), made = make("form", "", { class: "filling", "aria-label": verb });
  made.append(make("p", summary, { class: "soft" }), ...asked.filter(({ front }) => front).map((field) => control(form, field)), ...parts);
  if (rest.length) made.append(folded("Options", "form-options", rest.some(({ name }) => form.values.has(name)), ...rest.map((field) => control(form, field))));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    sent();
  });
  return made;
}

const drawFormAnew = () => document.querySelectorAll(".filling .chips").forEach((row) => row.drawAnew?.());

/* Buttons, fields and dice, as the phone of a seat and the desk of the game master have them, and what sends. */

const AGAIN = 1500; /* milliseconds until something unanswered is sent again */

const headers = () => ({ "Authorization": `Bearer ${secret}`, "Content-Type": "application/json" });

/* Sends something, and gives the answer with its status; null while the server cannot be reached. */
async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: headers(), body: JSON.stringify(body), cache: "no-store" });
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return null;
  }
}

const isBusy = (answer) => !answer || answer.status === 429 || answer.status >= 500 || answer.again;
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/* A button that says whether it is pressed, where it can be. */
function button(text, does, attributes = {}) {
  const made = make("button", text, { type: "button", ...attributes });
  made.addEventListener("click", does);
  return made;
}

const pressed = (is) => ({ "aria-pressed": String(is) });

/* A field with its label above it. */
function labelled(title, control, help = "") {
  const label = make("label", "", { class: "field" });
  label.append(make("span", title), control);
  if (help) control.title = help;
  return label;
}

function group(title, ...parts) {
  const set = make("fieldset", "");
  set.append(make("legend", title), ...parts);
  return set;
}

/* The dice of one roll, as they are thrown: `3d6` is three dice with six faces. */
function diceOf(roll) {
  const found = /^(\d*)d(\d+|%)/.exec(roll), faces = found ? (found[2] === "%" ? 100 : Number(found[2])) : 0;
  return found ? Array(Math.min(Number(found[1] || 1), 100)).fill(faces) : [];
}

/* Whether nothing can follow what was typed of a face: 3 of a d20 may become nothing else, 1 may become 14. */
const isFace = (input) => input.value !== "" && input.checkValidity() && 10 * (Number(input.value) || input.max) > input.max;

/* Fields for the faces of some rolls, and what reads them: null for a die that nobody has thrown. What was typed is kept
   while the form changes. A face leads to the next die, and the last one is `given`. */
function faceFields(needs, kept = new Map(), given = () => {}) {
  const inputs = [], rolls = [], parts = needs.map(({ who, dice, purpose, about }, at) => {
    const rolled = [dice].flat().flatMap(diceOf).map((faces, nth) => {
      const input = make("input", "", { type: "number", min: faces === 10 ? 0 : 1, max: faces, inputmode: "numeric", class: "face" });
      input.setAttribute("aria-label", `d${faces} for ${purpose}, ${nth + 1}`);
      const key = `${at} ${nth} ${who} ${faces} ${purpose}`;
      input.value = kept.get(key) ?? "";
      input.addEventListener("input", () => {
        kept.set(key, input.value);
        if (isFace(input)) (inputs.find(({ value }) => !value) ?? { focus: given }).focus();
      });
      input.addEventListener("keydown", (event) => {
        const next = event.key === "Enter" && input.value && inputs.find(({ value }) => !value);
        if (!next) return;
        event.preventDefault();
        next.focus();
      });
      inputs.push(input);
      rolls.push([who, purpose, about ?? ""]);
      return input;
    });
    const row = make("div", "", { class: "chips" });
    row.append(...rolled);
    return group(`${who}: ${[dice].flat().join(" ")} for ${purpose}${about ? ` (${about})` : ""}`, row);
  });
  const read = () => inputs.map(({ value }) => (value === "" ? null : Number(value)));
  return { parts, inputs, rolls, read };
}

/* Draws a list anew where it is another one, so that nobody loses what they type meanwhile. */
function list(place, items, draw) {
  const now = JSON.stringify(items);
  if (place.dataset.drawn === now) return;
  place.dataset.drawn = now;
  place.replaceChildren(...items.map(draw));
  place.hidden = !items.length;
}

/* A tap on a card or a token takes its fighter, where the form in view asks for one; one on the map fills in the square.
   Where no form is open, `places` hear of the place. */
const places = [];
const typeIn = (input, words) => {
  input.value = words;
  input.dispatchEvent(new Event("input"));
};
const inForm = (what) => document.querySelector(`.filling ${what}`) ?? document.querySelector(`.choosing ${what}`);

the("cards").addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]"), svg = event.target.closest("svg.squares"), input = inForm("[data-square]");
  const chip = card && inForm(`[data-who="${CSS.escape(card.dataset.card)}"]`);
  if (chip) return chip.click();
  const { area } = event.target.dataset, tell = (place) => places.forEach((hear) => hear(place));
  if (area) return (inForm(`[data-word="${CSS.escape(area)}"]`)?.click() ?? tell(area));
  if (!svg) return;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  if (x < 0) return;
  const square = `${Math.floor(x / SQUARE) + Number(svg.dataset.west)},${Number(svg.dataset.north) - Math.floor(y / SQUARE)}`;
  if (!input) return tell(square);
  typeIn(input, square);
});

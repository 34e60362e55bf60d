/* Searches all pages. What they hold is fetched when somebody begins to search. */

"use strict";

const up = document.body.dataset.up;
const sought = document.getElementById("sought"), found = document.getElementById("found");
const MOST = 12;
let searching = null;

async function prepared() {
  const sections = await (await fetch(`${up}search.json`)).json();
  const index = new MiniSearch({ fields: ["title", "text"], storeFields: ["title", "page", "anchor", "text"], searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4 }, combineWith: "AND" } });
  index.addAll(sections);
  return index;
}

/* Some words around the first of the words that were sought. */
function around(text, terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 60);
  return `${from ? "… " : ""}${text.slice(from, from + 160)}${text.length > from + 160 ? " …" : ""}`;
}

async function search() {
  const words = sought.value.trim();
  if (words.length < 2) { found.hidden = true; return; }
  searching ??= prepared();
  const index = await searching;
  if (sought.value.trim() !== words) return;
  const hits = index.search(words), list = document.createElement("ol");
  for (const { title, page, anchor, text, terms } of hits.slice(0, MOST)) {
    const item = document.createElement("li"), link = document.createElement("a"), said = document.createElement("p");
    link.href = `${up}${page}#${anchor}`;
    link.textContent = title;
    said.textContent = around(text, terms);
    item.append(link, said);
    list.append(item);
  }
  const counted = document.createElement("p");
  counted.textContent = hits.length ? `${hits.length} place${hits.length > 1 ? "s" : ""}${hits.length > MOST ? `, the best ${MOST} of them` : ""}` : "Nothing was found.";
  found.replaceChildren(counted, ...(hits.length ? [list] : []));
  found.hidden = false;
}

sought.addEventListener("input", search);
document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
if (matchMedia("(max-width: 52rem)").matches) document.querySelector("nav details").open = false;

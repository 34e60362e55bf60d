/* The texts in view that another one lies on, or that are cut. Each is a line of text, seen at its middle and its ends. */
const found = [], view = [innerWidth, document.documentElement.clientHeight];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const named = (one) => one.data.trim().slice(0, 40);
const related = (one, other) => one.contains(other) || other.contains(one);
while (texts.nextNode()) {
  const text = texts.currentNode, parent = text.parentElement;
  if (!text.data.trim() || parent.closest("svg, option, noscript, .hidden, datalist") || !parent.checkVisibility({ visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  for (const box of range.getClientRects()) {
    if (box.width < 2 || box.top < 0 || box.bottom > view[1]) continue;
    if (box.left < -1 || box.right > view[0] + 1) {
      let scrolls = parent;
      while (scrolls && !/auto|scroll|hidden|clip/.test(getComputedStyle(scrolls).overflowX)) scrolls = scrolls.parentElement;
      if (!scrolls) found.push(["off the screen", named(text)]);
      continue;
    }
    for (const share of [0.1, 0.5, 0.9]) {
      const [x, y] = [box.left + share * box.width, (box.top + box.bottom) / 2];
      const top = document.elementFromPoint(x, y);
      if (!top || related(top, parent)) continue;
      let cut = parent, clipped = false;
      while (cut && !cut.contains(top)) {
        const edge = cut.getBoundingClientRect(), style = getComputedStyle(cut);
        if (style.overflow !== "visible" && (y > edge.bottom || y < edge.top || x > edge.right || x < edge.left)) clipped = true;
        cut = cut.parentElement;
      }
      if (clipped) continue; /* it stands further on in what scrolls */
      const bar = top.closest(".steer, thead, th");
      if (bar && getComputedStyle(bar).position === "sticky") continue; /* scrolls on below a bar */
      found.push([`under ${top.closest("section, header, nav")?.id || top.tagName}: ${top.textContent.trim().slice(0, 30)}`, named(text)]);
      break;
    }
  }
}
return found;

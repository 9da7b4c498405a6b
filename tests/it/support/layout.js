// Finds what is wrong with the layout of a page: texts that cross, and figures and headings without content.
(() => {
  const UNSEEN = "script, style, title, desc, option, noscript, template";
  const isSeen = (element) => !element.closest(UNSEEN)
    && element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

  // The part of a box that no scrolling ancestor cuts off.
  function cut({ left, right, top, bottom }, element) {
    for (let outer = element; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowX === "visible") continue;
      const box = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  }

  function boxes() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim();
      if (text === "" || !isSeen(node.parentElement)) continue;
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = cut(rect, node.parentElement);
        // Above and below the letters a line has blank space.
        const blank = (box.bottom - box.top) / 6;
        [box.top, box.bottom] = [box.top + blank, box.bottom - blank];
        if (box.right - box.left > 1 && box.bottom - box.top > 1) found.push({ ...box, text, node });
      }
    }
    return found.sort((a, b) => a.top - b.top);
  }

  function overlaps() {
    const all = boxes();
    const found = [];
    all.forEach((one, at) => {
      for (let next = at + 1; next < all.length && all[next].top < one.bottom - 1; next += 1) {
        const other = all[next];
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        if (other.node !== one.node && across > 1) {
          found.push(`\`${one.text}\` crosses \`${other.text}\` at ${Math.round(other.left)},${Math.round(other.top + scrollY)}`);
        }
      }
    });
    return found;
  }

  // The first element after a heading that is seen, here or after its parents.
  function after(heading) {
    for (let at = heading; at && at.tagName !== "MAIN"; at = at.parentElement) {
      for (let next = at.nextElementSibling; next; next = next.nextElementSibling) {
        if (isSeen(next)) return next;
      }
      if (at.tagName === "SECTION") return undefined;
    }
    return undefined;
  }

  function empty() {
    const found = [];
    for (const svg of document.querySelectorAll("svg:not(svg svg)")) {
      const drawn = [...svg.querySelectorAll("path, line, rect, circle, polyline, polygon, text, use")];
      if (isSeen(svg) && !drawn.some((shape) => { const box = shape.getBBox(); return box.width + box.height > 0; })) {
        found.push(`nothing is drawn: ${svg.ariaLabel}`);
      }
    }
    for (const body of document.querySelectorAll("tbody, ul, ol")) {
      if (isSeen(body) && body.textContent.trim() === "") found.push(`no rows: ${body.parentElement.textContent.trim()}`);
    }
    for (const heading of document.querySelectorAll("h2, h3, h4")) {
      if (!isSeen(heading)) continue;
      const next = after(heading);
      const content = next?.textContent.trim() || next?.querySelector("svg, input");
      const isHigher = /^H[1-6]$/.test(next?.tagName) && next.tagName <= heading.tagName;
      if (!content || isHigher) found.push(`nothing below the heading ${heading.textContent}`);
    }
    return found;
  }

  return { overlaps: overlaps(), empty: empty() };
})()

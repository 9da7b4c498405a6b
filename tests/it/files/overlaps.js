(() => {
  const box = (element) => element.getBoundingClientRect();
  const board = box(document.getElementById('board'));
  const labels = [...document.querySelectorAll('#board .label')];
  const inside = (one) => one.left >= board.left && one.right <= board.right && one.top >= board.top && one.bottom <= board.bottom;
  const apart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
  const outside = [...labels, ...document.querySelectorAll('#board .ground')].filter((element) => !inside(box(element)));
  const touching = labels.filter((one, at) => labels.slice(at + 1).some((other) => !apart(box(one), box(other))));
  return [...outside, ...touching].map((element) => element.outerHTML);
})()
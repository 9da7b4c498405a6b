(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) =>
      (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = (one, other) => Math.max(light(one) / light(other), light(other) / light(one));
  return [...document.querySelectorAll('#board .cell:not(.shape-gap)')].flatMap((cell) => {
    const [ground, piece, face, glyph] = ['.ground', '.piece', '.face', '.glyph'].map((part) => cell.querySelector(part))
      .map((part) => part && getComputedStyle(part));
    const found = [];
    const below = cell.matches('.shape-none') ? glyph.stroke : (face ?? piece ?? ground).fill;
    const text = contrast(glyph.fill, below);
    if (text < 4.5) found.push(`${cell.getAttribute('class')}: glyph ${text.toFixed(2)}`);
    if (piece && contrast(piece.stroke, ground.fill) < 3) found.push(`${cell.getAttribute('class')}: outline`);
    return found;
  });
})()
// -- where words are shown: below the figure, in the page's bar or, in an SVG of its own, at the figure's lower edge --------
var ui = { details: null, found: null, field: null };
function svgText(x, anchor, text, press) {
  var box = figure.viewBox.baseVal, e = document.createElementNS(SVG, 'text');
  e.setAttribute('x', x);
  e.setAttribute('y', box.height - 9);
  e.setAttribute('class', 's');
  e.setAttribute('font-size', '12');
  e.setAttribute('text-anchor', anchor);
  e.setAttribute('fill', facts.ink);
  e.textContent = text;
  if (press) {
    e.setAttribute('tabindex', '0');
    e.setAttribute('role', 'button');
    e.setAttribute('style', 'cursor:pointer;text-decoration:underline');
    e.addEventListener('click', function (event) { event.stopPropagation(); press(); });
    e.addEventListener('keydown', function (event) { if (event.key === 'Enter') { event.stopPropagation(); press(); } });
  }
  figure.appendChild(e);
  return e;
}
// -- names in little room: graph/frame_label.h has the rule. Here the font is known, there only the widest that readers may have --------
/// A function that gives the width of words in such a font, in pixels.
function rulerOf(family) {
  var paint = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d');
  paint.font = '100px ' + family;
  return function (words, size) { return paint.measureText(words).width * size / 100; };
}
/// The longest form of a name that fits, or a part of the shortest; empty where too few letters would be left. `forms`: as the exporter
/// tells them (exporters/web/facts.h), if there are others than the name. `letters`: how many have room.
function nameIn(name, forms, fits, letters) {
  var all = (forms || [0]).map(function (form) { return form === 0 ? name : form; });
  for (var i = 0; i < all.length; ++i) if (fits(all[i])) return all[i];
  var last = Array.from(all[all.length - 1]), middle = letters >= 16, cut = '';
  for (var kept = Math.min(last.length - 1, Math.floor(letters)); kept > 0 && !cut; --kept) {
    var head = middle ? Math.floor(kept / 2) : kept, some = last.slice(0, head).join('') + '\u2026' + last.slice(last.length - kept + head).join('');
    if (fits(some)) cut = some;
  }
  return (cut.match(/[\w\u0080-\u2025\u2027-\uffff]/g) || []).length >= 5 ? cut : '';
}
/// What a mark stands for, a line each, in a list beside the figure that can be read, copied and searched.
function openFold(item) {
  closeFold();
  var panel = document.createElement('aside'), head = document.createElement('h2'), close = document.createElement('button'), list = document.createElement('ul'), lines = item.inside.split('\n');
  panel.id = 'inside';
  panel.setAttribute('tabindex', '-1');
  panel.setAttribute('aria-label', 'What is folded');
  head.textContent = item.title.split('\n')[0];
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', closeFold);
  lines.forEach(function (line) {
    var entry = document.createElement('li'), text = line.replace(/^\t+/, '');
    entry.style.paddingLeft = (line.length - text.length) * 16 + 'px';
    entry.textContent = text;
    list.appendChild(entry);
  });
  panel.appendChild(close);
  panel.appendChild(head);
  panel.appendChild(list);
  document.body.appendChild(panel);
  panel.focus();
}
function closeFold() {
  var panel = inPage && document.getElementById('inside');
  if (panel) panel.remove();
}
function show(title) { ui.details.textContent = title.replace(/\n/g, ' \u00b7 '); }

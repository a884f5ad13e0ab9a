var SVG = 'http://www.w3.org/2000/svg';
/// Of a page that is one figure, or an SVG, parts have ids; of a figure among several, `data-part`.
function part(name) { return root === document.documentElement ? document.getElementById(name) : root.querySelector('[data-part="' + name + '"]'); }
var figure = part('figure') || root;
var inPage = document.documentElement.localName !== 'svg';
/// What the exporter tells of the figure (exporters/web/facts.h): of one that is drawn as SVG, or of a tree for a canvas.
function told(id) { var e = part(id); return e ? JSON.parse(e.textContent) : null; }
var tree = told('dscope-tree'), facts = tree || told('dscope-figure');

function number(element, name) { return parseFloat(element.getAttribute(name)) || 0; }
function titleOf(element) {
  for (var e = element; e && e !== figure.parentNode; e = e.parentNode)
    for (var c = e.firstElementChild; c && e !== figure; c = c.nextElementSibling)
      if (c.localName === 'title') return c.textContent;
  return '';
}
function grouped(n) { return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ','); }
function percent(part, whole) {
  var p = whole > 0 ? 100 * part / whole : 0;
  if (p >= 99.95 && p < 100) return '> 99.9 %';
  return (p === 0 || p === 100 ? p.toFixed(0) : p >= 0.1 ? p.toFixed(1) : '<0.1') + ' %';
}

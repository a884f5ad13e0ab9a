// Zoom, search, details and the keyboard, for figures as SVG and in HTML. What was traced is shown as text nodes alone: this
// script never makes markup of it.
(function () {
'use strict';
var SVG = 'http://www.w3.org/2000/svg';
var figure = document.getElementById('figure') || document.documentElement;
var inPage = document.documentElement.localName !== 'svg';
/// What the exporter tells of the figure (exporters/web/facts.h): of one that is drawn as SVG, or of a tree for a canvas.
function told(id) { var e = document.getElementById(id); return e ? JSON.parse(e.textContent) : null; }
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
  return (p === 0 || p >= 9.95 ? p.toFixed(p === 0 ? 0 : 1) : p >= 0.1 ? p.toFixed(1) : '<0.1') + ' %';
}

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
function show(title) { ui.details.textContent = title.replace(/\n/g, ' \u00b7 '); }

// -- the figure's tree: what its nodes are called, what they stand for and what they are a part of, whether drawn or not --------
/// The nodes of a figure that is drawn as SVG, callers first, what they call from left to right. `side`: 0 the root, -1 a caller
/// in a sandwich, 1 what is called.
function nodesOf() {
  var nodes = [], roots = [], sorted = [];
  for (var i = 0; i < facts.nodes.length; i += 4) {
    var up = nodes[facts.nodes[i + 1]] || null;
    var node = { name: facts.names[facts.nodes[i]], up: up, weight: facts.nodes[i + 2], side: facts.nodes[i + 3] ? -1 : up ? 1 : 0,
      depth: up ? up.depth + 1 : 0, lane: null, element: null, kids: [] };
    node.lane = up ? up.lane : node;
    (up ? up.kids : roots).push(node);
    nodes.push(node);
  }
  for (var open = roots.reverse(); open.length;) {
    var next = open.pop();
    sorted.push(next);
    for (i = next.kids.length - 1; i >= 0; --i) open.push(next.kids[i]);
    next.kids = null;
  }
  return { byNumber: nodes, sorted: sorted };
}
/// The nearest caller that is drawn.
function callerOf(node) {
  for (var up = node.up; up && !up.element; up = up.up) { /* too narrow, or a whole thread */ }
  return up;
}
/// Tells each node whether it calls `focus` or is called by it. `nodes`: callers first.
function relate(nodes, focus) {
  nodes.forEach(function (n) { n.within = n === focus || !!(n.up && n.up.within); n.above = false; });
  for (var up = focus.up; up; up = up.up) up.above = true;
}
/// What the matches stand for: each part of the whole once, however deep they nest. In a sandwich the same stack may be among the
/// callers and among the callees: each side is told by itself.
function shareOf(nodes, matches) {
  var whole = 0, sides = [0, 0];
  nodes.forEach(function (n) {
    if (!n.up) whole += n.weight;
    n.counted = !!(n.up && n.up.counted) || matches.has(n);
    if (n.counted && !(n.up && n.up.counted)) sides[n.side < 0 ? 0 : 1] += n.weight;
  });
  if (sides[0] && sides[1]) return percent(sides[0], whole) + ' above, ' + percent(sides[1], whole) + ' below';
  return percent(sides[0] + sides[1], whole);
}

// -- what can be walked, searched and zoomed: `items` with a title; each view lays them out in its own way -----------------------
/// Marks of any figure: zoomed as a picture.
function plainView() {
  var items = [], whole = figure.viewBox.baseVal, start = [whole.x, whole.y, whole.width, whole.height], box = start.slice(), drag = null;
  Array.prototype.forEach.call(figure.querySelectorAll('rect,path,text'), function (e) {
    var c = e.firstElementChild;
    if (c && c.localName === 'title') { items.push({ element: e, title: c.textContent }); e.__item = items[items.length - 1]; }
  });
  function apply() { figure.setAttribute('viewBox', box.join(' ')); }
  figure.addEventListener('wheel', function (event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    var at = figure.getBoundingClientRect(), k = Math.pow(1.0015, event.deltaY);
    k = Math.min(k, start[2] / box[2]);
    k = Math.max(k, start[2] / 50 / box[2]);
    var px = (event.clientX - at.left) / at.width, py = (event.clientY - at.top) / at.height;
    box = [box[0] + px * box[2] * (1 - k), box[1] + py * box[3] * (1 - k), box[2] * k, box[3] * k];
    apply();
  }, { passive: false });
  figure.addEventListener('pointerdown', function (event) { if (box[2] < start[2]) drag = [event.clientX, event.clientY]; });
  figure.addEventListener('pointermove', function (event) {
    if (!drag || !event.buttons) { drag = null; return; }
    var at = figure.getBoundingClientRect();
    box[0] -= (event.clientX - drag[0]) * box[2] / at.width;
    box[1] -= (event.clientY - drag[1]) * box[3] / at.height;
    drag = [event.clientX, event.clientY];
    apply();
  });
  return { items: items, focus: null, zoom: function () {}, reset: function () { box = start.slice(); apply(); },
    mark: function (matched, current) { items.forEach(function (i) { outline(i.element, matched.has(i), i === current); }); },
    hit: function (event) { for (var e = event.target; e && e !== figure; e = e.parentNode) if (e.__item) return e.__item; return null; },
    nodes: null };
}
function outline(element, matched, current) {
  if (!element.__was) {
    if (!matched && !current) return;
    element.__was = [element.getAttribute('stroke'), element.getAttribute('stroke-width')];
  }
  var was = element.__was;
  function put(name, value) { if (value === null) element.removeAttribute(name); else element.setAttribute(name, value); }
  put('stroke', current ? facts.chosen : matched ? facts.found : was[0]);
  put('stroke-width', current ? '3' : matched ? '2' : was[1]);
  if (element.localName === 'text') put('paint-order', current || matched ? 'stroke' : null);
}
/// Nanoseconds, with four digits.
function moment(ns) {
  var units = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];
  var unit = units.filter(function (u) { return ns >= u[1]; })[0] || units[3];
  return String(Number((ns / unit[1]).toPrecision(4))) + ' ' + unit[0];
}
/// The frames of a flame graph that stands as SVG, or calls over time: these are cut where they leave what is shown.
function frameView() {
  var elements = figure.querySelectorAll('.f'), items = [], root = null, timed = elements[0].hasAttribute('data-start-ns'), nodes = nodesOf();
  Array.prototype.forEach.call(elements, function (e) {
    var item = nodes.byNumber[number(e, 'data-node')];
    item.element = e;
    item.title = titleOf(e);
    item.x = number(e, 'x');
    item.w = number(e, 'width');
    item.y = number(e, 'y');
    item.with = [];
    item.text = null;
    for (var n = e.nextElementSibling; n && !(n.getAttribute('class') || '').match(/(^| )f( |$)/); n = n.nextElementSibling) {
      if (n.localName === 'rect' && n.getAttribute('pointer-events') === 'none') item.with.push(n);
      else if (n.localName === 'text' && (n.getAttribute('class') || '').match(/(^| )l( |$)/)) item.text = n;
      else break;
    }
    if (item.text) item.original = [item.text.textContent, item.text.getAttribute('textLength'), number(item.text, 'x') - item.x];
    e.__item = item;
    items.push(item);
  });
  root = timed ? wholeTime() : nodes.sorted[0];
  // Callers above and callees below a root between them have nothing to do with each other.
  var between = items.some(function (i) { return i.side < 0; });
  var template = items.filter(function (i) { return i.text; })[0];
  var view = { items: items, nodes: nodes.sorted, focus: null };
  /// What is written on a run of neighbours, which have no name.
  function runName(item) {
    var frames = number(item.element, 'data-frames'), calls = number(item.element, 'data-calls');
    return frames ? grouped(frames) + ' frames, ' + percent(item.weight, root.weight) : calls ? grouped(calls) + ' calls' : '';
  }
  function label(item, width) {
    var name = item.name || runName(item), size = template ? number(template.text, 'font-size') : 12, room = Math.floor((width - 8) / (size * 0.602));
    if (width < 30 || room < 3) return '';
    var change = item.element.getAttribute('data-change') || '';
    if (change && name.length + change.length + 2 <= room) name += '  ' + change;
    if (name.length > room && name.indexOf('`') >= 0) name = name.slice(name.indexOf('`') + 1);
    return name.length <= room ? name : name.slice(0, room - 1) + '\u2026';
  }
  /// All of the time; every call's place by its nanoseconds, which are more exact than what is drawn.
  function wholeTime() {
    var from = Infinity, to = -Infinity, left = Infinity, right = 0;
    items.forEach(function (item) {
      item.start = number(item.element, 'data-start-ns');
      from = Math.min(from, item.start);
      to = Math.max(to, item.start + number(item.element, 'data-duration-ns'));
      left = Math.min(left, item.x);
      right = Math.max(right, item.x + item.w);
    });
    items.forEach(function (item) {
      var x = left + (item.start - from) / (to - from) * (right - left), w = number(item.element, 'data-duration-ns') / (to - from) * (right - left);
      item.exact = Math.abs(x - item.x) < 1 && w > 0 ? { x: x, w: w } : { x: item.x, w: item.w };
    });
    var whole = { x: left, w: right - left, y: items[0].y, time: to - from };
    whole.exact = whole;
    return whole;
  }
  /// What stands at the lines of the axis, whose places stay.
  function relabel(f) {
    Array.prototype.forEach.call(figure.querySelectorAll('text[data-at-ns]'), function (e) {
      if (!e.__was) e.__was = [e.textContent, e.getAttribute('textLength')];
      var at = number(e, 'data-at-ns') / root.time;
      e.textContent = f === root ? e.__was[0] : moment((f.exact.x - root.x + at * f.exact.w) / root.w * root.time);
      if (f === root) e.setAttribute('textLength', e.__was[1]); else e.removeAttribute('textLength');
    });
  }
  function place(item, x, w) {
    var shown = w >= 0.3;
    [item.element].concat(item.with, item.text ? [item.text] : []).forEach(function (e) {
      if (shown) e.removeAttribute('display'); else e.setAttribute('display', 'none');
    });
    if (!shown) return;
    [item.element].concat(item.with).forEach(function (e) { e.setAttribute('x', x.toFixed(2)); e.setAttribute('width', w.toFixed(2)); });
    var same = Math.abs(w - item.w) < 0.01;
    if (!item.text) {
      if (same || w < 30 || !template) return;
      item.text = template.text.cloneNode(false);
      item.text.setAttribute('y', number(template.text, 'y') + item.y - template.y);
      item.original = ['', null, template.original[2]];
      item.element.parentNode.insertBefore(item.text, item.with.length ? item.with[item.with.length - 1].nextSibling : item.element.nextSibling);
    }
    item.text.textContent = same ? item.original[0] : label(item, w);
    if (same && item.original[1]) item.text.setAttribute('textLength', item.original[1]); else item.text.removeAttribute('textLength');
    item.text.setAttribute('x', (x + item.original[2]).toFixed(2));
  }
  view.zoom = function (to) {
    view.focus = to && to !== root ? to : null;
    var f = view.focus || root, k = root.w / f.w;
    if (timed) relabel(f); else relate(view.nodes, f);
    items.forEach(function (item) {
      if (timed && f === root) return place(item, item.x, item.w);
      if (timed) {
        var seen = f.exact, left = Math.max(item.exact.x, seen.x), right = Math.min(item.exact.x + item.exact.w, seen.x + seen.w);
        if (right < left) return place(item, 0, 0);
        return place(item, root.x + (left - seen.x) / seen.w * root.w, Math.max((right - left) / seen.w * root.w, 0.75));
      }
      if (between && f.side && item.side === -f.side) return place(item, item.x, item.w);
      if (item.above) place(item, root.x, root.w);
      else if (item.within) place(item, root.x + (item.x - f.x) * k, item === root ? item.w : item.w * k);
      else place(item, 0, 0);
      if (item.above && view.focus) item.element.setAttribute('opacity', '0.55'); else item.element.removeAttribute('opacity');
    });
  };
  view.reset = function () { view.zoom(null); };
  view.mark = function (matched, current) { items.forEach(function (i) { outline(i.element, matched.has(i), i === current); }); };
  view.hit = function (event) { var e = event.target; return (e && e.__item) || (e && e.previousElementSibling && e.localName === 'text' && e.previousElementSibling.__item) || null; };
  view.first = timed ? items[0] : root;
  view.upwards = facts.growth === 'up';
  view.flip = timed || between ? null : function () {
    var ys = items.map(function (i) { return i.y; }), both = Math.min.apply(null, ys) + Math.max.apply(null, ys);
    items.forEach(function (item) {
      var by = both - 2 * item.y;
      [item.element].concat(item.with, item.text ? [item.text] : []).forEach(function (e) { e.setAttribute('y', (number(e, 'y') + by).toFixed(2)); });
      item.y += by;
    });
    view.upwards = !view.upwards;
  };
  return view;
}
/// A tree too large for SVG, on a canvas: tree.nodes holds name, depth, own value and kind of each node, callers first.
function canvasView() {
  var canvas = document.getElementById('canvas'), paint = canvas.getContext('2d'), row = 18, items = [], open = [], view = { items: items, nodes: items, focus: null };
  for (var i = 0; i < tree.nodes.length; i += 4) {
    var item = { name: tree.names[tree.nodes[i]], depth: tree.nodes[i + 1], self: tree.nodes[i + 2], weight: tree.nodes[i + 2], kind: tree.nodes[i + 3], up: null, side: 1, element: canvas };
    open.length = item.depth;
    item.up = open[item.depth - 1] || null;
    open.push(item);
    items.push(item);
  }
  for (i = items.length - 1; i > 0; --i) items[i].up.weight += items[i].weight;
  var root = items[0], deepest = 0;
  root.label = root.name; // "all" is no frame
  root.name = '';
  items.forEach(function (item) {
    // Callees stand side by side from their caller's left edge.
    item.x = item.up ? item.up.next : 0;
    item.lane = root;
    item.w = item.weight / root.weight;
    item.next = item.x;
    if (item.up) item.up.next += item.w;
    deepest = Math.max(deepest, item.depth);
    Object.defineProperty(item, 'title', { get: function () {
      return (item.name || item.label) + '\nself ' + grouped(item.self) + ', total ' + grouped(item.weight) + ', ' + percent(item.weight, root.weight) + ' of all';
    } });
  });
  var matched = new Set(), current = null, drawn = [];
  view.upwards = facts.growth === 'up';
  function size() {
    canvas.style.height = (deepest + 1) * row + 'px'; // first: it decides whether a scroll bar takes some of the width
    canvas.width = canvas.clientWidth * (window.devicePixelRatio || 1);
    canvas.height = (deepest + 1) * row * (window.devicePixelRatio || 1);
    draw();
  }
  function draw() {
    var f = view.focus || root, width = canvas.clientWidth, k = width / f.w, scale = window.devicePixelRatio || 1;
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, width, (deepest + 1) * row);
    paint.font = '12px "JetBrains Mono","DejaVu Sans Mono",monospace';
    paint.textBaseline = 'middle';
    drawn = [];
    for (var d = 0; d <= deepest; ++d) drawn.push([]);
    var ends = new Float64Array(deepest + 2);
    relate(items, f);
    items.forEach(function (item) {
      var above = item.above, x = above ? 0 : (item.x - f.x) * k, w = above ? width : item.w * k;
      if (!above && !item.within) return;
      if (w < 1 && x + w < ends[item.depth]) return; // a pixel that is drawn already
      ends[item.depth] = Math.floor(x) + 1;
      var y = (view.upwards ? deepest - item.depth : item.depth) * row;
      drawn[item.depth].push([x, Math.max(w, 1), item]);
      paint.globalAlpha = above && view.focus ? 0.55 : 1;
      paint.fillStyle = tree.kinds[item.kind];
      paint.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.7), row - 1);
      if (w >= 30) {
        var room = Math.floor((w - 8) / 7.23), name = item.name || item.label;
        if (name.length > room && name.indexOf('`') >= 0) name = name.slice(name.indexOf('`') + 1);
        if (name.length > room) name = name.slice(0, room - 1) + '\u2026';
        paint.fillStyle = tree.inks[item.kind];
        if (room >= 3) paint.fillText(name, x + 4, y + row / 2);
      }
      paint.globalAlpha = 1;
      if (matched.has(item) || item === current) {
        paint.lineWidth = 2;
        paint.strokeStyle = item === current ? facts.chosen : facts.found;
        paint.strokeRect(x + 1, y + 1, Math.max(w - 3, 0.5), row - 3);
      }
    });
  }
  view.zoom = function (to) { view.focus = to && to !== root ? to : null; draw(); };
  view.reset = function () { view.zoom(null); };
  view.mark = function (found, now) { matched = found; current = now; draw(); };
  view.hit = function (event) {
    var at = canvas.getBoundingClientRect(), line = Math.floor((event.clientY - at.top) / row), depth = view.upwards ? deepest - line : line, x = event.clientX - at.left;
    return ((drawn[depth] || []).filter(function (b) { return x >= b[0] && x < b[0] + b[1]; })[0] || [])[2] || null;
  };
  view.first = root;
  view.flip = function () { view.upwards = !view.upwards; draw(); };
  window.addEventListener('resize', size);
  size();
  return view;
}

var view = tree ? canvasView() : figure.querySelector('.f') ? frameView() : plainView();
var surface = tree ? document.getElementById('canvas') : figure;
var found = [], current = null, at = -1, typed = '', typing = false;

function say(text) { if (ui.found) ui.found.textContent = text; }
function mark() { view.mark(new Set(found), current); }
function search(pattern) {
  found = [];
  at = -1;
  if (!pattern) { say(''); mark(); return; }
  var expression;
  try { expression = new RegExp(pattern, 'i'); } catch (e) { say('not a regular expression yet'); mark(); return; }
  var matches = (view.nodes || view.items).filter(function (i) { return expression.test(view.nodes ? i.name : i.title) && (!view.nodes || i.name); });
  found = view.nodes ? matches.filter(function (n) { return n.element; }) : matches;
  var text = grouped(matches.length) + (matches.length === 1 ? ' match' : ' matches');
  if (view.nodes) text += (tree || facts.whole ? ', ' : ', at least ') + shareOf(view.nodes, new Set(matches));
  if (found.length < matches.length) text += ', ' + grouped(matches.length - found.length) + ' too narrow to be drawn';
  say(text);
  mark();
}
function select(item) {
  if (!item) return;
  current = item;
  show(item.title);
  mark();
}
function stepTo(by) {
  if (!found.length) return;
  at = (at + by + found.length) % found.length;
  select(found[at]);
}
/// The key that leads from a node's caller to it.
function keyTo(node) { return node.side < 0 || (view.upwards && node.side > 0) ? 'ArrowUp' : 'ArrowDown'; }
function walk(key) {
  if (!current || !view.nodes) {
    var order = view.items, index = current ? order.indexOf(current) : -1;
    return select(view.nodes ? view.focus || view.first : order[(index + (key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1) + order.length) % order.length]);
  }
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (current.side !== 0 && key !== keyTo(current)) return select(callerOf(current));
    var next = view.nodes.filter(function (n) { return n.element && keyTo(n) === key && callerOf(n) === current; });
    return select(next.sort(function (a, b) { return b.weight - a.weight; })[0]);
  }
  var beside = view.nodes.filter(function (n) { return n.element && n.depth === current.depth && n.side === current.side && n.lane === current.lane; });
  select(beside[beside.indexOf(current) + (key === 'ArrowLeft' ? -1 : 1)]);
}
function reset() {
  current = null;
  typed = '';
  typing = false;
  if (ui.field) ui.field.value = '';
  search('');
  view.reset();
  show('');
}
function beginSearch() {
  if (ui.field) { ui.field.focus(); ui.field.select(); return; }
  typing = true;
  typed = '';
  say('search: \u258f');
}
function typeKey(event) {
  if (event.key === 'Escape') { typing = false; typed = ''; search(''); }
  else if (event.key === 'Enter') { typing = false; search(typed); stepTo(1); }
  else {
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    search(typed);
    say('search: ' + typed + '\u258f ' + ui.found.textContent);
  }
  event.preventDefault();
}
document.addEventListener('keydown', function (event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (ui.field && event.target === ui.field) {
    if (event.key === 'Escape') { ui.field.blur(); reset(); }
    if (event.key === 'Enter') { event.preventDefault(); stepTo(event.shiftKey ? -1 : 1); }
    // From a match the arrows walk on, the field has no use for these two.
    if (current && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) { event.preventDefault(); ui.field.blur(); walk(event.key); }
    return;
  }
  if (typing) { typeKey(event); return; }
  var key = event.key;
  if (key === '/') beginSearch();
  else if (key === 'n') stepTo(1);
  else if (key === 'N') stepTo(-1);
  else if (key === 'Escape') reset();
  else if (key === 'i') { if (view.flip) view.flip(); }
  else if (key === 'Backspace') { if (view.focus) view.zoom(callerOf(view.focus)); }
  else if (key === 'Enter') { if (current) view.zoom(current); }
  else if (key.indexOf('Arrow') === 0) walk(key);
  else return;
  event.preventDefault();
});
surface.addEventListener('click', function (event) {
  var item = view.hit(event);
  if (!item) return;
  select(item);
  view.zoom(item);
});
surface.addEventListener('mousemove', function (event) {
  var item = view.hit(event);
  if (item) show(item.title);
  else if (!current) show('');
});
if (inPage) {
  ui.details = document.getElementById('details');
  ui.found = document.getElementById('found');
  ui.field = document.getElementById('search');
  ui.field.addEventListener('input', function () { search(ui.field.value); });
  document.getElementById('reset').addEventListener('click', reset);
} else {
  // The window's size, not the paper's.
  figure.setAttribute('width', '100%');
  figure.setAttribute('height', '100%');
  var w = figure.viewBox.baseVal.width;
  svgText(w - 16, 'end', 'Reset', reset);
  svgText(w - 62, 'end', 'Search', beginSearch);
  ui.found = svgText(w - 120, 'end', '');
  ui.details = svgText(16, 'start', '');
  ui.details.setAttribute('aria-live', 'polite');
}
}());

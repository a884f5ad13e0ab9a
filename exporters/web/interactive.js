// Zoom, search, details and the keyboard, for figures as SVG and in HTML. What was traced is shown as text nodes alone: this
// script never makes markup of it.
(function () {
'use strict';
var SVG = 'http://www.w3.org/2000/svg';
var figure = document.getElementById('figure') || document.documentElement;
var inPage = document.documentElement.localName !== 'svg';
var data = document.getElementById('dscope-tree');
var tree = data ? JSON.parse(data.textContent) : null;
// Outlines, that are seen on every fill of the theme.
var onDark = (tree ? tree.ink[0] : figure.getAttribute('data-ink')) === '#FFFFFF';
var kFound = onDark ? '#FF8AC8' : '#D6006E', kChosen = onDark ? '#FFFFFF' : '#0072B2';

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
  e.setAttribute('fill', figure.getAttribute('data-ink') || '#1A1A1A');
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

// -- what can be walked, searched and zoomed: `items` with title, x, w, depth; each view lays them out in its own way ---------
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
    share: null };
}
function outline(element, matched, current) {
  if (!element.__was) {
    if (!matched && !current) return;
    element.__was = [element.getAttribute('stroke'), element.getAttribute('stroke-width')];
  }
  var was = element.__was;
  function put(name, value) { if (value === null) element.removeAttribute(name); else element.setAttribute(name, value); }
  put('stroke', current ? kChosen : matched ? kFound : was[0]);
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
  var elements = figure.querySelectorAll('.f'), items = [], root = null, heights = {}, timed = elements[0].hasAttribute('data-start-ns');
  Array.prototype.forEach.call(elements, function (e) {
    var item = { element: e, title: titleOf(e), x: number(e, 'x'), w: number(e, 'width'), y: number(e, 'y'), weight: number(e, 'data-total'), with: [], text: null };
    for (var n = e.nextElementSibling; n && !(n.getAttribute('class') || '').match(/(^| )f( |$)/); n = n.nextElementSibling) {
      if (n.localName === 'rect' && n.getAttribute('pointer-events') === 'none') item.with.push(n);
      else if (n.localName === 'text' && (n.getAttribute('class') || '').match(/(^| )l( |$)/)) item.text = n;
      else break;
    }
    if (item.text) item.original = [item.text.textContent, item.text.getAttribute('textLength'), number(item.text, 'x') - item.x];
    e.__item = item;
    heights[item.y] = 1;
    items.push(item);
    if (!root || item.w > root.w) root = item; // the first of the widest: callers come before what they call
  });
  var ys = Object.keys(heights).map(Number).sort(function (a, b) { return a - b; }), step = Infinity;
  for (var i = 1; i < ys.length; ++i) step = Math.min(step, ys[i] - ys[i - 1]);
  if (timed) root = wholeTime();
  items.forEach(function (item) { item.depth = Math.round(Math.abs(item.y - root.y) / step) || 0; item.kids = item.w; });
  // Callers above and callees below a root between them have nothing to do with each other.
  var highest = ys[0], lowest = ys[ys.length - 1], between = !timed && root.y > highest && root.y < lowest;
  if (between) items.forEach(function (item) { item.side = item === root ? 0 : item.y < root.y ? -1 : 1; });
  var template = items.filter(function (i) { return i.text; })[0];
  var view = { items: items, focus: null };
  function label(item, width) {
    var name = item.title.split('\n')[0], size = template ? number(template.text, 'font-size') : 12, room = Math.floor((width - 8) / (size * 0.602));
    if (width < 30 || room < 3) return '';
    var change = item.element.hasAttribute('data-before') ? item.title.split('\n')[2] || '' : '';
    if (change && change.indexOf(':') < 0 && name.length + change.length + 2 <= room) name += '  ' + change;
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
    if (timed) relabel(f);
    items.forEach(function (item) {
      var isAbove = item.depth < f.depth && item.x <= f.x + 0.01 && item.x + item.w >= f.x + f.w - 1.5;
      var isWithin = item.depth >= f.depth && item.x >= f.x - 0.01 && item.x + item.w <= f.x + f.w + 1.5;
      if (timed && f === root) return place(item, item.x, item.w);
      if (timed) {
        var seen = f.exact, left = Math.max(item.exact.x, seen.x), right = Math.min(item.exact.x + item.exact.w, seen.x + seen.w);
        if (right < left) return place(item, 0, 0);
        return place(item, root.x + (left - seen.x) / seen.w * root.w, Math.max((right - left) / seen.w * root.w, 0.75));
      }
      if (between && f.side && item.side === -f.side) return place(item, item.x, item.w);
      if (isAbove) place(item, root.x, root.w);
      else if (isWithin) place(item, root.x + (item.x - f.x) * k, item === root ? item.w : item.w * k);
      else place(item, 0, 0);
      if (isAbove && view.focus) item.element.setAttribute('opacity', '0.55'); else item.element.removeAttribute('opacity');
    });
  };
  view.reset = function () { view.zoom(null); };
  view.mark = function (matched, current) { items.forEach(function (i) { outline(i.element, matched.has(i), i === current); }); };
  view.hit = function (event) { var e = event.target; return (e && e.__item) || (e && e.previousElementSibling && e.localName === 'text' && e.previousElementSibling.__item) || null; };
  view.root = root;
  view.first = timed ? items[0] : root;
  view.upwards = ys.length > 1 && root.y === ys[ys.length - 1];
  view.flip = timed || between ? null : function () {
    items.forEach(function (item) {
      var by = highest + lowest - 2 * item.y;
      [item.element].concat(item.with, item.text ? [item.text] : []).forEach(function (e) { e.setAttribute('y', (number(e, 'y') + by).toFixed(2)); });
      item.y += by;
    });
    view.upwards = !view.upwards;
  };
  return view;
}
/// A tree too large for SVG, on a canvas: tree.nodes holds name, depth, own value and kind of each node, callers first.
function canvasView() {
  var canvas = document.getElementById('canvas'), paint = canvas.getContext('2d'), row = 18, items = [], open = [], view = { items: items, focus: null };
  for (var i = 0; i < tree.nodes.length; i += 4) {
    var item = { name: tree.names[tree.nodes[i]], depth: tree.nodes[i + 1], self: tree.nodes[i + 2], total: tree.nodes[i + 2], kind: tree.nodes[i + 3], up: null };
    open.length = item.depth;
    item.up = open[item.depth - 1] || null;
    open.push(item);
    items.push(item);
  }
  for (i = items.length - 1; i > 0; --i) items[i].up.total += items[i].total;
  var root = items[0], deepest = 0, next = [0];
  items.forEach(function (item) {
    // Callees stand side by side from their caller's left edge.
    item.x = item.up ? item.up.next : 0;
    item.w = item.total / root.total;
    item.next = item.x;
    if (item.up) item.up.next += item.w;
    deepest = Math.max(deepest, item.depth);
    Object.defineProperty(item, 'title', { get: function () {
      return item.name + '\nself ' + grouped(item.self) + ', total ' + grouped(item.total) + ', ' + percent(item.total, root.total) + ' of all';
    } });
  });
  var matched = new Set(), current = null, drawn = [];
  view.upwards = !tree.down;
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
    items.forEach(function (item) {
      var above = item.depth < f.depth && item.x <= f.x + 1e-12 && item.x + item.w >= f.x + f.w - 1e-12;
      var x = above ? 0 : (item.x - f.x) * k, w = above ? width : item.w * k;
      if (!above && (item.depth < f.depth || x + w <= 0 || x >= width)) return;
      if (w < 1 && x + w < ends[item.depth]) return; // a pixel that is drawn already
      ends[item.depth] = Math.floor(x) + 1;
      var y = (view.upwards ? deepest - item.depth : item.depth) * row;
      drawn[item.depth].push([x, Math.max(w, 1), item]);
      paint.globalAlpha = above && view.focus ? 0.55 : 1;
      paint.fillStyle = tree.kinds[item.kind];
      paint.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.7), row - 1);
      if (w >= 30) {
        var room = Math.floor((w - 8) / 7.23), name = item.name;
        if (name.length > room && name.indexOf('`') >= 0) name = name.slice(name.indexOf('`') + 1);
        if (name.length > room) name = name.slice(0, room - 1) + '\u2026';
        paint.fillStyle = tree.ink[item.kind];
        if (room >= 3) paint.fillText(name, x + 4, y + row / 2);
      }
      paint.globalAlpha = 1;
      if (matched.has(item) || item === current) {
        paint.lineWidth = 2;
        paint.strokeStyle = item === current ? kChosen : kFound;
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
  view.root = view.first = root;
  view.flip = function () { view.upwards = !view.upwards; draw(); };
  window.addEventListener('resize', size);
  size();
  return view;
}

var view = tree ? canvasView() : figure.querySelector('.f') ? frameView() : plainView();
var surface = tree ? document.getElementById('canvas') : figure;
var found = [], current = null, at = -1, typed = '', typing = false;

/// What the matches stand for, each part of the root once, however deep they nest.
function share() {
  if (!view.root) return '';
  // Of callers and of callees each: the same stack may be among both.
  var sides = [found.filter(function (i) { return i.side < 0; }), found.filter(function (i) { return i.side > 0; })];
  if (sides[0].length && sides[1].length && sides[0].length + sides[1].length === found.length)
    return ', ' + shareOf(sides[0]) + ' above, ' + shareOf(sides[1]) + ' below';
  return ', ' + shareOf(found.indexOf(view.root) >= 0 ? [view.root] : found);
}
function shareOf(items) {
  var end = -Infinity, sum = 0;
  items.slice().sort(function (a, b) { return a.x - b.x || b.w - a.w; }).forEach(function (i) {
    if (i.x + i.w <= end + 0.01 * view.root.w / 1600) return;
    sum += i.weight || i.w;
    end = i.x + i.w;
  });
  return percent(sum, view.root.weight || view.root.w);
}
function say(text) { if (ui.found) ui.found.textContent = text; }
function mark() { view.mark(new Set(found), current); }
function search(pattern) {
  found = [];
  at = -1;
  if (!pattern) { say(''); mark(); return; }
  var expression;
  try { expression = new RegExp(pattern, 'i'); } catch (e) { say('not a regular expression yet'); mark(); return; }
  found = view.items.filter(function (i) { return expression.test(view.root ? i.title.split('\n')[0] : i.title); });
  say(grouped(found.length) + (found.length === 1 ? ' match' : ' matches') + share());
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
function parentOf(item) {
  if (item.up !== undefined) return item.up;
  return view.items.filter(function (i) { return i.depth === item.depth - 1 && !(i.side && item.side !== i.side) && i.x <= item.x + 0.01 && i.x + i.w >= item.x + item.w - 1.5; })[0] || null;
}
function walk(key) {
  if (!current || !view.root) {
    var order = view.items, index = current ? order.indexOf(current) : -1;
    return select(view.root ? view.focus || view.first : order[(index + (key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1) + order.length) % order.length]);
  }
  var upwards = current.side ? current.side < 0 : view.upwards, side = current.side !== 0 ? current.side : key === 'ArrowUp' ? -1 : 1;
  if (current.side !== 0 && key === (upwards ? 'ArrowDown' : 'ArrowUp')) return select(parentOf(current));
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    var above = view.items.filter(function (i) { return i.depth === current.depth + 1 && i.side === side && i.x >= current.x - 0.01 && i.x + i.w <= current.x + current.w + 1.5; });
    return select(above.sort(function (a, b) { return b.w - a.w; })[0]);
  }
  var beside = view.items.filter(function (i) { return i.depth === current.depth && i.side === current.side; }).sort(function (a, b) { return a.x - b.x; });
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
  else if (key === 'Backspace') { if (view.focus) view.zoom(parentOf(view.focus)); }
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

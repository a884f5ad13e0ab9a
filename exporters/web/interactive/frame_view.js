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
    if (item.text) item.original = { words: item.text.textContent, size: number(item.text, 'font-size'), pad: number(item.text, 'x') - item.x };
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
  var ruler = template ? rulerOf(getComputedStyle(template.text).fontFamily) : null;
  var large = Math.max.apply(null, items.map(function (i) { return i.text ? i.original.size : 0; }));
  var small = Math.min.apply(null, Array.prototype.map.call(figure.querySelectorAll('text'), function (e) { return number(e, 'font-size') || large; }).concat(large));
  /// How far below the middle of a frame its words stand, in parts of their size.
  var lift = template ? (number(template.text, 'y') - template.y - number(template.element, 'height') / 2) / template.original.size : 0;
  /// What is written on a frame of that width: rather smaller than cut.
  function label(item, width) {
    var change = item.element.getAttribute('data-change') || '', room = width - 2 * item.original.pad;
    function wordsOf(size) {
      function fits(words) { return ruler(words, size) <= room; }
      if (!item.name) return fits(runName(item)) ? runName(item) : ''; // a number that is cut would be another one
      var name = nameIn(item.name, item.forms, fits, room / ruler('m', size));
      return change && fits(name + '  ' + change) ? name + '  ' + change : name;
    }
    var words = width < 30 ? '' : wordsOf(large);
    return words && words.indexOf('\u2026') < 0 ? { words: words, size: large } : { words: width < 30 ? '' : wordsOf(small), size: small };
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
      if (e.__was === undefined) e.__was = e.textContent;
      var at = number(e, 'data-at-ns') / root.time;
      e.textContent = f === root ? e.__was : moment((f.exact.x - root.x + at * f.exact.w) / root.w * root.time);
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
      item.original = { words: '', size: large, pad: template.original.pad };
      item.element.parentNode.insertBefore(item.text, item.with.length ? item.with[item.with.length - 1].nextSibling : item.element.nextSibling);
    }
    var shown = same ? item.original : label(item, w);
    item.text.textContent = shown.words;
    item.text.setAttribute('font-size', shown.size);
    item.text.setAttribute('x', (x + item.original.pad).toFixed(2));
    item.text.setAttribute('y', (item.y + number(item.element, 'height') / 2 + lift * shown.size).toFixed(2));
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

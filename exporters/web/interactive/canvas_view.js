/// The bytes of a packed tree (docs/formats.md, "Packed stacks"), from its base64, to `then`.
function unpack(base64, then) {
  var text = atob(base64), bytes = new Uint8Array(text.length);
  for (var i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  if (!window.DecompressionStream) { say('This browser is too old to unpack the stacks.'); return; }
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer().then(function (plain) { then(new Uint8Array(plain)); });
}
/// The columns of a packed tree: callers first, what they call from left to right. Of node i, end[i] is the first that is not below it.
function columnsOf(bytes) {
  var at = 1, utf8 = new TextDecoder();
  function number() {
    var value = 0, scale = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte > 127);
    return value;
  }
  function text() { var size = number(); at += size; return utf8.decode(bytes.subarray(at - size, at)); }
  text(); // what is counted
  var names = [], frames = number();
  for (var i = 0; i < frames; ++i) { var whole = text(), mark = number(); names.push(mark ? whole.slice(0, -mark) : whole); }
  var n = number(), c = { size: n, names: names, name: new Int32Array(n), up: new Int32Array(n), depth: new Int32Array(n), self: new Float64Array(n),
    total: new Float64Array(n), x: new Float64Array(n), end: new Int32Array(n), kind: null, deepest: 0 }, open = [0];
  for (i = 0; i < n; ++i) c.name[i] = number();
  c.up[0] = -1;
  for (i = 1; i < n; ++i) {
    open.length -= number();
    c.up[i] = open[open.length - 1];
    c.depth[i] = open.length;
    c.deepest = Math.max(c.deepest, open.length);
    open.push(i);
  }
  for (i = 0; i < n; ++i) c.self[i] = c.total[i] = number();
  c.kind = bytes.subarray(at, at + n);
  for (i = 0; i < n; ++i) c.end[i] = i + 1;
  for (i = n - 1; i > 0; --i) { c.total[c.up[i]] += c.total[i]; c.end[c.up[i]] = Math.max(c.end[c.up[i]], c.end[i]); }
  // Callees stand side by side from their caller's left edge.
  var next = new Float64Array(n);
  for (i = 1; i < n; ++i) { c.x[i] = next[c.up[i]]; next[c.up[i]] += c.total[i]; next[i] = c.x[i]; }
  return c;
}
/// A tree too large for SVG, on a canvas. Its items stand for nodes that somebody looked at.
function canvasView(c) {
  var canvas = part('canvas'), sheet = document.createElement('canvas'), row = 18, items = new Map(), hits = new Uint8Array(c.names.length), searched = false, current = -1, drawn = [];
  var view = { focus: null, upwards: facts.growth === 'up' };
  function item(i) {
    if (i < 0) return null;
    if (!items.has(i)) items.set(i, { index: i, title: (i ? c.names[c.name[i]] : 'all') + '\nself ' + grouped(c.self[i]) + ', total ' + grouped(c.total[i]) + ', ' + percent(c.total[i], c.total[0]) + ' of all' });
    return items.get(i);
  }
  function size() {
    var ratio = window.devicePixelRatio || 1;
    canvas.style.height = (c.deepest + 1) * row + 'px'; // first: it decides whether a scroll bar takes some of the width
    sheet.width = canvas.width = canvas.clientWidth * ratio;
    sheet.height = canvas.height = (c.deepest + 1) * row * ratio;
    draw();
  }
  function label(i, room) {
    var name = i ? c.names[c.name[i]] : 'all: ' + grouped(c.total[0]);
    if (name.length > room && name.indexOf('`') >= 0) name = name.slice(name.indexOf('`') + 1);
    if (name.length > room) name = name.replace(/<[^<>]*>|\([^()]*\)/g, '');
    while (name.length > room && name.indexOf('::') > 0) name = name.slice(name.indexOf('::') + 2);
    return name.length <= room ? name : room > 5 ? name.slice(0, room - 1) + '\u2026' : '';
  }
  /// The frames, on a sheet that stays until another part of the tree is shown.
  function draw() {
    var f = view.focus ? view.focus.index : 0, width = canvas.clientWidth, k = width / c.total[f], ratio = window.devicePixelRatio || 1, paint = sheet.getContext('2d'), kind = -1;
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, (c.deepest + 1) * row);
    paint.font = '12px "JetBrains Mono","DejaVu Sans Mono",monospace';
    paint.textBaseline = 'middle';
    drawn = [];
    for (var d = 0; d <= c.deepest; ++d) drawn.push([]);
    var ends = new Float64Array(c.deepest + 2);
    function bar(i, x, w) {
      var y = (view.upwards ? c.deepest - c.depth[i] : c.depth[i]) * row;
      drawn[c.depth[i]].push(x, Math.max(w, 1), i);
      if (kind !== c.kind[i]) paint.fillStyle = facts.kinds[kind = c.kind[i]];
      paint.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.7), row - 1);
      if (w < 36) return;
      var text = label(i, Math.floor((w - 8) / 7.23));
      if (!text) return;
      paint.fillStyle = facts.inks[c.kind[i]];
      paint.fillText(text, x + 4, y + row / 2);
      kind = -1;
    }
    paint.globalAlpha = 0.55;
    for (var up = c.up[f]; up >= 0; up = c.up[up]) bar(up, 0, width);
    paint.globalAlpha = 1;
    for (var i = f; i < c.end[f]; ++i) {
      var x = (c.x[i] - c.x[f]) * k, w = c.total[i] * k;
      if (w < 1 && x + w < ends[c.depth[i]]) continue; // a pixel that is drawn already
      ends[c.depth[i]] = Math.floor(x) + 1;
      bar(i, x, w);
    }
    markAll();
  }
  /// The sheet, and on it what was found and what was chosen. A frame that has no room for an outline is painted over.
  function markAll() {
    var paint = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1;
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.clearRect(0, 0, canvas.width, canvas.height);
    paint.drawImage(sheet, 0, 0);
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.lineWidth = 2;
    function mark(bars, at, y, colour) {
      var x = bars[at], w = bars[at + 1];
      if (w < 6) { paint.fillStyle = colour; paint.fillRect(x, y, w, row - 1); return; }
      paint.strokeStyle = colour;
      paint.strokeRect(x + 1, y + 1, w - 3, row - 3);
    }
    for (var d = 0; d <= c.deepest; ++d) {
      var bars = drawn[d], y = (view.upwards ? c.deepest - d : d) * row;
      for (var at = 0; at < bars.length; at += 3)
        if (bars[at + 2] === current) mark(bars, at, y, facts.chosen);
        else if (searched && d && hits[c.name[bars[at + 2]]]) mark(bars, at, y, facts.found);
    }
  }
  view.zoom = function (to) { view.focus = to && to.index ? to : null; draw(); };
  view.reset = function () { view.zoom(null); };
  view.mark = function (found, now) { current = now ? now.index : -1; markAll(); };
  view.hit = function (event) {
    var at = canvas.getBoundingClientRect(), line = Math.floor((event.clientY - at.top) / row), depth = view.upwards ? c.deepest - line : line, x = event.clientX - at.left;
    var bars = drawn[depth] || [];
    for (var i = 0; i < bars.length; i += 3) if (x >= bars[i] && x < bars[i] + bars[i + 1]) return item(bars[i + 2]);
    return null;
  };
  view.first = item(0);
  view.flip = function () { view.upwards = !view.upwards; draw(); };
  /// How many nodes match, how much of all they are, each part once, and where they are, from the one after `null` on. Each name is
  /// looked at once.
  view.search = function (expression) {
    var matches = 0, share = 0, until = 0;
    searched = !!expression;
    hits.fill(0);
    if (!expression) return null;
    for (var n = 0; n < c.names.length; ++n) hits[n] = expression.test(c.names[n]) ? 1 : 0;
    for (var i = 1; i < c.size; ++i) {
      if (!hits[c.name[i]]) continue;
      ++matches;
      if (i < until) continue;
      share += c.total[i];
      until = c.end[i];
    }
    return { matches: matches, share: percent(share, c.total[0]) };
  };
  /// The next match after the current item, or before it.
  view.step = function (by) {
    if (!searched) return null;
    for (var n = 0, i = current < 0 ? (by > 0 ? 0 : c.size) : current; n < c.size; ++n) {
      i = (i + by + c.size) % c.size;
      if (i && hits[c.name[i]]) return item(i);
    }
    return null;
  };
  view.up = function (of) { return of.index ? item(c.up[of.index]) : null; };
  view.down = function (of) { // to the widest
    var best = -1;
    for (var i = of.index + 1; i < c.end[of.index]; i = c.end[i]) if (best < 0 || c.total[i] > c.total[best]) best = i;
    return item(best);
  };
  view.beside = function (of, by) {
    for (var i = of.index + by; i > 0 && i < c.size; i += by) if (c.depth[i] === c.depth[of.index]) return item(i);
    return null;
  };
  window.addEventListener('resize', size);
  size();
  return view;
}
/// A view until its tree is unpacked.
function waitingView() {
  function nothing() { return null; }
  return { focus: null, upwards: facts.growth === 'up', zoom: nothing, reset: nothing, mark: nothing, hit: nothing, flip: nothing, search: nothing, step: nothing, up: nothing, down: nothing, beside: nothing, first: null };
}

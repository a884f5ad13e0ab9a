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
    var value = bytes[at++];
    if (value < 128) return value; // nearly all
    var scale = 128, byte;
    value &= 127;
    do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte > 127);
    return value;
  }
  function text() { var size = number(); at += size; return utf8.decode(bytes.subarray(at - size, at)); }
  text(); // what is counted
  var names = [], frames = number();
  for (var i = 0; i < frames; ++i) { var whole = text(), mark = number(); names.push(mark ? whole.slice(0, -mark) : whole); }
  var n = number(), name = new Int32Array(n), up = new Int32Array(n), depth = new Int32Array(n), self = new Float64Array(n), total = new Float64Array(n),
    x = new Float64Array(n), next = new Float64Array(n), end = new Int32Array(n), kind, deepest = 0, open = new Int32Array(n + 1), level = 1;
  for (i = 0; i < n; ++i) name[i] = number();
  up[0] = -1;
  for (i = 1; i < n; ++i) {
    level -= number();
    up[i] = open[level - 1];
    depth[i] = level;
    if (level > deepest) deepest = level;
    open[level++] = i;
  }
  for (i = 0; i < n; ++i) self[i] = total[i] = number();
  kind = bytes.subarray(at, at + n);
  for (i = n - 1; i > 0; --i) {
    var caller = up[i];
    total[caller] += total[i];
    if (!end[i]) end[i] = i + 1;
    if (end[caller] < end[i]) end[caller] = end[i];
  }
  if (n && !end[0]) end[0] = 1;
  // Callees stand side by side from their caller's left edge.
  for (i = 1; i < n; ++i) { x[i] = next[i] = next[up[i]]; next[up[i]] += total[i]; }
  return { size: n, names: names, name: name, up: up, depth: depth, self: self, total: total, x: x, end: end, kind: kind, deepest: deepest };
}
/// A tree too large for SVG, on a canvas; `forms`: of its names. Its items stand for nodes that somebody looked at.
function canvasView(c, forms) {
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
  function label(i, room, paint) {
    function fits(words) { return paint.measureText(words).width <= room; }
    if (i) return nameIn(c.names[c.name[i]], forms.get(c.names[c.name[i]]), fits, room / paint.measureText('m').width);
    return nameIn('all: ' + grouped(c.total[0]), [0, 'all', ''], fits, 0);
  }
  /// The frames, on a sheet that stays until another part of the tree is shown.
  function draw() {
    var f = view.focus ? view.focus.index : 0, width = canvas.clientWidth, k = width / c.total[f], ratio = window.devicePixelRatio || 1, paint = sheet.getContext('2d');
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, (c.deepest + 1) * row);
    paint.font = '12px "JetBrains Mono","DejaVu Sans Mono",monospace';
    paint.textRendering = 'optimizeSpeed'; // no ligatures: a canvas that is in no document has no other way to say so
    paint.textBaseline = 'middle';
    drawn = [];
    for (var d = 0; d <= c.deepest; ++d) drawn.push([]);
    // Narrow bars of a kind that touch are one, and bars of a kind are painted together: a canvas is slow with each rectangle and each colour.
    var ends = new Float64Array(c.deepest + 2), rects = facts.kinds.map(function () { return []; }), last = new Array(c.deepest + 1), labels = [];
    function bar(i, x, w) {
      var level = c.depth[i], of = c.kind[i], before = last[level], all = rects[of];
      drawn[level].push(x, Math.max(w, 1), i);
      if (w <= 3 && before && before.of === of && x - before.end < 0.5) {
        before.end = x + Math.max(w, 0.7);
        all[before.at + 2] = before.end - all[before.at];
        return;
      }
      last[level] = w <= 3 ? { of: of, end: x + Math.max(w, 0.7), at: all.length } : null;
      all.push(x, (view.upwards ? c.deepest - level : level) * row, Math.max(w - (w > 3 ? 1 : 0), 0.7));
      if (w >= 36) labels.push(i, x, w);
    }
    function paintBars() {
      rects.forEach(function (all, of) {
        if (all.length) paint.fillStyle = facts.kinds[of];
        for (var at = 0; at < all.length; at += 3) paint.fillRect(all[at], all[at + 1], all[at + 2], row - 1);
        all.length = 0;
      });
      last.fill(null);
      var ink = -1;
      for (var at = 0; at < labels.length; at += 3) {
        var i = labels[at], text = label(i, labels[at + 2] - 8, paint);
        if (!text) continue;
        if (ink !== c.kind[i]) paint.fillStyle = facts.inks[ink = c.kind[i]];
        paint.fillText(text, labels[at + 1] + 4, (view.upwards ? c.deepest - c.depth[i] : c.depth[i]) * row + row / 2);
      }
      labels.length = 0;
    }
    paint.globalAlpha = 0.55;
    for (var up = c.up[f]; up >= 0; up = c.up[up]) bar(up, 0, width);
    paintBars();
    paint.globalAlpha = 1;
    var depths = c.depth, totals = c.total, places = c.x, from = c.x[f];
    for (var i = f; i < c.end[f]; ++i) {
      var x = (places[i] - from) * k, w = totals[i] * k;
      if (w < 1 && x + w < ends[depths[i]]) continue; // a pixel that is drawn already
      ends[depths[i]] = Math.floor(x) + 1;
      bar(i, x, w);
    }
    paintBars();
    markAll();
  }
  /// The sheet, and on it what was found and what was chosen. A frame that has no room for an outline is painted over; such frames side
  /// by side are painted as one, for a word of one letter finds most of them.
  function markAll() {
    var paint = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1, chosen = null, from = 0, until = -1;
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.clearRect(0, 0, canvas.width, canvas.height);
    paint.drawImage(sheet, 0, 0);
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.lineWidth = 2;
    paint.fillStyle = paint.strokeStyle = facts.found;
    paint.beginPath();
    function outline(bar) { paint.rect(bar[0] + 1, bar[2] + 1, bar[1] - 3, row - 3); }
    for (var d = 0; d <= c.deepest; ++d) {
      var bars = drawn[d], y = (view.upwards ? c.deepest - d : d) * row;
      for (var at = 0; at < bars.length; at += 3) {
        var x = bars[at], w = bars[at + 1], i = bars[at + 2];
        if (i === current) chosen = [x, w, y];
        if (!searched || !d || !hits[c.name[i]]) continue;
        if (w >= 6) { outline([x, w, y]); continue; }
        if (x > until) {
          if (until > from) paint.fillRect(from, y, until - from - 0.5, row - 1);
          from = x;
        }
        until = x + w + 0.5;
      }
      if (until > from) paint.fillRect(from, y, until - from - 0.5, row - 1);
      from = 0;
      until = -1;
    }
    paint.stroke();
    if (!chosen) return;
    paint.fillStyle = paint.strokeStyle = facts.chosen;
    paint.beginPath();
    if (chosen[1] < 6) paint.fillRect(chosen[0], chosen[2], chosen[1], row - 1);
    else outline(chosen);
    paint.stroke();
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

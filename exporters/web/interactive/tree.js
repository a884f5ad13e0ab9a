// -- the figure's tree: what its nodes are called, what they stand for and what they are a part of, whether drawn or not --------
/// The nodes of a figure that is drawn as SVG, callers first, what they call from left to right. `side`: 0 the root, -1 a caller
/// in a sandwich, 1 what is called.
function nodesOf() {
  var nodes = [], roots = [], sorted = [];
  for (var i = 0; i < facts.nodes.length; i += 4) {
    var up = nodes[facts.nodes[i + 1]] || null;
    var node = { name: facts.names[facts.nodes[i]], forms: facts.forms[facts.nodes[i]], up: up, weight: facts.nodes[i + 2], side: facts.nodes[i + 3] ? -1 : up ? 1 : 0,
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

var view = tree ? waitingView() : figure.querySelector('.f') ? frameView() : plainView();
var surface = tree ? part('canvas') : figure;
var found = [], current = null, at = -1, typed = '', typing = false;

function say(text) { if (ui.found) ui.found.textContent = text; }
function mark() { view.mark(new Set(found), current); }
function search(pattern) {
  found = [];
  at = -1;
  if (!pattern) { if (view.search) view.search(null); say(''); mark(); return; }
  var expression;
  try { expression = new RegExp(pattern, 'i'); } catch (e) { say('not a regular expression yet'); mark(); return; }
  if (view.search) {
    var given = view.search(expression);
    say(given ? grouped(given.matches) + (given.matches === 1 ? ' match, ' : ' matches, ') + given.share : '');
    mark();
    return;
  }
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
  if (view.step) return select(view.step(by));
  if (!found.length) return;
  at = (at + by + found.length) % found.length;
  select(found[at]);
}
/// The key that leads from a node's caller to it.
function keyTo(node) { return node.side < 0 || (view.upwards && node.side > 0) ? 'ArrowUp' : 'ArrowDown'; }
function walk(key) {
  if (view.step) {
    if (!current) return select(view.focus || view.first);
    if (key === 'ArrowLeft' || key === 'ArrowRight') return select(view.beside(current, key === 'ArrowLeft' ? -1 : 1));
    return select((key === 'ArrowUp') === view.upwards ? view.down(current) : view.up(current));
  }
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
  if (event.ctrlKey || event.altKey || event.metaKey || (active && active !== root)) return;
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
  else if (key === 'Backspace') { if (view.focus) view.zoom(view.up ? view.up(view.focus) : callerOf(view.focus)); }
  else if (key === 'Enter') { if (current) view.zoom(current); }
  else if (key.indexOf('Arrow') === 0) walk(key);
  else return;
  event.preventDefault();
});
if (root !== document.documentElement) {
  if (!active) active = root;
  ['pointerenter', 'focusin'].forEach(function (name) { root.addEventListener(name, function () { active = root; }); });
}
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
function packedTree() {
  if (tree.packed) return tree.packed;
  return JSON.parse(document.getElementById('dscope-data').textContent).data.filter(function (part) {
    return part.format === 'tree' && part.role === 'after' && (tree.run === undefined || part.run === undefined || part.run === tree.run);
  })[0].base64;
}
if (tree) unpack(tree.forms, function (forms) {
  unpack(packedTree(), function (bytes) {
    view = canvasView(columnsOf(bytes), new Map(Object.entries(JSON.parse(new TextDecoder().decode(forms)))));
    performance.mark('dscope: drawn');
    if (ui.field.value) search(ui.field.value);
  });
});
if (inPage) {
  ui.details = part('details');
  ui.found = part('found');
  ui.field = part('search');
  ui.field.addEventListener('input', function () { search(ui.field.value); });
  part('reset').addEventListener('click', reset);
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

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
  items.forEach(function (i) { i.inside = i.element.getAttribute('data-inside'); if (i.inside && inPage) i.element.setAttribute('style', 'cursor:pointer'); });
  return { items: items, focus: null, zoom: function (item) { if (item && item.inside && inPage) openFold(item); }, reset: function () { closeFold(); box = start.slice(); apply(); },
    mark: function (matched, current) { items.forEach(function (i) { outline(i.element, matched.has(i), i === current); }); },
    /// What opens, whatever words stand on it; else what lies uppermost.
    hit: function (event) {
      var under = document.elementsFromPoint(event.clientX, event.clientY).map(function (e) { return e.__item; }).filter(Boolean);
      return under.find(function (i) { return i.inside; }) || under[0] || null;
    },
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

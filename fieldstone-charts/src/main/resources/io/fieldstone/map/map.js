'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('map');
const pen = canvas.getContext('2d');
const info = document.getElementById('info');
const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#8C6D31', '#7A9A01', '#3F3F9F'];
const KINDS = {
  sensor: ['sensors', '#0072B2'], star: ['relays joining three or more', '#D40000'],
  link: ['relays along a line', '#1A1A1A'], site: ['relays on sites', '#5B2A86'],
  existing: ['relays that exist', '#00707A']
};
const EARTH = 40075016.686;

// The plane of the map: x and y of the file, or Web Mercator of 0…1, in which tiles are squares.
const plane = (first, second) => {
  const sine = Math.sin(second * Math.PI / 180);
  return data.degrees
    ? [first / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)]
    : [first, -second];
};
const nodes = data.nodes.map(([id, kind, first, second, component, site]) => {
  const [x, y] = plane(first, second);
  return {id, kind, first, second, x, y, component, site};
});
if (data.degrees) { // the short way across the antimeridian
  nodes.forEach(node => { node.x -= Math.round(node.x - nodes[0].x); });
}
const contours = [];
for (let i = 0; i + 1 < (data.contours || []).length; i += 2) {
  const [x, y] = plane(data.contours[i], data.contours[i + 1]);
  contours.push([x - Math.round(x - nodes[0].x), y]);
}
const shown = {lines: true, range: false, contours: true};
Object.keys(KINDS).forEach(kind => { shown[kind] = true; });
const neighbours = nodes.map(() => []);
data.links.forEach(([a, b]) => { neighbours[a].push(b); neighbours[b].push(a); });

const view = {x: 0, y: 0, scale: 1};
let selected = -1;
const tiles = new Map();

const width = () => canvas.clientWidth;
const height = () => canvas.clientHeight;
const px = x => width() / 2 + (x - view.x) * view.scale;
const py = y => height() / 2 + (y - view.y) * view.scale;

/** The length of a metre, or of a unit of the file, in the plane of the map. */
function unit(y) {
  return data.degrees ? Math.cosh((1 - 2 * y) * Math.PI) / EARTH : 1;
}

function showAll() {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const node of nodes) {
    left = Math.min(left, node.x); right = Math.max(right, node.x);
    top = Math.min(top, node.y); bottom = Math.max(bottom, node.y);
  }
  view.x = (left + right) / 2;
  view.y = (top + bottom) / 2;
  const reach = data.range * unit(view.y);
  view.scale = 0.92 * Math.min(
    width() / Math.max(right - left, reach), height() / Math.max(bottom - top, reach));
  draw();
}

function zoom(factor, x = width() / 2, y = height() / 2) {
  view.x += (x - width() / 2) * (1 - 1 / factor) / view.scale;
  view.y += (y - height() / 2) * (1 - 1 / factor) / view.scale;
  view.scale *= factor;
  draw();
}

let isWaiting = false;
function draw() {
  if (!isWaiting) {
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; paint(); });
  }
}

function paint() {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width() * ratio);
  canvas.height = Math.round(height() * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (data.tiles) paintTiles();
  if (shown.contours && contours.length) {
    pen.lineWidth = 0.8;
    pen.strokeStyle = '#c9b28f';
    pen.beginPath();
    for (let i = 0; i + 1 < contours.length; i += 2) {
      pen.moveTo(px(contours[i][0]), py(contours[i][1]));
      pen.lineTo(px(contours[i + 1][0]), py(contours[i + 1][1]));
    }
    pen.stroke();
  }
  const isSeen = node => px(node.x) > -50 && py(node.y) > -50 && px(node.x) < width() + 50 && py(node.y) < height() + 50;
  if (shown.lines) {
    pen.lineWidth = 1.2;
    pen.strokeStyle = '#666666';
    pen.beginPath();
    for (const [a, b] of data.links) {
      if (shown[nodes[a].kind] && shown[nodes[b].kind]) {
        pen.moveTo(px(nodes[a].x), py(nodes[a].y));
        pen.lineTo(px(nodes[b].x), py(nodes[b].y));
      }
    }
    pen.stroke();
  }
  const size = Math.max(2.5, Math.min(6, Math.sqrt(width() * height() / nodes.length) / 6));
  nodes.forEach((node, i) => {
    if (!shown[node.kind] || !isSeen(node)) return;
    const [x, y] = [px(node.x), py(node.y)];
    if (shown.range || i === selected) circle(x, y, data.range * unit(node.y) * view.scale, i === selected);
    pen.fillStyle = node.kind === 'sensor' ? COLOURS[data.colours[node.component]] : KINDS[node.kind][1];
    pen.strokeStyle = '#fff';
    pen.lineWidth = 1.5;
    pen.beginPath();
    shape(node.kind, x, y, size * (i === selected ? 1.7 : 1));
    if (node.kind !== 'sensor') pen.stroke();
    pen.fill();
  });
  scaleBar();
}

function circle(x, y, radius, isSelected) {
  pen.strokeStyle = isSelected ? '#1a1a1a' : '#00000030';
  pen.lineWidth = 1;
  pen.setLineDash(isSelected ? [5, 5] : []);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

function shape(kind, x, y, size) {
  if (kind === 'sensor') {
    pen.arc(x, y, size, 0, 2 * Math.PI);
    return;
  }
  const corners = {star: 10, link: 4, site: 3, existing: 4}[kind];
  for (let i = 0; i < corners; i++) {
    const radius = size * 1.5 * (kind === 'star' && i % 2 ? 0.5 : 1);
    const angle = 2 * Math.PI * i / corners - Math.PI / 2;
    pen.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  pen.closePath();
}

function paintTiles() {
  const level = Math.max(0, Math.min(19, Math.round(Math.log2(view.scale / 256))));
  const count = 2 ** level;
  const size = view.scale / count;
  const first = v => Math.floor(v * count);
  for (let x = first(view.x - width() / 2 / view.scale); px(x / count) < width(); x++) {
    for (let y = Math.max(0, first(view.y - height() / 2 / view.scale)); y < count && py(y / count) < height(); y++) {
      const url = data.tiles.replace('{z}', level).replace('{x}', ((x % count) + count) % count).replace('{y}', y);
      let image = tiles.get(url);
      if (!image) {
        image = new Image();
        image.onload = draw;
        image.src = url;
        tiles.set(url, image);
      }
      if (image.complete && image.naturalWidth) {
        pen.drawImage(image, px(x / count), py(y / count), size + 0.5, size + 0.5);
      }
    }
  }
}

function length(value) {
  const text = number => String(Number(number.toPrecision(5)));
  if (!data.degrees) return text(value);
  return value >= 1000 ? text(value / 1000) + ' km' : text(value) + ' m';
}

function scaleBar() {
  const perUnit = view.scale * unit(view.y);
  const longest = 140 / perUnit;
  const power = 10 ** Math.floor(Math.log10(longest));
  const value = power * [5, 2, 1].find(step => step * power <= longest);
  const bar = document.getElementById('scale');
  bar.style.width = value * perUnit + 'px';
  bar.textContent = length(value);
}

function select(i) {
  selected = i;
  if (i < 0) {
    info.textContent = '';
  } else {
    const node = nodes[i];
    const kind = node.kind === 'sensor' ? 'sensor, component ' + (node.component + 1) : 'relay: ' + KINDS[node.kind][0].slice(7);
    const place = data.degrees ? `${node.second.toFixed(6)}, ${node.first.toFixed(6)}` : `x ${node.first}, y ${node.second}`;
    const links = neighbours[i].map(other => nodes[other].id);
    info.textContent = `${node.id}\n${kind}${node.site ? ' ' + node.site : ''}\n${place}\n`
      + `linked with ${links.slice(0, 12).join(', ')}${links.length > 12 ? ' …' : ''}`;
  }
  draw();
}

function selectId(id, isMoving) {
  const i = nodes.findIndex(node => node.id === id);
  if (i >= 0) {
    if (isMoving) {
      view.x = nodes[i].x;
      view.y = nodes[i].y;
    }
    select(i);
  }
  return i >= 0;
}

function nearest(x, y) {
  let [best, least] = [-1, 15];
  nodes.forEach((node, i) => {
    const distance = Math.hypot(px(node.x) - x, py(node.y) - y);
    if (shown[node.kind] && distance < least) [best, least] = [i, distance];
  });
  return best;
}

const pointers = new Map();
let moved = 0;
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, event);
  moved = 0;
});
canvas.addEventListener('pointermove', event => {
  const last = pointers.get(event.pointerId);
  if (!last) {
    if (!pointers.size && event.pointerType === 'mouse') {
      const i = nearest(event.offsetX, event.offsetY);
      canvas.title = i < 0 ? '' : nodes[i].id;
    }
    return;
  }
  const [dx, dy] = [event.offsetX - last.offsetX, event.offsetY - last.offsetY];
  moved += Math.abs(dx) + Math.abs(dy);
  if (pointers.size === 2) {
    const other = [...pointers.values()].find(each => each.pointerId !== event.pointerId);
    const before = Math.hypot(last.offsetX - other.offsetX, last.offsetY - other.offsetY);
    const after = Math.hypot(event.offsetX - other.offsetX, event.offsetY - other.offsetY);
    if (before > 0 && after > 0) zoom(after / before, other.offsetX, other.offsetY);
  } else {
    view.x -= dx / view.scale;
    view.y -= dy / view.scale;
  }
  pointers.set(event.pointerId, event);
  draw();
});
canvas.addEventListener('pointerup', event => {
  if (moved < 4 && pointers.has(event.pointerId)) select(nearest(event.offsetX, event.offsetY));
  pointers.delete(event.pointerId);
});
canvas.addEventListener('pointercancel', event => pointers.delete(event.pointerId));
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
}, {passive: false});
canvas.addEventListener('keydown', event => {
  const step = 60 / view.scale;
  const actions = {
    '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), '0': showAll,
    ArrowLeft: () => { view.x -= step; }, ArrowRight: () => { view.x += step; },
    ArrowUp: () => { view.y -= step; }, ArrowDown: () => { view.y += step; }, Escape: () => select(-1)
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
    draw();
  }
});
document.getElementById('in').onclick = () => zoom(1.5);
document.getElementById('out').onclick = () => zoom(1 / 1.5);
document.getElementById('all').onclick = showAll;
document.getElementById('form').onsubmit = event => event.preventDefault();
const find = document.getElementById('find');
find.oninput = () => selectId(find.value, true);
find.onkeydown = event => { if (event.key === 'Enter' && !selectId(find.value, true)) info.textContent = 'no node has this id'; };

const layers = document.getElementById('layers');
function layer(name, text, colour) {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.id = 'show-' + name;
  box.checked = shown[name];
  box.onchange = () => { shown[name] = box.checked; draw(); };
  label.append(box);
  if (colour) {
    const key = document.createElement('span');
    key.className = 'key';
    key.style.background = colour;
    label.append(key);
  }
  label.append(text);
  layers.append(label);
}
const count = kind => nodes.filter(node => node.kind === kind).length;
const number = value => value.toLocaleString('en');
for (const [kind, [text, colour]] of Object.entries(KINDS)) {
  if (count(kind)) layer(kind, `${number(count(kind))} ${text}`, colour);
}
layer('lines', 'links');
layer('range', 'ranges');
if (contours.length) layer('contours', `contours every ${length(data.interval)}`);
const title = `${number(count('sensor'))} sensors in ${number(data.components)} components, `
  + `${number(nodes.length - count('sensor'))} relays, range ${length(data.range)}`;
document.getElementById('title').textContent = title;
document.title = title;
document.getElementById('credit').textContent = data.credit;
const ids = document.getElementById('ids');
for (const node of nodes.slice(0, 2000)) {
  const option = document.createElement('option');
  option.value = node.id;
  ids.append(option);
}

new ResizeObserver(draw).observe(canvas);
showAll();
const byAddress = () => selectId(decodeURIComponent(location.hash.slice(1)), true);
window.addEventListener('hashchange', byAddress);
byAddress();

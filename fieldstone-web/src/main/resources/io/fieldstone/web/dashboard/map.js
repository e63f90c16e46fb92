// A picture of who feeds whom. The table of peers has the same as text.

import {svg} from './dom.js';
import {plural, rate} from './format.js';

const MAX_NODES = 8; // of each side; the others are one node
const HEIGHT = 44;
const PITCH = 58;
const ROW = 90; // between rows where space is narrow

const narrow = matchMedia('(max-width: 760px)');

/** What the picture was made of. */
let shown = '';

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Chooses the busiest peers, and adds the others up. */
function side(peers, of) {
  const busiest = [...peers].sort((a, b) => (of(b) ?? 0) - (of(a) ?? 0));
  const chosen = busiest.length > MAX_NODES ? busiest.slice(0, MAX_NODES - 1) : busiest;
  const kept = new Set(chosen);
  const nodes = peers.filter(each => kept.has(each)).map(each => ({
    title: each.address,
    text: `${each.role}, ${each.state === 'open' ? rate(of(each)) : each.state}`,
    rate: of(each) ?? 0,
    isOff: each.state !== 'open',
  }));
  const others = peers.length - chosen.length;
  if (others > 0) {
    const sum = peers.filter(each => !kept.has(each)).reduce((all, each) => all + (of(each) ?? 0), 0);
    nodes.push({title: `${others} more`, text: rate(sum), rate: sum, isOff: false});
  }
  return nodes;
}

function box(place, node, kind) {
  const {x, y, width} = place;
  const most = Math.floor(width / 7.6);
  return svg('g', {},
    svg('rect', {class: kind, x, y, width, height: HEIGHT, rx: 8}),
    svg('text', {x: x + 12, y: y + 18, class: 'strong'}, shortened(node.title, most)),
    svg('text', {x: x + 12, y: y + 35, class: 'soft'}, shortened(node.text, most + 1)));
}

/** Draws a link from one place to another: to the right, or down where space is narrow. */
function edge(from, to, node, most, isDown) {
  const width = node.rate > 0 ? 1.5 + 5 * Math.sqrt(node.rate / most) : 1.5;
  const kind = node.isOff ? 'edge off' : node.rate > 0 ? 'edge' : 'edge idle';
  const [x1, y1, x2, y2] = isDown
    ? [from.x + from.width / 2, from.y + HEIGHT, to.x + to.width / 2, to.y]
    : [from.x + from.width, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const [bendX, bendY] = isDown ? [0, (y2 - y1) / 2] : [(x2 - x1) / 2, 0];
  return svg('path', {
    class: kind, 'stroke-width': width.toFixed(1),
    d: `M${x1},${y1}C${x1 + bendX},${y1 + bendY} ${x2 - bendX},${y2 - bendY} ${x2},${y2}`});
}

/** Three columns; without sources this process is the first of two. */
function columns(sources, clients) {
  const size = {across: 1000, down: Math.max(sources.length, clients.length, 1) * PITCH - PITCH + HEIGHT};
  const width = 230;
  const column = (nodes, x) => nodes.map((_, i) => ({
    x, y: (size.down - (nodes.length * PITCH - PITCH + HEIGHT)) / 2 + i * PITCH, width}));
  const right = size.across - width;
  const x = sources.length === 0 ? 0 : clients.length === 0 ? right : right / 2;
  return {size, sources: column(sources, 0), clients: column(clients, right), self: column([0], x)[0]};
}

/** Rows of two: sources above this process, clients below. */
function rows(sources, clients) {
  const width = 164;
  const across = 350;
  const grid = (nodes, top) => nodes.map((_, i) => ({
    x: nodes.length === 1 ? (across - width) / 2 : (i % 2) * (across - width),
    y: top + Math.floor(i / 2) * PITCH, width}));
  const high = nodes => nodes.length ? Math.ceil(nodes.length / 2) * PITCH - PITCH + ROW : 0;
  const self = {x: (across - 200) / 2, y: high(sources), width: 200};
  const down = self.y + HEIGHT + (clients.length ? high(clients) : 0);
  return {
    size: {across, down}, self, sources: grid(sources, 0), clients: grid(clients, self.y + ROW)};
}

export function showMap(snapshot) {
  const {self, peers, peerCount} = snapshot;
  const feeding = peers.filter(each => each.isSource);
  const sources = side(feeding, each => each.receivedRate);
  const clients = side(peers.filter(each => !each.isSource), each => each.sentRate);
  const isDown = narrow.matches;
  const places = (isDown ? rows : columns)(sources, clients);
  const content = JSON.stringify([isDown, self, sources, clients, peerCount, feeding.length]);
  if (content === shown) {
    return;
  }
  shown = content;
  const most = Math.max(1, ...[...sources, ...clients].map(each => each.rate));
  const picture = svg('svg', {
    class: 'map', role: 'img',
    viewBox: `-4 -4 ${places.size.across + 8} ${places.size.down + 8}`,
    'aria-label': `${plural(feeding.length, 'source')}, this ${self.role}, `
      + `${plural(peerCount - feeding.length, 'client')}; the table of peers has the same as text`});
  sources.forEach((node, i) => picture.append(edge(places.sources[i], places.self, node, most, isDown)));
  clients.forEach((node, i) => picture.append(edge(places.self, places.clients[i], node, most, isDown)));
  sources.forEach((node, i) => picture.append(box(places.sources[i], node, 'node')));
  clients.forEach((node, i) => picture.append(box(places.clients[i], node, 'node')));
  picture.append(box(places.self, {title: self.role, text: self.address}, 'self'));
  document.getElementById('map').replaceChildren(picture);
}

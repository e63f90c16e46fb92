// A picture of who feeds whom. The table of peers has the same as text.

import {svg} from './dom.js';
import {plural, rate} from './format.js';

const MAX_NODES = 8; // of each side; the others are one node
const BOX = {width: 220, height: 44};
const PITCH = 58;

const narrow = matchMedia('(max-width: 760px)');

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Chooses the busiest peers, and adds the others up. */
function side(peers, of) {
  const busiest = [...peers].sort((a, b) => (of(b) ?? 0) - (of(a) ?? 0));
  const shown = busiest.length > MAX_NODES ? busiest.slice(0, MAX_NODES - 1) : busiest;
  const kept = new Set(shown);
  const nodes = peers.filter(each => kept.has(each)).map(each => ({
    title: each.address,
    text: `${each.role}, ${each.state === 'open' ? rate(of(each)) : each.state}`,
    rate: of(each) ?? 0,
    isOff: each.state !== 'open',
  }));
  const others = peers.length - shown.length;
  if (others > 0) {
    const sum = peers.filter(each => !kept.has(each)).reduce((all, each) => all + (of(each) ?? 0), 0);
    nodes.push({title: `${others} more`, text: rate(sum), rate: sum, isOff: false});
  }
  return nodes;
}

function box(x, y, width, title, text, kind) {
  const most = Math.floor(width / 7.6);
  return svg('g', {},
    svg('rect', {class: kind, x, y, width, height: BOX.height, rx: 8}),
    svg('text', {x: x + 12, y: y + 18, class: 'strong'}, shortened(title, most)),
    svg('text', {x: x + 12, y: y + 35, class: 'soft'}, shortened(text, most + 4)));
}

function edge(x1, y1, x2, y2, node, most) {
  const bend = (x2 - x1) / 2;
  const width = node.rate > 0 ? 1.5 + 5 * Math.sqrt(node.rate / most) : 1.5;
  const kind = node.isOff ? 'edge off' : node.rate > 0 ? 'edge' : 'edge idle';
  return svg('path', {
    class: kind, 'stroke-width': width.toFixed(1),
    d: `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`});
}

export function showMap(snapshot) {
  const {self, peers} = snapshot;
  const sources = side(peers.filter(each => each.isSource), each => each.receivedRate);
  const clients = side(peers.filter(each => !each.isSource), each => each.sentRate);
  const rows = Math.max(sources.length, clients.length, 1);
  const width = narrow.matches ? 520 : 1000;
  const boxWidth = narrow.matches ? 140 : BOX.width;
  const height = rows * PITCH - (PITCH - BOX.height);
  const top = nodes => (height - (nodes.length * PITCH - (PITCH - BOX.height))) / 2;
  const middle = height / 2;
  const selfX = (width - boxWidth) / 2;
  const most = Math.max(1, ...[...sources, ...clients].map(each => each.rate));
  const picture = svg('svg', {
    class: 'map', role: 'img', viewBox: `-4 -4 ${width + 8} ${height + 8}`,
    'aria-label': `${plural(sources.length, 'source')} feed this ${self.role}, which feeds `
      + `${plural(snapshot.peerCount - peers.filter(each => each.isSource).length, 'client')}; see the table of peers`});
  sources.forEach((node, i) => {
    const y = top(sources) + i * PITCH;
    picture.append(edge(boxWidth, y + BOX.height / 2, selfX, middle, node, most));
    picture.append(box(0, y, boxWidth, node.title, node.text, 'node'));
  });
  clients.forEach((node, i) => {
    const y = top(clients) + i * PITCH;
    picture.append(edge(selfX + boxWidth, middle, width - boxWidth, y + BOX.height / 2, node, most));
    picture.append(box(width - boxWidth, y, boxWidth, node.title, node.text, 'node'));
  });
  picture.append(box(selfX, middle - BOX.height / 2, boxWidth, self.role, self.address, 'self'));
  document.getElementById('map').replaceChildren(picture);
}

// Objects, each with a cell for each generation, or for several, that fills from below by rank.

import {el, reconcile, setAttribute, setText, svg} from './dom.js';
import {bytes, count, plural} from './format.js';

const WIDE = 64; // cells in a row
const NARROW = 32;
const SIZE = 14;
const GAP = 3;

const narrow = matchMedia('(max-width: 760px)');

function make() {
  return el(
    'li',
    {class: 'object'},
    el('div', {class: 'head'}, el('h3'), el('span', {class: 'percent'})),
    svg('svg', {class: 'cells', role: 'img'},
      svg('path', {class: 'ground'}), svg('path', {class: 'part'}), svg('path', {class: 'full'})),
    el('p', {class: 'facts'}));
}

function square(x, y, height) {
  return `M${x},${y + SIZE - height}h${SIZE}v${height}h-${SIZE}z`;
}

function draw(picture, cells) {
  const across = Math.min(narrow.matches ? NARROW : WIDE, Math.max(cells.length, 16));
  const rows = Math.max(1, Math.ceil(cells.length / across));
  const pitch = SIZE + GAP;
  const widest = narrow.matches ? NARROW : WIDE;
  let ground = '';
  let part = '';
  let full = '';
  cells.forEach((percent, i) => {
    const x = (i % across) * pitch;
    const y = Math.floor(i / across) * pitch;
    if (percent === 100) {
      full += square(x, y, SIZE);
      return;
    }
    ground += square(x, y, SIZE);
    if (percent > 0) {
      part += square(x, y, Math.max(1, SIZE * percent / 100));
    }
  });
  setAttribute(picture, 'viewBox', `0 0 ${widest * pitch - GAP} ${rows * pitch - GAP}`);
  [ground, part, full].forEach((path, i) => setAttribute(picture.children[i], 'd', path));
}

export function showObjects(snapshot) {
  const {objects, objectCount, self} = snapshot;
  const isSent = self.role === 'server';
  const perCell = Math.max(1, ...objects.map(each => Math.ceil(each.generations / Math.max(1, each.cells.length))));
  setText(
    document.getElementById('objects-hint'),
    objects.length === 0
      ? 'No object is open.'
      : (isSent
          ? 'A cell is full once as many packets were sent as its generation has blocks'
          : 'A cell fills with the rank of its generation')
        + (perCell > 1 ? '; long objects have several generations in a cell' : '')
        + (objectCount > objects.length
          ? `. The first ${objects.length} of ${count(objectCount)}.` : '.'));
  reconcile(
    document.getElementById('objects'),
    objects,
    each => each.id,
    make,
    (node, each) => {
      const [head, picture, facts] = node.children;
      const mean = each.cells.reduce((all, cell) => all + cell, 0) / Math.max(1, each.cells.length);
      const share = `${each.done === each.generations ? 100 : Math.min(99.9, mean).toFixed(1)} %`;
      setText(head.children[0], each.name);
      setText(head.children[1], share);
      setAttribute(
        picture,
        'aria-label',
        `${each.done} of ${plural(each.generations, 'generation')} ${isSent ? 'sent' : 'complete'}`);
      draw(picture, each.cells);
      setText(
        facts,
        [
          bytes(each.bytes),
          `${count(each.done)} of ${plural(each.generations, 'generation')} of ${each.blocks} blocks`,
          plural(each.users, self.role === 'fetch' ? 'source' : 'client'),
          `id ${each.id.slice(0, 16)}…`,
        ].join(' · '));
    });
}

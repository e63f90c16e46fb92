// A short history as a line. Its latest value is a text beside it, so it is decoration for readers.

import {setAttribute, svg} from './dom.js';

const POINTS = 120;
const HEIGHT = 30;

export class Sparkline {
  constructor() {
    this.values = [];
    this.area = svg('path', {class: 'area'});
    this.line = svg('path', {class: 'line'});
    this.node = svg(
      'svg',
      {class: 'spark', viewBox: `0 0 ${POINTS - 1} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      this.area,
      this.line);
  }

  add(value) {
    this.values.push(value ?? 0);
    if (this.values.length > POINTS) {
      this.values.shift();
    }
    const most = Math.max(...this.values, 1e-9);
    const first = POINTS - this.values.length;
    const points = this.values.map(
      (each, i) => `${first + i},${(HEIGHT - 2 - (HEIGHT - 5) * each / most).toFixed(1)}`);
    setAttribute(this.line, 'd', 'M' + points.join('L'));
    setAttribute(this.area, 'd', `M${first},${HEIGHT}L${points.join('L')}L${POINTS - 1},${HEIGHT}Z`);
  }
}

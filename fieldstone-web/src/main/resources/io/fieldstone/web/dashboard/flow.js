// Live packets: what a viewer misses, and what it costs to avoid that.

import {count, millis, percent} from './format.js';
import {Tile} from './overview.js';

export class Flow {
  constructor() {
    const tiles = document.getElementById('flow-tiles');
    this.residual = new Tile(tiles, 'residual', 'Not passed on (residual)', true);
    this.lost = new Tile(tiles, 'lost', 'Lost on the path', true);
    this.redundancy = new Tile(tiles, 'redundancy', 'Redundancy', true);
    this.delay = new Tile(tiles, 'delay', 'Added delay, 99 %', true);
    this.before = null;
  }

  show(snapshot) {
    const {flow} = snapshot;
    document.getElementById('flow').hidden = flow === null;
    document.getElementById('objects-panel').hidden = flow !== null;
    if (flow === null) {
      return;
    }
    const receives = flow.delivered + flow.residual > 0;
    const since = this.before ?? flow;
    const now = name => Math.max(0, flow[name] - since[name]);
    const all = flow.delivered + flow.residual;
    this.residual.show(
      receives ? percent(flow.residual / all).replace(' %', '') : '–',
      receives ? '%' : '',
      receives ? `${count(flow.residual)} of ${count(all)} packets, ${count(flow.late)} late` : 'only receivers know',
      now('residual'));
    const recent = now('delivered') + now('residual');
    const loss = flow.sources > 0 ? flow.lossShare : recent > 0 ? Math.min(1, now('lost') / recent) : null;
    this.lost.show(
      loss === null ? '–' : percent(loss).replace(' %', ''),
      loss === null ? '' : '%',
      receives ? `${count(flow.repaired)} of ${count(flow.lost)} repaired` : 'of the worst path',
      loss);
    this.redundancy.show(
      flow.sources > 0 ? percent(flow.redundancy).replace(' %', '') : '–',
      flow.sources > 0 ? '%' : '',
      flow.sources > 0
        ? `${count(flow.repairs)} repairs for ${count(flow.sources)} packets${flow.isCongested ? ', congested' : ''}`
        : 'only senders know',
      flow.redundancy);
    const [number, unit] = receives ? millis(flow.delayMillis99).split(' ') : ['–', ''];
    this.delay.show(
      number, unit, receives ? `median ${millis(flow.delayMillis50)}` : 'only receivers know', flow.delayMillis99);
    this.before = flow;
  }
}

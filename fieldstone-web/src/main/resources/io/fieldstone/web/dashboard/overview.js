// Tiles with the most important numbers, and the facts of the process.

import {el, reconcile, setText} from './dom.js';
import {bytes, count, plural, rate, rateParts} from './format.js';
import {Sparkline} from './sparkline.js';

/** A number with its label, and a line if it has a history. */
export class Tile {
  constructor(parent, id, label, hasHistory) {
    this.number = el('span');
    this.unit = el('small');
    this.note = el('span', {class: 'note'});
    this.history = hasHistory ? new Sparkline() : null;
    this.node = el(
      'div',
      {class: 'tile', id: `tile-${id}`},
      el('span', {class: 'label'}, label),
      el('span', {class: 'value'}, this.number, this.unit),
      this.note);
    if (hasHistory) {
      this.node.append(this.history.node);
    }
    parent.append(this.node);
  }

  show(number, unit, note, value) {
    setText(this.number, number);
    setText(this.unit, unit);
    setText(this.note, note);
    this.history?.add(value);
  }
}

export class Overview {
  constructor() {
    const tiles = document.getElementById('tiles');
    this.sent = new Tile(tiles, 'sent', 'Sending', true);
    this.received = new Tile(tiles, 'received', 'Receiving', true);
    this.peers = new Tile(tiles, 'peers', 'Peers', true);
    this.loss = new Tile(tiles, 'loss', 'Loss of the worst path', true);
  }

  show(snapshot) {
    const {peers} = snapshot;
    const sent = sum(peers, each => each.sentRate);
    const received = sum(peers, each => each.receivedRate);
    this.sent.show(...rateParts(sent), `${bytes(sum(peers, each => each.sentBytes))} in all`, sent);
    this.received.show(
      ...rateParts(received), `${bytes(sum(peers, each => each.receivedBytes))} in all`, received);
    const sources = peers.filter(each => each.isSource).length;
    this.peers.show(
      count(snapshot.peerCount),
      '',
      `${plural(sources, 'source')}, ${plural(snapshot.peerCount - sources, 'client')}`,
      snapshot.peerCount);
    const losses = peers.map(each => each.lossShare).filter(each => each !== null);
    const worst = losses.length ? Math.max(...losses) : null;
    this.loss.show(
      worst === null ? '–' : (100 * worst).toFixed(worst < 0.1 ? 2 : 1),
      worst === null ? '' : '%',
      losses.length ? `of ${plural(losses.length, 'path')}` : 'not known here',
      worst);
    this.showProcess(snapshot.self);
  }

  showProcess(self) {
    setText(document.getElementById('role'), self.role);
    setText(document.getElementById('address'), self.address);
    document.title = `${self.role} ${self.address} – Fieldstone`;
    const facts = [
      ['Version', self.version],
      ['Engine', self.engine],
      ['Congestion control', self.controller],
      ['Limit of the rate', self.maxBytesPerSecond === null ? 'none' : rate(self.maxBytesPerSecond)],
    ];
    if (self.files || self.generations) {
      facts.push(
        ['Files on offer', count(self.files)],
        ['In memory', `${plural(self.generations, 'generation')}, ${bytes(self.generationBytes)}`]);
    }
    if (self.fingerprint) {
      facts.push(['Fingerprint', self.fingerprint]);
    }
    const cells = facts.flatMap(([name, value]) => [['dt', name, name], ['dd', name, value]]);
    reconcile(
      document.getElementById('process'),
      cells,
      ([tag, name]) => `${tag} ${name}`,
      ([tag]) => el(tag),
      (node, cell) => setText(node, cell[2]));
  }
}

function sum(items, of) {
  return items.reduce((all, each) => all + (of(each) ?? 0), 0);
}

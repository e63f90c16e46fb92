// The tables of peers and of what happened to them.

import {el, reconcile, setAttribute, setText} from './dom.js';
import {bytes, count, duration, millis, percent, plural, rate} from './format.js';

/** Adds rates: what was counted since the last snapshot, by time. */
export class Rates {
  constructor() {
    this.before = new Map();
    this.beforeMillis = 0;
  }

  add(snapshot) {
    const seconds = (snapshot.millis - this.beforeMillis) / 1000;
    const now = new Map();
    for (const peer of snapshot.peers) {
      const key = keyOf(peer);
      const before = this.before.get(key);
      const of = (name) =>
        before && seconds > 0 ? Math.max(0, peer[name] - before[name]) / seconds : null;
      peer.sentRate = of('sentBytes');
      peer.receivedRate = of('receivedBytes');
      now.set(key, peer);
    }
    this.before = now;
    this.beforeMillis = snapshot.millis;
  }
}

export function keyOf(peer) {
  return `${peer.isSource ? 'from' : 'to'} ${peer.address}`;
}

const LABELS = ['Role', 'State', 'Sent', 'Received', 'Loss', 'Overhead', 'Round trip', 'Pacer', 'Since'];

function traffic(total, perSecond) {
  return total === 0 ? ['–', ''] : [rate(perSecond), bytes(total)];
}

function row(columns) {
  const head = el('th', {scope: 'row', role: 'rowheader'}, el('span'), el('span', {class: 'soft'}));
  return el('tr', {role: 'row'}, head, ...columns.map(attributes =>
    el('td', {role: 'cell', ...attributes}, el('span'), el('span', {class: 'soft'}))));
}

function fill(cell, text, soft = '') {
  setText(cell.children[0], text);
  cell.toggleAttribute('data-unknown', text === '–');
  setText(cell.children[1], soft);
}

/** The snapshots after which a row outside the window is filled again. */
const ROUND = 10;

/**
 * The rows in the window and near it. The others are filled in turns: filling all rows of hundreds of peers every second
 * would cost the browser more than all else.
 */
class Rows {
  constructor() {
    this.known = new WeakMap();
    this.made = 0;
    this.observer = new IntersectionObserver(entries => entries.forEach(({target, isIntersecting}) => {
      const row = this.known.get(target);
      row.isNear = isIntersecting;
      if (isIntersecting) {
        fillPeer(target, row.peer);
      }
    }), {rootMargin: '20%'});
  }

  /** Takes a new row, which is filled. */
  add(node, peer) {
    this.known.set(node, {peer, isNear: false, age: this.made % ROUND});
    this.made++;
    fillPeer(node, peer);
    this.observer.observe(node);
    return node;
  }

  /** Shows what is new of a peer in its row: at once if its row may be visible. */
  show(node, peer) {
    const row = this.known.get(node);
    row.peer = peer;
    row.age = (row.age + 1) % ROUND;
    if (row.isNear || row.age === 0) {
      fillPeer(node, peer);
    }
  }
}

const rows = new Rows();

function fillPeer(node, peer) {
  setAttribute(node, 'data-state', peer.state);
  const [head, role, state, sent, received, loss, overhead, rtt, pacer, since] = node.children;
  fill(head, peer.address, peer.note);
  fill(role, peer.role);
  fill(state, peer.state);
  fill(sent, ...traffic(peer.sentBytes, peer.sentRate));
  fill(received, ...traffic(peer.receivedBytes, peer.receivedRate));
  fill(loss, percent(peer.lossShare));
  fill(overhead, percent(peer.overheadShare));
  fill(rtt, millis(peer.rttMillis));
  fill(pacer, rate(peer.bytesPerSecond));
  fill(since, duration(peer.seconds));
}

export function showPeers(snapshot) {
  const table = document.getElementById('peers');
  const {peers, peerCount} = snapshot;
  table.toggleAttribute('data-empty', peers.length === 0);
  setText(
    document.getElementById('peers-caption'),
    peerCount === 0
      ? 'Nobody is connected.'
      : peerCount > peers.length
        ? `The first ${count(peers.length)} of ${plural(peerCount, 'peer')}.`
        : `${plural(peerCount, 'peer')}.`);
  reconcile(
    table.tBodies[0],
    peers,
    keyOf,
    peer => rows.add(
      row(LABELS.map((label, i) => ({
        'data-label': label, class: i >= 2 ? 'n' : i === 1 ? 'word state' : 'word'}))),
      peer),
    (node, peer) => rows.show(node, peer));
}

export function showIncidents(snapshot) {
  const table = document.getElementById('incidents');
  const {incidents} = snapshot;
  table.toggleAttribute('data-empty', incidents.length === 0);
  setText(
    document.getElementById('incidents-caption'),
    incidents.length ? 'The latest first.' : 'Nobody was banned or refused.');
  reconcile(
    table.tBodies[0],
    incidents,
    each => `${each.peer} ${each.reason}`,
    () => row([
      {'data-label': '', class: 'wide'}, {'data-label': 'Times', class: 'n'}, {'data-label': 'Last', class: 'word'}]),
    (node, each) => {
      const [head, reason, times, last] = node.children;
      fill(head, each.peer);
      fill(reason, each.reason);
      fill(times, count(each.count));
      fill(last, new Date(each.time).toLocaleTimeString());
    });
}

import { MalformedDataError } from '../bytes.js';
import { extend, Kind, readPacket, REPAIR_HEADER_BYTES, SOURCE_HEADER_BYTES, writeReport } from './live-messages.js';
import { LossCounter } from './loss-counter.js';
import { PartJoiner } from './part-joiner.js';
import { coefficients } from './tiny-mt.js';
import { WindowDecoder } from './window-decoder.js';

/** The times between reports, as in docs/live.md. */
const REPORT_NANOS = 10e6;
const MIN_REPORT_NANOS = 2.5e6;
const CALM_REPORT_NANOS = 40e6;
const CALM_NANOS = 2e9;
const IDLE_REPORT_NANOS = 2e9;
const FIRST_RETRY_NANOS = 20e6;

/** The unit of times in datagrams. */
const TICK_NANOS = 100_000;

/** The sources by which the path may reorder packets that are still of use. */
const REORDERING = 64;

/** The latest sources whose times are known. */
const SLOTS = 1 << 13;
const MARKS = 1 << 12;

/** The time over which the least delay is that of the path, in slices. */
const SLICE_NANOS = 200e6;
const SLICES = 10;

const DELAY_BIN_NANOS = 100_000;
const DELAY_BINS = 20_000;

/** The minimum of the last two seconds. */
class PathDelay {
  constructor() {
    this.minima = new Float64Array(SLICES).fill(Infinity);
    this.slices = new Float64Array(SLICES).fill(-Infinity);
  }

  add(value, now) {
    const slice = Math.floor(now / SLICE_NANOS);
    const at = slice % SLICES;
    this.minima[at] = this.slices[at] === slice ? Math.min(this.minima[at], value) : value;
    this.slices[at] = slice;
  }

  min(now) {
    const slice = Math.floor(now / SLICE_NANOS);
    let min = Infinity;
    for (let at = 0; at < SLICES; at++) {
      if (this.slices[at] > slice - SLICES) {
        min = Math.min(min, this.minima[at]);
      }
    }
    return min;
  }
}

/**
 * Receives a flow of live packets: delivers packets in order, declares those lost whose deadline has passed, and reports
 * to the sender; the port of the class of the same name. Times are nanoseconds of one clock, at least 0. The owner calls
 * wake at the time that nextNanos gives.
 */
export class LiveReceiver {
  /**
   * @param {any} kernels
   * @param {import('./live-messages.js').Flow} flow
   * @param {object} output
   * @param {(packet: Uint8Array) => void} output.packet
   * @param {(sources: number) => void} output.gap
   * @param {(report: Uint8Array) => void} output.report
   */
  constructor(kernels, flow, output) {
    this.flow = flow;
    this.output = output;
    this.counter = new LossCounter();
    this.path = new PathDelay();
    this.joiner = new PartJoiner((packet) => {
      this.packets++;
      output.packet(packet);
    });
    this.decoder = new WindowDecoder(kernels, flow.sourceBytes, flow.window + REORDERING, flow.first, {
      source: (id, source) => this.deliver(id, source),
      gap: (first, count) => this.gap(first, count),
    });
    /** When each source was added, by this clock without the delay of the path; and whether it has arrived. */
    this.addedNanos = new Float64Array(SLOTS);
    this.isReceived = new Uint8Array(SLOTS);
    /** When sources have to be known: rings of ends and times. */
    this.markEnds = new Float64Array(MARKS);
    this.markNanos = new Float64Array(MARKS);
    this.firstMark = 0;
    this.nextMark = 0;
    this.end = flow.first;
    this.highestRepair = -1;
    this.now = 0;
    /** When to report; at first at once, since the sender waits for that. */
    this.reportNanos = -Infinity;
    this.retryNanos = FIRST_RETRY_NANOS;
    this.lastReportNanos = -Infinity;
    this.lastDeficit = 0;
    this.lastLost = 0;
    this.lossNanos = 0;
    this.arrived = 0;
    this.arrivedBytes = 0;
    this.packets = 0;
    this.delivered = 0;
    this.deliveredBytes = 0;
    this.repaired = 0;
    this.late = 0;
    this.residual = 0;
    this.repairs = 0;
    this.delays = new Int32Array(DELAY_BINS);
    this.delayCount = 0;
  }

  close() {
    this.decoder.close();
  }

  deliver(id, source) {
    const slot = id % SLOTS;
    this.delivered++;
    this.deliveredBytes += source.length - 1;
    this.repaired += this.isReceived[slot] === 1 ? 0 : 1;
    const bin = Math.floor((this.now - this.addedNanos[slot]) / DELAY_BIN_NANOS);
    this.delays[Math.min(DELAY_BINS - 1, Math.max(0, bin))]++;
    this.delayCount++;
    this.isReceived[slot] = 0;
    this.joiner.add(source);
  }

  gap(first, count) {
    this.residual += count;
    for (let id = Math.max(first, first + count - SLOTS); id < first + count; id++) {
      this.isReceived[id % SLOTS] = 0;
    }
    this.joiner.gap();
    this.output.gap(count);
  }

  /**
   * Receives a datagram; throws MalformedDataError if a value is out of range.
   * @param {Uint8Array} datagram
   * @param {number} now
   */
  datagram(datagram, now) {
    this.now = Math.max(this.now, now);
    const packet = readPacket(datagram);
    const isNew = packet.kind === Kind.SOURCE || packet.kind === Kind.LATE ? this.source(packet, datagram)
        : packet.kind === Kind.SKIP ? this.skip(packet)
        : this.repair(packet, datagram);
    if (isNew) {
      this.arrived++;
      this.arrivedBytes += datagram.length;
      this.retryNanos = FIRST_RETRY_NANOS;
    }
    this.scheduleReport();
  }

  /** A late source says nothing about the path, so it counts as a repair. */
  source(packet, datagram) {
    const id = this.requireId(extend(packet.number, this.end));
    const source = datagram.subarray(SOURCE_HEADER_BYTES);
    if (source.length > this.flow.sourceBytes) {
      throw new MalformedDataError(`a source of ${source.length} bytes; the maximum is ${this.flow.sourceBytes}`);
    }
    const added = this.added(packet);
    this.know(id + 1, added);
    if (packet.kind === Kind.LATE) {
      this.repairs++;
      return this.decoder.source(id, source);
    }
    const isNew = this.counter.onSource(id - this.flow.first, this.now);
    if (id >= this.decoder.next) {
      this.addedNanos[id % SLOTS] = added;
      this.isReceived[id % SLOTS] = 1;
    } else if (isNew) {
      this.late++;
    }
    this.decoder.source(id, source);
    return isNew;
  }

  repair(packet, datagram) {
    const first = this.firstOf(packet);
    const { count } = packet;
    const vectorBytes = packet.kind === Kind.RECODED ? count : 0;
    const symbol = datagram.subarray(REPAIR_HEADER_BYTES + vectorBytes);
    if (symbol.length === 0 || symbol.length > this.decoder.symbolBytes) {
      throw new MalformedDataError(`a symbol of ${symbol.length} bytes; it has 1 to ${this.decoder.symbolBytes}`);
    }
    const number = extend(packet.number, this.highestRepair + 1);
    if (number < 0) {
      return false;
    }
    this.highestRepair = Math.max(this.highestRepair, number);
    this.repairs++;
    this.know(first + count, this.added(packet));
    this.counter.onRepair(this.highestRepair, first + count - this.flow.first, this.now);
    const vector = vectorBytes > 0
        ? datagram.subarray(REPAIR_HEADER_BYTES, REPAIR_HEADER_BYTES + vectorBytes)
        : coefficients(packet.number & 0xffff, count);
    this.decoder.combined(first, vector, symbol);
    return true;
  }

  /** Gives up sources that are not sent; older ones are as late. */
  skip(packet) {
    const first = this.firstOf(packet);
    this.know(first + packet.count, this.added(packet));
    for (let id = first; id < first + packet.count; id++) {
      this.counter.onSource(id - this.flow.first, this.now);
    }
    this.decoder.expire(first + packet.count);
    return false;
  }

  firstOf(packet) {
    if (packet.count > this.flow.window) {
      throw new MalformedDataError(`${packet.count} sources in a packet; the window is ${this.flow.window}`);
    }
    return this.requireId(extend(packet.first, this.end));
  }

  requireId(id) {
    if (id < this.flow.first) {
      throw new MalformedDataError(`source ${id} is before the first, ${this.flow.first}`);
    }
    return id;
  }

  /** Returns when a packet was added, by this clock and without the delay of the path. */
  added(packet) {
    const delay = this.path.min(this.now);
    const expected = delay === Infinity ? this.now : this.now - delay;
    const sent = extend(packet.ticks, Math.floor(expected / TICK_NANOS)) * TICK_NANOS;
    this.path.add(this.now - sent, this.now);
    return sent + this.path.min(this.now);
  }

  /** Takes note that the sources below an id exist. */
  know(newEnd, added) {
    if (newEnd <= this.end) {
      return;
    }
    for (let id = Math.max(this.end, newEnd - SLOTS); id < newEnd; id++) {
      this.addedNanos[id % SLOTS] = added;
      this.isReceived[id % SLOTS] = 0;
    }
    this.end = newEnd;
    if (this.nextMark - this.firstMark === MARKS) {
      this.firstMark++;
    }
    const mark = this.nextMark++ % MARKS;
    this.markEnds[mark] = newEnd;
    this.markNanos[mark] = added + this.flow.deadlineNanos;
  }

  scheduleReport() {
    const wait = this.decoder.deficit() > this.lastDeficit ? MIN_REPORT_NANOS : this.interval();
    this.reportNanos = Math.min(this.reportNanos, Math.max(this.now, this.lastReportNanos + wait));
  }

  interval() {
    return this.lastDeficit === 0 && this.now - this.lossNanos > CALM_NANOS ? CALM_REPORT_NANOS : REPORT_NANOS;
  }

  /** Returns the time of the next wake. */
  nextNanos() {
    const isWaiting = this.decoder.next < this.end && this.firstMark < this.nextMark;
    return Math.min(isWaiting ? this.markNanos[this.firstMark % MARKS] + 1 : Infinity, this.reportNanos);
  }

  /** Declares sources lost whose deadline has passed, and reports if it is time. */
  wake(now) {
    this.now = Math.max(this.now, now);
    let expired = -1;
    while (this.firstMark < this.nextMark) {
      const mark = this.firstMark % MARKS;
      if (this.markEnds[mark] > this.decoder.next && this.markNanos[mark] >= this.now) {
        break;
      }
      expired = this.markEnds[mark];
      this.firstMark++;
    }
    if (expired > this.decoder.next) {
      this.decoder.expire(expired);
    }
    if (this.reportNanos <= this.now) {
      this.report();
    }
  }

  report() {
    const { counter, now } = this;
    const deficit = this.decoder.deficit();
    counter.update(now);
    if (this.arrived === 0 || counter.lost > this.lastLost) {
      this.lossNanos = now;
      this.lastLost = counter.lost;
    }
    this.lastDeficit = deficit;
    this.lastReportNanos = now;
    const isDecided = counter.decidedEnd > counter.highest;
    if (this.arrived === 0 || isDecided && deficit > 0) {
      this.reportNanos = now + this.retryNanos;
      this.retryNanos = Math.min(2 * this.retryNanos, IDLE_REPORT_NANOS);
    } else {
      this.reportNanos = now + (isDecided ? IDLE_REPORT_NANOS : this.interval());
    }
    this.output.report(writeReport([
      counter.highest,
      counter.highestNanos,
      Math.max(now - counter.highestNanos, 0),
      counter.decidedEnd,
      counter.lost,
      counter.lossRuns,
      counter.beforeLoss,
      counter.beforeLossNanos,
      this.decoder.next - this.flow.first,
      Math.max(deficit - counter.undecided(), 0),
      counter.highestRepair,
      this.arrived,
      this.arrivedBytes,
    ]));
  }

  /**
   * Waits for the sources below the end of a flow.
   * @returns {boolean} whether all are delivered or given up
   */
  awaitEnd(flowEnd, now) {
    this.now = Math.max(this.now, now);
    if (flowEnd > this.end && flowEnd - this.end <= this.decoder.window) {
      this.know(flowEnd, this.now);
    }
    this.wake(now);
    return this.decoder.next >= this.end;
  }

  /** Returns the delay in milliseconds that a share of the sources since the last clear did not exceed. */
  delayMillis(share) {
    let below = 0;
    for (let bin = 0; bin < DELAY_BINS; bin++) {
      below += this.delays[bin];
      if (below >= share * this.delayCount) {
        return this.delayCount === 0 ? 0 : bin * DELAY_BIN_NANOS / 1e6;
      }
    }
    return DELAY_BINS * DELAY_BIN_NANOS / 1e6;
  }

  /** Returns the numbers since the start, and delays since the last call. */
  statistics() {
    const { packets, delivered, deliveredBytes, repaired, late, residual, repairs } = this;
    this.counter.update(this.now);
    const statistics = {
      packets,
      sources: delivered,
      bytes: deliveredBytes,
      lost: this.counter.lost,
      repaired,
      late,
      residual,
      repairs,
      damaged: this.decoder.damaged,
      delayMillis50: this.delayMillis(0.5),
      delayMillis99: this.delayMillis(0.99),
    };
    this.delays.fill(0);
    this.delayCount = 0;
    return statistics;
  }
}

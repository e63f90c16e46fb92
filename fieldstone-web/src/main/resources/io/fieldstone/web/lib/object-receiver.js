import { areEqual, ByteWriter, MalformedDataError } from './bytes.js';
import { HashTree } from './hash-tree.js';
import { OpenGeneration } from './open-generation.js';
import { MIN_REPORT_BYTES, readHeader, REPORT, SEEDED, SOURCE } from './packet.js';
import { Polluters } from './polluters.js';
import { Rows } from './rows.js';
import { Scheduler } from './scheduler.js';
import { Senders } from './senders.js';

/** The maximum bytes of an item of a report. */
const MAX_ITEM_BYTES = 11;

const MAX_DEFICIT = 1 << 14;

/** The missing blocks of the whole object from which on more blocks are asked for than needed. */
const ENDGAME_BLOCKS = 64;

/** The generations for which one more block is asked for in the end. */
const ENDGAME_GENERATIONS = 2;

/** The default memory for open generations, 64 MiB. */
const DEFAULT_WINDOW_BYTES = 64 << 20;

const MAX_OPEN = 1 << 16;

/**
 * What became of a packet: its block is kept, or is of no use, or its generation is not open.
 * @typedef {'innovative' | 'redundant' | 'late'} Arrival
 */

/**
 * Hears of events.
 * @typedef {object} ReceiverListener
 * @property {(generation: number, bytes: Uint8Array) => void} verified takes the coded bytes of each generation once
 * @property {(conviction: {sender: number, generation: number, evidence: string}) => void} [convicted] a sender of
 *     wrong bytes was removed
 * @property {(generation: number) => void} [polluted] a generation has a wrong hash
 */

/**
 * Receives one object from any number of senders at once, and verifies each generation.
 *
 * It asks for what it lacks: `report` divides the deficit of each open generation among the senders, so that no two
 * send the same. Each generation is decoded once its rank is full, and goes to the listener if its hash is that of the
 * object. Otherwise it is fetched again from one sender alone, and every sender of a wrong block is found and removed.
 */
export class ObjectReceiver {
  /**
   * @param {import('./kernels.js').WasmKernels} kernels
   * @param {import('./hash-tree.js').GenerationHashes} hashes
   * @param {ReceiverListener} listener
   * @param {{windowBytes?: number, limit?: number}} [options] the memory for open generations, and the generations
   *     that may be opened at first: those before the limit
   */
  constructor(kernels, hashes, listener, options = {}) {
    this.kernels = kernels;
    this.hashes = hashes;
    this.manifest = hashes.manifest;
    this.listener = listener;
    this.tree = new HashTree(kernels);
    kernels.start(this.manifest.polynomial);
    const { n, k, generations } = this.manifest;
    this.maxOpen = Math.max(1, Math.min(
        MAX_OPEN, Math.floor((options.windowBytes ?? DEFAULT_WINDOW_BYTES) / (2 * n * k + n * n))));
    this.limit = Math.min(options.limit ?? generations, generations);
    /** The next generation that was never opened. */
    this.next = 0;
    this.isVerified = new Uint8Array(generations);
    this.verifiedCount = 0;
    this.senders = new Senders();
    /** @type {OpenGeneration[]} */
    this.open = [];
    /** @type {Map<number, OpenGeneration>} */
    this.byNumber = new Map();
    this.scheduler = new Scheduler(this.senders, this.open);
    this.polluters = new Polluters(this.senders, this.scheduler, this);
    /** @type {Rows[]} */
    this.spareRows = [];
    this.output = -1;
    /** The data packets that arrived, and those that brought an innovative block. */
    this.packets = 0;
    this.innovative = 0;
  }

  /**
   * Adds a sender.
   * @param {{low: number, high: number}} seed the seed of its coded blocks
   * @param {number} kind ORIGIN, RELAY or IMMEDIATE
   * @param {number} alias the number of the object on this connection
   * @returns {number} its number, which is never used again
   */
  addSender(seed, kind, alias) {
    const added = this.senders.add(seed, kind, alias);
    this.polluters.add(added);
    for (const generation of this.open) {
      generation.division.reserve(this.senders.slots());
    }
    return added.number;
  }

  /** Removes a sender that has left. Its blocks stay, and others are asked for its share. */
  removeSender(number) {
    const sender = this.senders.get(number);
    if (sender !== undefined) {
      this.polluters.remove(sender);
    }
  }

  /** Returns the blocks that a sender was asked for and has not delivered; 0 if it was removed. */
  outstanding(number) {
    return this.senders.get(number)?.outstanding ?? 0;
  }

  /** Returns the packets of a sender that arrived and those that are lost. */
  arrivals(number) {
    const log = this.senders.get(number)?.log;
    return { arrived: log?.arrived ?? 0, lost: log?.lost() ?? 0 };
  }

  /** Returns true if all generations are verified. */
  isComplete() {
    return this.verifiedCount === this.manifest.generations;
  }

  /** Returns the generations that were fetched again from their first block on. */
  refetched() {
    return this.polluters.refetched;
  }

  /** Lets generations before a number be opened. */
  setLimit(limit) {
    this.limit = Math.max(this.limit, Math.min(limit, this.manifest.generations));
  }

  /**
   * Takes a packet.
   * @param {number} number the sender, known from the connection
   * @param {Uint8Array} packet one data packet, which is not kept
   * @returns {Arrival}
   * @throws {MalformedDataError} if it is damaged; the state does not change
   */
  receive(number, packet) {
    const from = this.senders.get(number);
    if (from === undefined) {
      return 'late';
    }
    const header = readHeader(packet, this.manifest);
    if (header.isUnverified && !from.isImmediate()) {
      throw new MalformedDataError('an unverified block from a sender that verifies');
    }
    const generation = this.byNumber.get(header.generation);
    const sequence = from.log.sequence(header.sequence);
    const isAfterCut = sequence >= from.log.cut;
    if (!from.log.note(sequence, header.generation)) {
      return 'redundant';
    }
    this.packets++;
    if (generation === undefined) {
      return 'late';
    }
    if (isAfterCut) {
      generation.division.arrivedAfterCut[from.slot]++;
    }
    if (!generation.isCollecting() || !this.scheduler.accepts(generation, from)) {
      return 'redundant';
    }
    return this.add(generation, from, header, packet);
  }

  add(generation, from, header, packet) {
    const { rows } = generation;
    const { kind, index, bodyAt } = header;
    let isInnovative;
    if (kind === SOURCE) {
      isInnovative = rows.addSource(from.number, index, packet.subarray(bodyAt));
    } else if (kind === SEEDED) {
      isInnovative = rows.addCoded(
          from.number,
          (vector) => this.manifest.code.coefficients(from.seed, generation.number, index, vector),
          packet.subarray(bodyAt));
    } else {
      isInnovative = rows.addCoded(
          from.number,
          (vector) => vector.set(packet.subarray(bodyAt, bodyAt + rows.n)),
          packet.subarray(bodyAt + rows.n));
    }
    if (!isInnovative) {
      return 'redundant';
    }
    this.innovative++;
    this.scheduler.delivered(generation, from, this.innovative);
    if (rows.isComplete()) {
      this.verify(generation);
    }
    return 'innovative';
  }

  /** Decodes and hashes a generation of full rank. */
  verify(generation) {
    this.scheduler.takeAll(generation);
    const { rows, number } = generation;
    const { heap } = this.kernels;
    if (this.output < 0) {
      this.output = heap.allocate(this.manifest.n * rows.pitch);
    }
    rows.decode(this.output);
    if (!areEqual(this.tree.generation(this.output, rows.pitch, rows.n, rows.k), this.hashes.of(number))) {
      this.polluters.rejected(generation);
      return;
    }
    const bytes = new Uint8Array(this.manifest.bytesOf(number));
    for (let at = 0, block = this.output; at < bytes.length; at += rows.k, block += rows.pitch) {
      bytes.set(heap.bytes.subarray(block, block + Math.min(rows.k, bytes.length - at)), at);
    }
    this.open.splice(this.open.indexOf(generation), 1);
    this.byNumber.delete(number);
    this.scheduler.endProbe(generation);
    this.polluters.accepted(generation, this.output);
    this.isVerified[number] = 1;
    this.verifiedCount++;
    this.listener.verified(number, bytes);
  }

  /** Returns memory for the blocks of a generation. */
  newRows(n) {
    const spare = n === this.manifest.n ? this.spareRows.pop() : undefined;
    spare?.clear();
    return spare ?? new Rows(this.kernels, n, this.manifest.k);
  }

  /** Takes blocks back that are not needed any more. */
  release(rows) {
    if (rows.n === this.manifest.n) {
      this.spareRows.push(rows);
    } else {
      rows.free();
    }
  }

  /** Opens generations while the window has room and a sender can be asked for them. */
  openMore() {
    this.scheduler.assignAll();
    while (this.next < this.limit && this.open.length < this.maxOpen && this.scheduler.canOpen()) {
      const added = new OpenGeneration(this.next, this.newRows(this.manifest.blocksOf(this.next)));
      this.next++;
      added.division.reserve(this.senders.slots());
      this.open.push(added);
      this.byNumber.set(added.number, added);
      this.scheduler.assign(added);
    }
    this.scheduler.moveProbes();
  }

  /**
   * Returns a report to a sender: what is wanted of each open generation from it. Call it for each sender every quarter
   * of the round-trip time, and at least every few milliseconds.
   * @param {number} number the sender
   * @param {number} delayMicros the time since its newest packet arrived, in microseconds
   * @param {number} maxBytes at least MIN_REPORT_BYTES; those that fit are used
   * @returns {Uint8Array} empty if the sender was removed
   */
  report(number, delayMicros, maxBytes) {
    const to = this.senders.get(number);
    if (to === undefined) {
      return new Uint8Array(0);
    }
    if (maxBytes < MIN_REPORT_BYTES) {
      throw new RangeError(`${maxBytes} bytes for a report of at least ${MIN_REPORT_BYTES}`);
    }
    this.openMore();
    for (const generation of this.scheduler.watch(to, this.innovative)) {
      generation.tried.add(to.number);
      this.polluters.abandon(generation);
    }
    return this.writeReport(to, delayMicros, maxBytes);
  }

  writeReport(to, delayMicros, maxBytes) {
    const writer = new ByteWriter(maxBytes);
    const { log } = to;
    writer.u8(REPORT);
    writer.varint(to.alias);
    writer.varint(log.reports);
    writer.varint(log.cut);
    writer.varint(log.lost());
    writer.varint(log.arrived);
    writer.varint(log.end);
    writer.varint(Math.max(0, Math.round(delayMicros)));
    this.writeItems(to, writer);
    this.moveCut(to);
    return writer.written();
  }

  writeItems(to, writer) {
    let surplus = this.next === this.manifest.generations ? this.surplusGenerations() : 0;
    let previous = -1;
    const isMissingAny = to.log.arrived < to.log.end;
    for (const generation of this.open) {
      const { division } = generation;
      const arrived = division.takeAfterCut(to);
      let share = division.of(to);
      if (share > 0 && surplus > 0 && isMissingAny && division.largestSlot() === to.slot) {
        share++;
      }
      surplus--;
      if (share === 0 || writer.remaining() < MAX_ITEM_BYTES) {
        continue;
      }
      writer.varint(generation.number - previous - 1);
      writer.varint(generation.attempt);
      writer.varint(Math.min(share + arrived, MAX_DEFICIT - 1));
      const count = division.sourceCount(to);
      writer.varint(count);
      if (count > 0) {
        writer.varint(division.sourceFirst[to.slot]);
      }
      previous = generation.number;
    }
  }

  /** Returns the number of open generations for which one more block is asked for. */
  surplusGenerations() {
    let missing = 0;
    for (const generation of this.open) {
      missing += generation.isCollecting() ? generation.missing() : 0;
    }
    return missing <= ENDGAME_BLOCKS ? ENDGAME_GENERATIONS : 0;
  }

  /** Moves the cut of the next report, and counts what has arrived after it already. */
  moveCut(to) {
    const { log } = to;
    log.moveCut();
    for (let sequence = log.cut; sequence < log.end; sequence++) {
      const generation = this.byNumber.get(log.generationOf(sequence));
      if (generation !== undefined) {
        generation.division.arrivedAfterCut[to.slot]++;
      }
    }
  }

  /** Frees the memory. */
  close() {
    const rows = [...this.spareRows, ...this.open.flatMap((each) => [each.rows, each.evidence])];
    for (const each of rows) {
      each?.free();
    }
    this.spareRows.length = 0;
    this.open.length = 0;
    this.byNumber.clear();
    if (this.output >= 0) {
      this.kernels.heap.free(this.output, this.manifest.n * Math.ceil(this.manifest.k / 64) * 64);
      this.output = -1;
    }
  }
}

import { MalformedDataError, toHex } from './bytes.js';
import { Decryption } from './decryption.js';
import { HashParts } from './hash-parts.js';
import { GenerationHashes, HashTree } from './hash-tree.js';
import { find, pacing, polluted, Role } from './messages.js';
import { ObjectReceiver } from './object-receiver.js';
import { ServerLink } from './server-link.js';

/** The hashes of an object that are kept, 32 bytes for each generation. */
const MAX_HASH_BYTES = 64 << 20;

/** The verified bytes that may wait for the sink. */
const MAX_WAITING_BYTES = 64 << 20;

/** The bytes of a generation, which is in the memory twice while it is decoded. */
const MAX_GENERATION_BYTES = 512 << 20;

/** The time without progress after which a transfer fails, and that in which the first server must answer. */
const PATIENCE_MILLIS = 60_000;
const FIRST_ANSWER_MILLIS = 15_000;

const PROGRESS_MILLIS = 100;

/**
 * What a transfer has done so far.
 * @typedef {object} Progress
 * @property {number} done the verified bytes, decrypted
 * @property {number} total the bytes of the file; 0 while unknown
 * @property {number} generations those that are verified
 * @property {number} refetched those that were fetched again because bytes were wrong
 * @property {ServerProgress[]} servers
 *
 * @typedef {object} ServerProgress
 * @property {string} name
 * @property {string} state
 * @property {string} problem why it is not used; empty if nothing is wrong
 * @property {number} blocks its blocks that were of use
 * @property {number} redundant its packets that were of no use
 * @property {number} lost its packets that were lost
 * @property {number} dropped its packets that this browser dropped
 * @property {string} note how it is connected, if not by WebTransport
 */

/** Fetches one object from several servers at once. */
export class Transfer {
  /**
   * @param {object} options
   * @param {any} options.kernels
   * @param {{url: string}[]} options.servers
   * @param {string} options.query the name, or at least 8 digits of the id
   * @param {any} [options.choice] an ObjectChoice, where publishers must have signed the object
   * @param {string} [options.token]
   * @param {Uint8Array | string} [options.key]
   * @param {number} [options.windowBytes]
   * @param {number} [options.maxBytesPerSecond] divided evenly among the servers
   * @param {(server: any) => Promise<import('./session.js').Transport>} options.connect
   * @param {object} options.listener
   * @param {(object: {id: string, name: string, length: number, publisher: string, signedSeconds: number}) => void}
   *     options.listener.started
   * @param {(generation: number, offset: number, bytes: Uint8Array) => void} options.listener.verified is answered by a
   *     call of written
   * @param {(progress: Progress) => void} options.listener.progress
   * @param {() => void} options.listener.completed
   * @param {(error: Error) => void} options.listener.failed
   */
  constructor({
    kernels, servers, query, choice, token = '', key, windowBytes, maxBytesPerSecond, connect, listener,
  }) {
    this.kernels = kernels;
    this.query = query;
    this.token = token;
    this.key = key;
    this.windowBytes = windowBytes;
    this.maxBytesPerSecond = maxBytesPerSecond;
    this.connect = connect;
    this.listener = listener;
    this.links = servers.map((server) => new ServerLink(this, server));
    this.tree = new HashTree(kernels);
    /** @type {import('./publishers/object-choice.js').ObjectChoice<ServerLink> | undefined} */
    this.choice = choice; // without one, it is the object that opens first
    this.id = '';
    this.fileName = '';
    /** @type {import('./manifest.js').Manifest | undefined} */
    this.manifest = undefined;
    /** @type {HashParts<ServerLink> | undefined} */
    this.parts = undefined;
    /** @type {ObjectReceiver | undefined} */
    this.receiver = undefined;
    /** @type {Decryption | null} */
    this.decryption = null;
    this.isReady = false;
    this.done = 0;
    /** The generations that the sink has; those before written are all of them. */
    this.isWritten = new Uint8Array(0);
    this.written = 0;
    this.writtenCount = 0;
    this.isEnded = false;
    this.lastProgress = performance.now();
    this.patienceMillis = FIRST_ANSWER_MILLIS;
  }

  /** Connects to all servers. */
  start() {
    this.ticker = setInterval(() => this.guard(() => this.tick()), PROGRESS_MILLIS);
    this.links.forEach((link) => link.connect());
  }

  /** Ends the transfer with an error that an action throws. */
  guard(action) {
    if (this.isEnded) {
      return;
    }
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  tick() {
    this.listener.progress(this.progress());
    this.choose();
    if (this.written < this.waitingFrom()) {
      this.progressed(); // the sink is slow, and no server
    } else if (performance.now() - this.lastProgress > this.patienceMillis) {
      const what = this.patienceMillis === FIRST_ANSWER_MILLIS ? 'no answer' : 'no progress';
      this.fail(new Error(`${what} for ${this.patienceMillis / 1000} s: ${this.problems()}`));
    }
  }

  /** Returns the first generation that may not be opened before the sink has taken others. */
  waitingFrom() {
    return this.receiver !== undefined && this.receiver.limit < this.receiver.manifest.generations
        && this.receiver.verifiedCount >= this.receiver.limit ? this.receiver.limit : 0;
  }

  /** Takes note that a server has greeted. */
  accepted() {
    this.patienceMillis = PATIENCE_MILLIS;
  }

  progressed() {
    this.lastProgress = performance.now();
  }

  progress() {
    return {
      done: this.done,
      total: this.manifest?.contentLength() ?? 0,
      generations: this.receiver?.verifiedCount ?? 0,
      refetched: this.receiver?.refetched() ?? 0,
      servers: this.links.map((link) => ({
        name: link.name,
        state: link.state,
        problem: link.problem,
        blocks: link.blocks,
        redundant: link.redundant,
        lost: Math.max(0, link.arrivals().lost),
        dropped: link.session?.transport.dropped ?? 0,
        note: link.session?.transport.note ?? '',
      })),
    };
  }

  problems(more = (_link) => '') {
    return this.links
        .map((link) => `${link.name}: ${more(link) || link.problem || 'it sends no blocks that are needed'}`).join('; ');
  }

  /** Returns what the greeting says to each server. */
  firstMessages() {
    const rate = this.maxBytesPerSecond;
    const limit = rate === undefined ? [] : [pacing(Math.max(1, Math.floor(rate / this.links.length)))];
    return [...limit, find(this.query)];
  }

  // The object

  /** Takes the entries that a server has for the query. */
  found(link, entries) {
    const { choice } = this;
    if (choice !== undefined) {
      const { attempt } = link;
      link.hold();
      choice.add(link, entries).then(
          () => {
            if (link.held === undefined || link.attempt !== attempt) {
              choice.remove(link);
            } else {
              this.guard(() => choice.id === '' ? this.choose() : this.proceed(link));
            }
          },
          (error) => this.fail(error));
      return;
    }
    const isId = /^[0-9a-f]{64}$/.test(this.query);
    const ids = [...new Set(entries.map((entry) => entry.id))].filter((id) => !isId || id === this.query);
    if (ids.length === 0) {
      link.drop('it does not have the file');
    } else if (ids.length > 1) {
      this.fail(new Error(`'${this.query}' has several objects: ${ids.map((id) => id.slice(0, 16)).join(', ')}`));
    } else {
      this.fileName ||= entries[0].name;
    }
  }

  /** Chooses among the objects that publishers have signed, once enough servers have answered. */
  choose() {
    const { choice, links } = this;
    if (choice === undefined || choice.id !== '' || choice.answers.size === 0) {
      return;
    }
    const isWaiting = links.some((link) => link.state !== 'dropped' && !link.isTried && !choice.answers.has(link));
    if (choice.choose(isWaiting)) {
      this.progressed();
      this.fileName = choice.record?.name ?? '';
      [...choice.answers.keys()].forEach((link) => this.proceed(link));
    } else if (!isWaiting) {
      this.fail(new Error(`${choice.absence()}: ${this.problems((link) => choice.problem(link))}`));
    }
  }

  /** Uses a server if it has the chosen object. */
  proceed(link) {
    const { choice } = this;
    const ids = new Set(choice.answers.get(link)?.entries.map((entry) => entry.id));
    if (ids.has(choice.id)) {
      link.proceed(ids, choice.id);
    } else {
      link.drop(choice.another(link));
    }
  }

  /** Returns the id that an object must have; empty if any one will do. */
  wantedId() {
    return this.choice?.id || (/^[0-9a-f]{64}$/.test(this.query) ? this.query : '');
  }

  /** Takes note that a server has opened the object, whose first hashes follow. */
  opened(link) {
    const { manifest } = link.opened;
    const { bytes } = manifest;
    const id = toHex(this.sha256(bytes));
    if (this.manifest === undefined) {
      const wanted = this.wantedId();
      if (wanted !== '' && id !== wanted) {
        link.convict(`it has another object than ${wanted}`);
        return;
      }
      this.begin(id, manifest);
    } else if (id !== this.id) {
      link.convict(`it has another object: ${id.slice(0, 16)}, not ${this.id.slice(0, 16)}`);
      return;
    }
    if (this.receiver !== undefined) {
      link.start();
      return;
    }
    this.parts.expectFirst(link);
    this.requestHashes();
    this.checkHashes();
  }

  sha256(bytes) {
    const memory = this.kernels.heap.allocate(128);
    this.kernels.heap.bytes.set(bytes.subarray(1), memory);
    const hash = this.tree.memory(1);
    this.kernels.sha256(hash, bytes[0], memory, 128, 1, bytes.length - 1);
    this.kernels.heap.free(memory, 128);
    return this.kernels.heap.bytes.slice(hash, hash + 32);
  }

  begin(id, manifest) {
    if (32 * manifest.generations > MAX_HASH_BYTES) {
      throw new Error(`the object has ${manifest.generations} generations; the maximum is ${MAX_HASH_BYTES / 32}`);
    }
    const bytes = manifest.n * manifest.k;
    if (bytes > MAX_GENERATION_BYTES) {
      throw new Error(`a generation of the object has ${bytes} bytes; the maximum is ${MAX_GENERATION_BYTES}`);
    }
    this.id = id;
    this.manifest = manifest;
    this.parts = new HashParts(manifest.generations);
    this.isWritten = new Uint8Array(manifest.generations);
    this.progressed();
    Decryption.of(manifest, this.key).then(
        (decryption) => {
          this.decryption = decryption;
          this.isReady = true;
          this.guard(() => this.checkHashes());
        },
        (error) => this.fail(error));
  }

  openLinks() {
    return this.links.filter((link) => link.state === 'open');
  }

  requestHashes() {
    const { parts } = this;
    if (parts === undefined || this.receiver !== undefined) {
      return;
    }
    const open = this.openLinks();
    if (parts.needsSender() && open.length > 0) {
      parts.startAlone(open[0]);
    }
    for (const link of open) {
      for (const request of parts.requests(link, link.opened.alias)) {
        link.session?.send(request);
      }
    }
  }

  hashesArrived(link, { first, hashes, alias }) {
    if (link.opened === undefined || alias !== link.opened.alias || this.receiver !== undefined) {
      return; // late: all hashes are known
    }
    this.parts.add(link, first, hashes);
    this.progressed();
    this.checkHashes();
    this.requestHashes();
  }

  /** Begins to fetch blocks once all hashes are there and right. */
  checkHashes() {
    const { manifest, parts } = this;
    if (!this.isReady || parts === undefined || !parts.isComplete() || this.receiver !== undefined) {
      return;
    }
    let hashes;
    try {
      hashes = new GenerationHashes(manifest, parts.hashes, this.tree);
    } catch (error) {
      if (!(error instanceof MalformedDataError)) {
        throw error;
      }
      parts.wrong().forEach((link) => link.convict('it sent wrong hashes'));
      this.requestHashes();
      return;
    }
    for (const link of parts.wrongSenders()) {
      link.convict('it sent wrong hashes');
    }
    this.listener.started({
      id: this.id,
      name: this.fileName,
      length: manifest.contentLength(),
      publisher: this.choice?.record?.publisher ?? '',
      signedSeconds: this.choice?.record?.seconds ?? 0,
    });
    this.receiver = new ObjectReceiver(this.kernels, hashes, {
      verified: (generation, bytes) => this.verified(generation, bytes),
      convicted: (conviction) => this.convicted(conviction),
      polluted: (generation) => this.polluted(generation),
    }, { windowBytes: this.windowBytes, limit: this.limit() });
    this.openLinks().forEach((link) => link.start());
    this.checkComplete();
  }

  /** Takes note that the connection to a server is lost. */
  lost(link) {
    this.parts?.remove(link);
    if (this.choice?.id === '') {
      this.choice.remove(link);
    }
    if (!this.isEnded) {
      this.requestHashes();
    }
  }

  // Blocks

  limit() {
    const { n, k } = this.manifest;
    return this.written + Math.max(8, Math.ceil(MAX_WAITING_BYTES / (n * k)));
  }

  verified(generation, bytes) {
    this.progressed();
    if (this.decryption === null) {
      this.deliver(generation, bytes);
      return;
    }
    this.decryption.decrypt(generation, bytes).then(
        (content) => this.guard(() => this.deliver(generation, content)),
        (error) => this.fail(error));
  }

  deliver(generation, bytes) {
    this.done += bytes.length;
    this.listener.verified(generation, this.manifest.contentOffset(generation), bytes);
  }

  /** Takes note that the sink has a generation. */
  wrote(generation) {
    this.isWritten[generation] = 1;
    this.writtenCount++;
    while (this.isWritten[this.written] === 1) {
      this.written++;
    }
    this.receiver.setLimit(this.limit());
    this.guard(() => this.checkComplete());
  }

  checkComplete() {
    if (this.writtenCount === this.manifest.generations) {
      this.listener.progress(this.progress());
      this.end('complete');
      this.listener.completed();
    }
  }

  convicted({ sender, generation, evidence }) {
    const link = this.links.find((each) => each.sender === sender);
    const what = evidence === 'strikes'
        ? 'it passed on wrong bytes of several generations, the last of them'
        : 'it sent wrong bytes of generation';
    link?.convict(`${what} ${generation}`);
  }

  /** Notifies the immediate relays, which then search for the sender of wrong blocks. */
  polluted(generation) {
    for (const link of this.openLinks()) {
      if (link.role === Role.IMMEDIATE_RELAY) {
        link.session?.send(polluted(link.opened.alias, generation));
      }
    }
  }

  // The end

  /** Fails once every server has failed for good. */
  checkServers() {
    if (this.links.every((link) => link.state === 'dropped')) {
      this.fail(new Error(this.problems()));
    }
  }

  /** @param {Error} error */
  fail(error) {
    if (!this.isEnded) {
      this.listener.progress(this.progress());
      this.end(error.message);
      this.listener.failed(error);
    }
  }

  /** Closes all connections. */
  end(reason) {
    this.isEnded = true;
    clearInterval(this.ticker);
    for (const link of this.links) {
      link.attempt++;
      link.cancelTimers();
      link.session?.close(0, reason);
    }
    this.receiver?.close();
  }
}

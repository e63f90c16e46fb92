import { MalformedDataError } from '../bytes.js';
import { current } from '../connect.js';
import { CloseCode } from '../messages.js';
import { ClosedError } from '../session.js';
import { LIVE_VERSION, liveHello, parseLive } from './live-messages.js';
import { LiveReceiver } from './live-receiver.js';
import { PacketDecryption } from './packet-decryption.js';

/** The time after which a server that has not accepted has no stream yet; it refuses at once. */
const ACCEPT_MILLIS = 3_000;

const NO_STREAM = 'it has no stream yet';

const MIN_BACKOFF_MILLIS = 250;
const MAX_BACKOFF_MILLIS = 8_000;

/** The interval at which a stream that has ended is polled for what it lacks. */
const END_MILLIS = 5;

const PROGRESS_MILLIS = 1_000;

/**
 * Receives a live stream from one of several servers, and from the next one if the connection is lost.
 */
export class LiveTransfer {
  /**
   * @param {object} options
   * @param {any} options.kernels
   * @param {{url: string, descriptionUrl?: string}[]} options.servers
   * @param {string} [options.token]
   * @param {Uint8Array | string} [options.key]
   * @param {number} [options.deadlineMillis] by default that of the server
   * @param {(server: any) => Promise<import('../session.js').Transport>} options.connect
   * @param {object} options.listener
   * @param {(packet: Uint8Array) => void} options.listener.packet
   * @param {(sources: number) => void} options.listener.gap
   * @param {(progress: any) => void} options.listener.progress called once a second
   * @param {() => void} options.listener.completed
   * @param {(error: Error) => void} options.listener.failed
   */
  constructor({ kernels, servers, token = '', key, deadlineMillis = 0, connect, listener }) {
    this.kernels = kernels;
    this.servers = servers;
    this.token = token;
    this.key = key;
    this.deadlineMillis = deadlineMillis;
    this.connect = connect;
    this.listener = listener;
    this.turn = 0;
    this.failures = 0;
    this.wasAccepted = false;
    this.problem = '';
    /** @type {LiveConnection | undefined} */
    this.connection = undefined;
    /** The numbers of the connections before. */
    this.past = { packets: 0, sources: 0, bytes: 0, lost: 0, repaired: 0, late: 0, residual: 0, repairs: 0, damaged: 0 };
    this.forged = 0;
    this.isEnded = false;
  }

  start() {
    this.ticker = setInterval(() => this.listener.progress(this.progress()), PROGRESS_MILLIS);
    this.next();
  }

  /** Connects to the server whose turn it is. */
  async next() {
    const at = this.turn % this.servers.length;
    if (this.failures > 0) {
      this.servers[at] = await current(this.servers[at]);
    }
    const server = this.servers[at];
    const name = new URL(server.url).host;
    try {
      const transport = await this.connect(server);
      if (this.isEnded) {
        transport.close(0, 'too late');
      } else {
        this.connection = new LiveConnection(this, transport, name);
      }
    } catch (error) {
      this.retry(name, error.message || 'no answer', false);
    }
  }

  accepted() {
    this.wasAccepted = true;
    this.failures = 0;
    this.problem = '';
  }

  /** Tries the next server after a pause, unless none was ever reached. */
  retry(name, reason, isFinal) {
    if (this.isEnded) {
      return;
    }
    this.turn++;
    this.problem = `${name}: ${reason}`;
    const pause = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS * 2 ** this.failures++);
    const areUnreachable = !this.wasAccepted && this.failures >= this.servers.length;
    if (isFinal && this.servers.length === 1 || areUnreachable) {
      this.fail(new Error(this.problem));
    } else {
      this.pause = setTimeout(() => this.next(), pause);
    }
  }

  /** Takes the numbers of a connection that has ended. */
  addPast(statistics) {
    for (const name of Object.keys(this.past)) {
      this.past[name] += statistics[name];
    }
  }

  progress() {
    const { connection } = this;
    const now = connection?.receiver?.statistics() ?? { delayMillis50: 0, delayMillis99: 0 };
    const progress = {
      server: connection?.receiver === undefined ? '' : connection.name,
      problem: this.problem,
      delayMillis50: now.delayMillis50,
      delayMillis99: now.delayMillis99,
      forged: this.forged,
      dropped: connection?.transport.dropped ?? 0,
    };
    for (const [name, before] of Object.entries(this.past)) {
      progress[name] = before + (now[name] ?? 0);
    }
    return progress;
  }

  complete() {
    if (!this.isEnded) {
      this.listener.progress(this.progress());
      this.end();
      this.listener.completed();
    }
  }

  /** @param {Error} error */
  fail(error) {
    if (!this.isEnded) {
      this.listener.progress(this.progress());
      this.end();
      this.listener.failed(error);
    }
  }

  end() {
    this.isEnded = true;
    clearInterval(this.ticker);
    clearTimeout(this.pause);
    this.connection?.close(0, 'ended');
  }
}

/** One connection of a transfer. */
class LiveConnection {
  constructor(transfer, transport, name) {
    this.transfer = transfer;
    this.transport = transport;
    this.name = name;
    /** @type {LiveReceiver | undefined} */
    this.receiver = undefined;
    this.isAccepted = false;
    this.isClosed = false;
    this.wakeTimer = undefined;
    /** What has to be passed on, in order: decryption takes time. */
    this.passing = Promise.resolve();
    this.greeting = setTimeout(() => this.awaitStream(), ACCEPT_MILLIS);
    transport.onControl = (bytes) => this.guard(() => this.control(parseLive(bytes)));
    transport.onDatagram = (bytes) => this.guard(() => this.datagram(bytes));
    transport.onClosed = (code, reason) => this.closed(new ClosedError(code, reason));
    transport.sendControl(liveHello(transfer.token, transfer.deadlineMillis * 1e6));
  }

  /** Waits at the only server until it has a stream, or tries the next one. */
  awaitStream() {
    clearTimeout(this.greeting);
    if (this.isClosed || this.isAccepted) {
      return;
    }
    this.transfer.wasAccepted = true;
    if (this.transfer.servers.length > 1) {
      this.close(0, NO_STREAM);
    } else {
      this.transfer.problem = `${this.name}: ${NO_STREAM}`;
      this.transport.sendControl(new Uint8Array(0)); // a connection that is idle ends
      this.greeting = setTimeout(() => this.awaitStream(), ACCEPT_MILLIS);
    }
  }

  now() {
    return Math.round(performance.now() * 1e6);
  }

  /** Closes the connection if what arrived is not valid. */
  guard(action) {
    if (this.isClosed) {
      return;
    }
    try {
      action();
    } catch (error) {
      if (error instanceof MalformedDataError) {
        this.close(CloseCode.MALFORMED, `not valid: ${error.message}`);
      } else {
        this.transfer.fail(error);
      }
    }
  }

  control(message) {
    if (message.type === 'end' && this.receiver !== undefined) {
      this.awaitEnd(message.end);
    } else if (message.type !== 'accept' || this.isAccepted) {
      throw new MalformedDataError('a live message that is not expected');
    } else if (message.version !== LIVE_VERSION) {
      throw new MalformedDataError(`version ${message.version} of the live protocol, not ${LIVE_VERSION}`);
    } else {
      this.isAccepted = true;
      PacketDecryption.of(message.encryption, this.transfer.key).then(
          (decryption) => this.guard(() => this.begin(message.flow, decryption)),
          (error) => this.transfer.fail(error));
    }
  }

  begin(flow, decryption) {
    clearTimeout(this.greeting);
    this.transfer.accepted();
    const { listener } = this.transfer;
    this.receiver = new LiveReceiver(this.transfer.kernels, flow, {
      packet: (packet) => {
        if (decryption === null) {
          listener.packet(packet);
        } else {
          this.passing = this.passing.then(() => this.pass(decryption, packet));
        }
      },
      gap: (sources) => listener.gap(sources),
      report: (report) => this.transport.sendDatagram(report),
    });
    this.wake();
  }

  async pass(decryption, packet) {
    const plain = await decryption.decrypt(packet);
    if (plain === null) {
      this.transfer.forged++;
    } else if (!this.transfer.isEnded) {
      this.transfer.listener.packet(plain);
    }
  }

  datagram(bytes) {
    if (this.receiver !== undefined) {
      this.receiver.datagram(bytes, this.now());
      this.wake();
    }
  }

  /** Does what is due, and sets the timer of what is due next. */
  wake() {
    const { receiver } = this;
    if (receiver === undefined || this.isClosed) {
      return;
    }
    const now = this.now();
    if (receiver.nextNanos() <= now) {
      receiver.wake(now);
    }
    clearTimeout(this.wakeTimer);
    const wait = (receiver.nextNanos() - this.now()) / 1e6;
    this.wakeTimer = setTimeout(() => this.guard(() => this.wake()), Math.max(0, wait));
  }

  /** Ends once the last source is delivered or given up. */
  awaitEnd(end) {
    if (this.isClosed) {
      return;
    }
    if (this.receiver?.awaitEnd(end, this.now())) {
      this.passing.then(() => this.transfer.complete());
    } else {
      setTimeout(() => this.guard(() => this.awaitEnd(end)), END_MILLIS);
    }
  }

  close(code, reason) {
    if (!this.isClosed) {
      this.transport.close(code, reason);
      this.closed(new ClosedError(0, reason));
    }
  }

  closed(error) {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    clearTimeout(this.greeting);
    clearTimeout(this.wakeTimer);
    const { transfer, receiver } = this;
    if (receiver !== undefined) {
      transfer.addPast(receiver.statistics());
      receiver.close();
    }
    transfer.connection = undefined;
    transfer.retry(this.name, error.message, error.isFinal());
  }
}

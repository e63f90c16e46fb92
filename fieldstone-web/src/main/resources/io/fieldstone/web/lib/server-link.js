import { MalformedDataError } from './bytes.js';
import { CloseCode, open, Role } from './messages.js';
import { aliasOf } from './packet.js';
import { IMMEDIATE, ORIGIN, RELAY } from './senders.js';
import { current } from './connect.js';
import { ClosedError, Session } from './session.js';

/** The time between reports of a receiver: a quarter of a round trip, and at least this. */
const MIN_REPORT_MILLIS = 5;
const MAX_REPORT_MILLIS = 250;

/** The time in which a server must connect and greet. */
const CONNECT_MILLIS = 5_000;

/** The messages that wait for the choice of an object: its opening, the first hashes, and an end. */
const MAX_HELD = 3;

/** The time after which a connection is closed whose server sends nothing that it was asked for. */
const STALL_MILLIS = 10_000;

const MIN_BACKOFF_MILLIS = 250;
const MAX_BACKOFF_MILLIS = 8_000;

/**
 * One server of a transfer: connects, asks for the object, and connects again after a failure.
 */
export class ServerLink {
  /**
   * @param {import('./transfer.js').Transfer} transfer
   * @param {{url: string, descriptionUrl?: string}} server
   */
  constructor(transfer, server) {
    this.transfer = transfer;
    this.server = server;
    this.name = new URL(server.url).host;
    /** @type {'connecting' | 'asked' | 'open' | 'waiting' | 'dropped'} */
    this.state = 'connecting';
    this.problem = '';
    /** @type {Session | undefined} */
    this.session = undefined;
    /** Counts the connections, so that a late event of an earlier one is known. */
    this.attempt = 0;
    this.failures = 0;
    /** Whether a connection has failed. */
    this.isTried = false;
    /** @type {any[] | undefined} the messages that wait for the choice of an object */
    this.held = undefined;
    this.role = Role.ORIGIN;
    /** @type {any} the message that opened the object */
    this.opened = undefined;
    /** Its number as a sender of the receiver; negative for none. */
    this.sender = -1;
    /** Its blocks that were of use, and packets that were not. */
    this.blocks = 0;
    this.redundant = 0;
    /** The packets of its earlier connections. */
    this.before = { arrived: 0, lost: 0 };
    this.lastPacket = 0;
    this.lastReport = 0;
    this.asked = 0;
    this.reportTimer = undefined;
    this.timers = new Set();
  }

  /** Runs an action later, unless the link is dropped before. */
  later(action, millis) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.transfer.guard(action);
    }, millis);
    this.timers.add(timer);
    return timer;
  }

  cancelTimers() {
    this.timers.forEach(clearTimeout);
    this.timers.clear();
  }

  /** Connects, and asks for the object. */
  async connect() {
    const attempt = ++this.attempt;
    this.state = 'connecting';
    this.later(() => this.fail('no answer'), CONNECT_MILLIS);
    let transport;
    try {
      if (this.isTried) {
        this.server = await current(this.server);
      }
      transport = await this.transfer.connect(this.server);
    } catch (error) {
      if (attempt === this.attempt) {
        const isFinal = error instanceof ClosedError && error.isFinal();
        this.transfer.guard(() => this.fail(error.message || 'no answer', isFinal));
      }
      return;
    }
    if (attempt !== this.attempt || this.state !== 'connecting') {
      transport.close(0, 'too late');
      return;
    }
    this.transfer.guard(() => this.greet(transport));
  }

  greet(transport) {
    const session = new Session(transport, this.transfer.token, this.transfer.firstMessages(), {
      accepted: (role) => {
        this.role = role;
        this.transfer.accepted();
        this.state = 'asked';
      },
      message: (message) => this.transfer.guard(() => this.takeMessage(message)),
      packet: (packet) => this.takePacket(packet),
      closed: (error) => this.transfer.guard(() => {
        if (this.session === session) {
          this.session = undefined;
          this.fail(error.message, error.isFinal());
        }
      }),
    });
    this.session = session;
  }

  /** Leaves a server that sends a message that is not valid now. */
  takeMessage(message) {
    try {
      this.receive(message);
    } catch (error) {
      if (!(error instanceof MalformedDataError)) {
        throw error;
      }
      this.drop(`not valid: ${error.message}`, CloseCode.MALFORMED);
    }
  }

  /** Fails the transfer if this side fails; a packet that is not valid closes the connection. */
  takePacket(packet) {
    try {
      this.packet(packet);
    } catch (error) {
      if (error instanceof MalformedDataError) {
        throw error;
      }
      this.transfer.fail(error);
    }
  }

  /** Keeps what follows an answer, until the object is chosen. */
  hold() {
    this.held = [];
    this.cancelTimers();
  }

  /** Leaves the rest of an answer for which another object than the chosen one was opened, or opens the chosen one. */
  proceed(ids, chosen) {
    const held = this.held ?? [];
    this.held = undefined;
    this.later(() => this.fail('no answer'), CONNECT_MILLIS);
    if (ids.size > 1) {
      this.session?.send(open(chosen));
    }
    held.forEach((message) => this.takeMessage(message));
  }

  receive(message) {
    if (this.held !== undefined) {
      if (this.held.push(message) > MAX_HELD) {
        throw new MalformedDataError('messages that nobody asked for');
      }
      return;
    }
    switch (message.type) {
      case 'found':
        if (this.state === 'asked') {
          this.transfer.found(this, message.entries);
        }
        break;
      case 'opened':
        if (this.state !== 'asked') {
          throw new MalformedDataError('an object was opened that nobody asked for');
        }
        this.cancelTimers();
        this.opened = message;
        this.state = 'open';
        this.transfer.opened(this);
        break;
      case 'hashes':
        this.transfer.hashesArrived(this, message);
        break;
      case 'refused':
      case 'ended':
        this.drop(message.text || 'it does not send the object');
        break;
      default:
    }
  }

  /** Begins to receive blocks. */
  start() {
    const kind = { [Role.IMMEDIATE_RELAY]: IMMEDIATE, [Role.VERIFIED_RELAY]: RELAY }[this.role] ?? ORIGIN;
    this.sender = this.transfer.receiver.addSender(this.opened.seed, kind, this.opened.alias);
    this.lastPacket = performance.now();
    this.asked = this.lastPacket;
    this.report();
  }

  interval() {
    const rtt = this.session?.transport.rttMillis ?? 0;
    return Math.min(MAX_REPORT_MILLIS, Math.max(MIN_REPORT_MILLIS, rtt / 4));
  }

  /** Reports what is wanted, and again after the interval. */
  report() {
    if (this.sender < 0 || this.session === undefined) {
      return;
    }
    const now = performance.now();
    this.lastReport = now;
    clearTimeout(this.reportTimer);
    this.timers.delete(this.reportTimer);
    const { receiver } = this.transfer;
    const { transport } = this.session;
    const report = receiver.report(this.sender, (now - this.lastPacket) * 1000, transport.maxDatagramBytes);
    if (report.length > 0) {
      transport.sendDatagram(report);
    }
    if (receiver.outstanding(this.sender) === 0) {
      this.asked = now;
    } else if (now - Math.max(this.lastPacket, this.asked) > STALL_MILLIS) {
      this.fail('nothing arrives');
      return;
    }
    this.reportTimer = this.later(() => this.report(), this.interval());
  }

  packet(packet) {
    if (this.sender < 0 || aliasOf(packet) !== this.opened.alias) {
      return; // late, of an object that was closed
    }
    const now = performance.now();
    this.lastPacket = now;
    const arrival = this.transfer.receiver.receive(this.sender, packet);
    if (arrival === 'innovative') {
      this.blocks++;
      this.failures = 0;
      this.transfer.progressed();
    } else {
      this.redundant++;
    }
    // Timers of a page in the background are slow, and packets are not.
    if (now - this.lastReport >= this.interval()) {
      this.transfer.guard(() => this.report());
    }
  }

  /** Returns its packets that arrived and were lost. */
  arrivals() {
    const now = this.sender < 0 ? { arrived: 0, lost: 0 } : this.transfer.receiver.arrivals(this.sender);
    return { arrived: this.before.arrived + now.arrived, lost: this.before.lost + now.lost };
  }

  /** Ends the connection, if there is one, and the use of this server as a sender. */
  stop(code, reason) {
    this.attempt++;
    this.cancelTimers();
    if (this.sender >= 0) {
      this.before = this.arrivals();
      this.transfer.receiver.removeSender(this.sender);
      this.sender = -1;
    }
    this.held = undefined;
    this.transfer.lost(this);
    const { session } = this;
    this.session = undefined;
    session?.close(code, reason);
  }

  /** Tries again after a pause, unless that would be of no use. */
  fail(problem, isFinal = false) {
    if (this.state === 'dropped') {
      return;
    }
    this.problem = problem;
    this.isTried = true;
    this.stop(0, problem);
    if (isFinal) {
      this.drop(problem);
      return;
    }
    this.state = 'waiting';
    const pause = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS * 2 ** this.failures++);
    this.later(() => this.connect(), pause);
    this.transfer.checkServers();
  }

  /** Uses the server no more. */
  drop(problem, code = 0) {
    if (this.state !== 'dropped') {
      this.state = 'dropped';
      this.problem = problem;
      this.stop(code, problem);
      this.transfer.checkServers();
    }
  }

  /** Leaves a server that sent wrong bytes. */
  convict(reason) {
    this.drop(reason, CloseCode.CONVICTED);
  }
}

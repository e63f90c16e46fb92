import { MalformedDataError } from './bytes.js';
import { CloseCode, hello, parse, Role, VERSION } from './messages.js';

/**
 * What carries control messages and packets to a server and back. The functions that begin with "on" are set by the
 * session.
 * @typedef {object} Transport
 * @property {(message: Uint8Array) => void} sendControl sends a message, reliably and in order
 * @property {(packet: Uint8Array) => void} sendDatagram sends a packet, which may be lost
 * @property {(code: number, reason: string) => void} close
 * @property {number} maxDatagramBytes
 * @property {number} rttMillis the round-trip time as far as it is known
 * @property {number} dropped the packets that this browser dropped
 * @property {string} [note] how it is connected, if that is not the usual way
 * @property {(message: Uint8Array) => void} onControl
 * @property {(packet: Uint8Array) => void} onDatagram
 * @property {(code: number, reason: string) => void} onClosed called once
 */

/** A connection that is closed, with the code of a session or 0. */
export class ClosedError extends Error {
  /**
   * @param {number} code
   * @param {string} reason
   * @param {boolean} [cannotConnect] whether this browser cannot connect at all
   */
  constructor(code, reason, cannotConnect = false) {
    super(reason);
    this.name = 'ClosedError';
    this.code = code;
    this.cannotConnect = cannotConnect;
  }

  /** Returns true if another attempt with the same settings would end in the same way. */
  isFinal() {
    const { TOKEN, VERSION, MALFORMED, CONVICTED } = CloseCode;
    return this.cannotConnect || [TOKEN, VERSION, MALFORMED, CONVICTED].includes(this.code);
  }
}

/**
 * The receiver's end of a connection: greets the sender, and passes on what it says. A message that is not valid closes
 * the connection.
 */
export class Session {
  /**
   * @param {Transport} transport
   * @param {string} token authorizes this receiver; may be empty
   * @param {Uint8Array[]} first messages that go with the greeting
   * @param {object} listener
   * @param {(role: number) => void} listener.accepted
   * @param {(message: any) => void} listener.message
   * @param {(packet: Uint8Array) => void} [listener.packet]
   * @param {(error: ClosedError) => void} listener.closed called once, at the end
   */
  constructor(transport, token, first, listener) {
    this.transport = transport;
    this.listener = listener;
    this.isAccepted = false;
    this.isClosed = false;
    const sent = performance.now();
    transport.onControl = (bytes) => this.guard(() => {
      if (!this.isAccepted) {
        transport.rttMillis ||= performance.now() - sent;
      }
      this.receive(parse(bytes));
    });
    transport.onDatagram = (bytes) => {
      if (this.isAccepted) {
        this.guard(() => listener.packet?.(bytes));
      }
    };
    transport.onClosed = (code, reason) => this.end(new ClosedError(code, reason));
    transport.sendControl(hello(token));
    first.forEach((message) => transport.sendControl(message));
  }

  /** Closes the connection if what arrived is not valid. */
  guard(action) {
    if (this.isClosed) {
      return;
    }
    try {
      action();
    } catch (error) {
      if (!(error instanceof MalformedDataError)) {
        throw error;
      }
      this.close(CloseCode.MALFORMED, `not valid: ${error.message}`);
    }
  }

  receive(message) {
    if (this.isAccepted) {
      if (message.type === 'hello') {
        throw new MalformedDataError('a second greeting');
      }
      this.listener.message(message);
    } else if (message.type !== 'hello') {
      throw new MalformedDataError('a message before the greeting');
    } else if (message.version !== VERSION) {
      this.close(CloseCode.VERSION, `the server speaks version ${message.version} of the protocol, not ${VERSION}`);
    } else if (message.role === Role.RECEIVER) {
      throw new MalformedDataError('the peer is not a sender');
    } else {
      this.isAccepted = true;
      this.listener.accepted(message.role);
    }
  }

  /** @param {Uint8Array} message */
  send(message) {
    if (!this.isClosed) {
      this.transport.sendControl(message);
    }
  }

  /** Closes the connection, and tells the listener. */
  close(code = 0, reason = 'closed') {
    this.end(new ClosedError(code, reason));
    this.transport.close(code, reason);
  }

  end(error) {
    if (!this.isClosed) {
      this.isClosed = true;
      this.listener.closed(error);
    }
  }
}

import { STRIP, stride } from '../kernels.js';

/** x^8 + x^4 + x^3 + x^2 + 1 (RFC 8681, section 3.5). */
const POLYNOMIAL = 0x11d;

/** A symbol is the length of a source, the source, and zeros. */
const LENGTH_BYTES = 2;

/** The product of a and b at 256·a + b. */
const PRODUCTS = new Uint8Array(1 << 16);

/** The inverse of each element but 0. */
const INVERSES = new Uint8Array(256);

for (let a = 1; a < 256; a++) {
  for (let b = 1; b < 256; b++) {
    const twice = PRODUCTS[a << 8 | b >> 1] << 1;
    PRODUCTS[a << 8 | b] = (twice & 0x100 ? twice ^ POLYNOMIAL : twice) ^ (b & 1 ? a : 0);
    if (PRODUCTS[a << 8 | b] === 1) {
      INVERSES[a] = b;
    }
  }
}

function addMultiple(to, from, factor) {
  const row = factor << 8;
  for (let at = 0; at < to.length; at++) {
    to[at] ^= PRODUCTS[row | from[at]];
  }
}

/**
 * An equation over sources that are missing: the sum of its terms is its payload.
 * @typedef {object} Equation
 * @property {number} pivot the least id of its terms, whose coefficient is 1 and which no other equation has
 * @property {Map<number, number>} terms the coefficient of each id
 * @property {Uint8Array} payload
 */

/**
 * Delivers the sources of a flow in order, and solves lost ones from repairs; the port of the class of the same name,
 * for GF(2^8). The window is the latest ids that a source or repair has shown to exist.
 */
export class WindowDecoder {
  /**
   * @param {any} kernels of its own, whose field it chooses
   * @param {number} sourceBytes the maximum bytes of a source
   * @param {number} window the maximum number of sources in the window
   * @param {number} first the id of the first source
   * @param {object} sink
   * @param {(id: number, source: Uint8Array) => void} sink.source takes the next source, which it may keep
   * @param {(first: number, count: number) => void} sink.gap takes note of sources that are lost
   */
  constructor(kernels, sourceBytes, window, first, sink) {
    kernels.start(POLYNOMIAL);
    this.kernels = kernels;
    this.sourceBytes = sourceBytes;
    this.symbolBytes = LENGTH_BYTES + sourceBytes;
    this.pitch = Math.ceil(this.symbolBytes / STRIP) * STRIP;
    this.window = window;
    this.sink = sink;
    /** The window, of ids. */
    this.first = first;
    this.end = first;
    /** All sources below are delivered or declared lost. */
    this.next = first;
    this.isKnown = new Uint8Array(window);
    this.symbols = kernels.heap.allocate(window * this.pitch);
    this.vector = kernels.heap.allocate(stride(window));
    this.sum = kernels.heap.allocate(this.pitch);
    /** @type {Map<number, Equation>} by their pivots */
    this.equations = new Map();
    /** The solved symbols that are not those of a source: something was changed on its way. */
    this.damaged = 0;
  }

  /** Frees the memory. */
  close() {
    const { heap } = this.kernels;
    heap.free(this.symbols, this.window * this.pitch);
    heap.free(this.vector, stride(this.window));
    heap.free(this.sum, this.pitch);
  }

  knows(id) {
    return id < this.end && this.isKnown[id % this.window] === 1;
  }

  symbolAt(id) {
    return this.symbols + (id % this.window) * this.pitch;
  }

  /**
   * Receives a source.
   * @param {number} id
   * @param {Uint8Array} source
   * @returns {boolean} whether it was new
   */
  source(id, source) {
    if (id < this.first) {
      return false;
    }
    this.extend(id + 1);
    if (this.knows(id)) {
      return false;
    }
    this.keep(id, source);
    this.substitute(id);
    this.solve();
    this.deliver();
    return true;
  }

  /**
   * Receives a combination of sources.
   * @param {number} first the id of the first coefficient
   * @param {Uint8Array} coefficients at most as many as the window has
   * @param {Uint8Array} symbol without zeros at its end
   * @returns {boolean} whether it was innovative
   */
  combined(first, coefficients, symbol) {
    this.extend(first + coefficients.length);
    const terms = new Map();
    const known = this.kernels.heap.bytes.subarray(this.vector, this.vector + this.window);
    known.fill(0);
    for (let at = 0; at < coefficients.length; at++) {
      const id = first + at;
      if (coefficients[at] === 0) {
        continue;
      }
      if (id < this.first) {
        return false; // late: it has left the window
      }
      if (this.knows(id)) {
        known[id % this.window] = coefficients[at];
      } else {
        terms.set(id, coefficients[at]);
      }
    }
    if (terms.size === 0) {
      return false;
    }
    const equation = { pivot: -1, terms, payload: new Uint8Array(this.pitch) };
    equation.payload.set(symbol);
    this.addKnown(equation.payload, Math.max(first, this.first), first + coefficients.length);
    for (const each of this.equations.values()) {
      this.eliminate(equation, each);
    }
    if (terms.size === 0) {
      return false;
    }
    this.insert(equation);
    this.solve();
    this.deliver();
    return true;
  }

  /** Adds the combination of known sources that is in the vector, whose ids are in a range. */
  addKnown(payload, first, end) {
    const { kernels, pitch, window } = this;
    let id = first;
    while (id < end) {
      const slot = id % window;
      const count = Math.min(end - id, window - slot);
      kernels.multiply(
          this.sum, pitch, this.vector + slot, stride(window), 1, count, this.symbols + slot * pitch, pitch, pitch);
      const sum = kernels.heap.bytes.subarray(this.sum, this.sum + pitch);
      for (let at = 0; at < pitch; at++) {
        payload[at] ^= sum[at];
      }
      id += count;
    }
  }

  /** Takes the pivot of an equation out of another one. */
  eliminate(from, equation) {
    const factor = from.terms.get(equation.pivot);
    if (factor === undefined) {
      return;
    }
    for (const [id, coefficient] of equation.terms) {
      const sum = (from.terms.get(id) ?? 0) ^ PRODUCTS[factor << 8 | coefficient];
      if (sum === 0) {
        from.terms.delete(id);
      } else {
        from.terms.set(id, sum);
      }
    }
    addMultiple(from.payload, equation.payload, factor);
  }

  /** Adds an equation without the pivots of others: it gets one, which leaves the others. */
  insert(equation) {
    equation.pivot = Math.min(...equation.terms.keys());
    const inverse = INVERSES[equation.terms.get(equation.pivot)];
    if (inverse !== 1) {
      for (const [id, coefficient] of equation.terms) {
        equation.terms.set(id, PRODUCTS[inverse << 8 | coefficient]);
      }
      const { payload } = equation;
      for (let at = 0; at < payload.length; at++) {
        payload[at] = PRODUCTS[inverse << 8 | payload[at]];
      }
    }
    for (const each of this.equations.values()) {
      this.eliminate(each, equation);
    }
    this.equations.set(equation.pivot, equation);
  }

  /** Takes a source that is known now out of all equations. */
  substitute(id) {
    const at = this.symbolAt(id);
    for (const equation of [...this.equations.values()]) {
      const factor = equation.terms.get(id);
      if (factor === undefined) {
        continue;
      }
      equation.terms.delete(id);
      addMultiple(equation.payload, this.kernels.heap.bytes.subarray(at, at + this.pitch), factor);
      if (equation.pivot === id) {
        this.equations.delete(id);
        if (equation.terms.size > 0) {
          this.insert(equation);
        }
      }
    }
  }

  /** Takes the sources of equations with one term. */
  solve() {
    for (const [id, { terms, payload }] of [...this.equations]) {
      if (terms.size > 1) {
        continue;
      }
      this.equations.delete(id);
      const length = payload[0] << 8 | payload[1];
      const end = LENGTH_BYTES + length;
      if (length < 1 || length > this.sourceBytes || payload.subarray(end).some((byte) => byte !== 0)) {
        this.damaged++;
      } else {
        this.keep(id, payload.subarray(LENGTH_BYTES, end));
      }
    }
  }

  keep(id, source) {
    const at = this.symbolAt(id);
    const { bytes } = this.kernels.heap;
    bytes[at] = source.length >> 8;
    bytes[at + 1] = source.length;
    bytes.set(source, at + LENGTH_BYTES);
    bytes.fill(0, at + LENGTH_BYTES + source.length, at + this.pitch);
    this.isKnown[id % this.window] = 1;
  }

  /** Moves the window on, so that it ends at an id at least. What leaves it is delivered or declared lost before. */
  extend(end) {
    if (end <= this.end) {
      return;
    }
    const first = Math.max(this.first, end - this.window);
    this.giveUp(first);
    for (let id = this.first; id < Math.min(first, this.end); id++) {
      this.equations.delete(id); // the only equation of this id has it as its least
    }
    for (let id = Math.max(this.end, first); id < end; id++) {
      this.isKnown[id % this.window] = 0;
    }
    this.first = first;
    this.end = end;
  }

  deliver() {
    while (this.knows(this.next)) {
      const id = this.next++;
      const at = this.symbolAt(id);
      const { bytes } = this.kernels.heap;
      const length = bytes[at] << 8 | bytes[at + 1];
      this.sink.source(id, bytes.slice(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
    }
  }

  /** Declares missing sources below an id lost, and delivers the known ones. */
  giveUp(until) {
    while (this.next < until) {
      const from = this.next;
      const known = Math.min(until, this.end);
      do {
        this.next++;
      } while (this.next < known && !this.knows(this.next));
      if (this.next >= this.end) {
        this.next = until;
      }
      this.sink.gap(from, this.next - from);
      this.deliver();
    }
  }

  /**
   * Declares the missing sources below an id lost. Until they leave the window, repairs over them stay useful.
   * @param {number} firstWanted
   */
  expire(firstWanted) {
    if (firstWanted > this.next) {
      this.extend(firstWanted);
      this.giveUp(firstWanted);
    }
  }

  /** Returns how many independent repairs the sources lack that are known to exist. */
  deficit() {
    let unknown = 0;
    for (let id = this.next; id < this.end; id++) {
      unknown += this.knows(id) ? 0 : 1;
    }
    for (const pivot of this.equations.keys()) {
      unknown -= pivot >= this.next ? 1 : 0;
    }
    return unknown;
  }
}

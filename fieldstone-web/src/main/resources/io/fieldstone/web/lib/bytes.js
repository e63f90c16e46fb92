// Bytes of the formats: big-endian numbers, and variable-length ones of RFC 9000, Sec. 16.

/** Data that are not valid, or not valid now. The connection that they came on should be closed. */
export class MalformedDataError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'MalformedDataError';
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns bytes as lower-case hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  let text = '';
  for (const byte of bytes) {
    text += (byte + 256).toString(16).slice(1);
  }
  return text;
}

/**
 * Returns the bytes of hexadecimal digits.
 * @param {string} text
 * @param {number} length the number of bytes
 */
export function fromHex(text, length) {
  if (text.length !== 2 * length || !/^[0-9a-f]*$/i.test(text)) {
    throw new RangeError(`'${text}' is not ${2 * length} hexadecimal digits`);
  }
  return Uint8Array.from({ length }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/**
 * Returns true if two arrays have the same bytes.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function areEqual(a, b) {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Reads numbers and arrays from bytes, and refuses what ends early. */
export class ByteReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.array = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
  }

  remaining() {
    return this.array.length - this.position;
  }

  /** @param {number} count */
  skip(count) {
    if (this.remaining() < count) {
      throw new MalformedDataError(`${this.remaining()} bytes where ${count} are needed`);
    }
    this.position += count;
    return this.position - count;
  }

  u8() {
    return this.array[this.skip(1)];
  }

  u16() {
    return this.view.getUint16(this.skip(2));
  }

  u32() {
    return this.view.getUint32(this.skip(4));
  }

  u64() {
    return this.view.getBigUint64(this.skip(8));
  }

  /**
   * Reads a number of 8 bytes that a Number holds exactly.
   * @param {string} name
   */
  safe(name) {
    const value = this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new MalformedDataError(`${name} ${value} is more than ${Number.MAX_SAFE_INTEGER}`);
    }
    return Number(value);
  }

  /**
   * Returns a view of the next bytes.
   * @param {number} count
   */
  bytes(count) {
    const at = this.skip(count);
    return this.array.subarray(at, at + count);
  }

  /**
   * Reads a text with its length.
   * @param {number} maxBytes
   */
  text(maxBytes) {
    const bytes = this.bytes(this.below('text length', this.u16(), maxBytes + 1));
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new MalformedDataError('a text that is not UTF-8');
    }
  }

  /**
   * @param {string} name
   * @param {number} value
   * @param {number} bound exclusive
   */
  below(name, value, bound) {
    if (value >= bound) {
      throw new MalformedDataError(`${name} ${value} is not in 0…${bound - 1}`);
    }
    return value;
  }

  /**
   * Reads a variable-length number in its shortest form.
   * @param {string} name
   * @param {number} bound exclusive
   */
  varint(name, bound) {
    const length = 1 << (this.array[this.skip(0)] >> 6);
    if (this.remaining() < length) {
      throw new MalformedDataError(`${this.remaining()} bytes where ${length} are needed`);
    }
    let value;
    switch (length) {
      case 1: value = this.u8(); break;
      case 2: value = this.u16() & 0x3fff; break;
      case 4: value = this.u32() & 0x3fffffff; break;
      default: value = (this.u32() & 0x3fffffff) * 2 ** 32 + this.u32();
    }
    if (length !== varintBytes(value)) {
      throw new MalformedDataError(`${value} in ${length} bytes, not in ${varintBytes(value)}`);
    }
    return this.below(name, value, bound);
  }
}

/** @param {number} value */
function varintBytes(value) {
  return value < 1 << 6 ? 1 : value < 1 << 14 ? 2 : value < 1 << 30 ? 4 : 8;
}

/** Writes numbers and arrays to bytes. */
export class ByteWriter {
  /** @param {number} maxBytes */
  constructor(maxBytes) {
    this.array = new Uint8Array(maxBytes);
    this.view = new DataView(this.array.buffer);
    this.position = 0;
  }

  remaining() {
    return this.array.length - this.position;
  }

  /** @param {number} count */
  skip(count) {
    this.position += count;
    return this.position - count;
  }

  /** @param {number} value */
  u8(value) {
    this.view.setUint8(this.skip(1), value);
  }

  /** @param {number} value */
  u16(value) {
    this.view.setUint16(this.skip(2), value);
  }

  /** @param {number} value */
  u32(value) {
    this.view.setUint32(this.skip(4), value);
  }

  /** @param {bigint} value */
  u64(value) {
    this.view.setBigUint64(this.skip(8), value);
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    this.array.set(bytes, this.skip(bytes.length));
  }

  /**
   * Writes a text with its length.
   * @param {string} text
   * @param {number} maxBytes
   */
  text(text, maxBytes) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > maxBytes) {
      throw new RangeError(`a text of ${bytes.length} bytes; the maximum is ${maxBytes}`);
    }
    this.u16(bytes.length);
    this.bytes(bytes);
  }

  /** @param {number} value less than 2^53 */
  varint(value) {
    switch (varintBytes(value)) {
      case 1: this.u8(value); break;
      case 2: this.u16(value | 0x4000); break;
      case 4: this.u32((value | 0x80000000) >>> 0); break;
      default:
        this.u32((Math.floor(value / 2 ** 32) | 0xc0000000) >>> 0);
        this.u32(value >>> 0);
    }
  }

  /** Returns a copy of what was written. */
  written() {
    return this.array.slice(0, this.position);
  }
}

import { ByteReader, MalformedDataError, toHex } from './bytes.js';
import { Code, polynomialOf } from './codes.js';

const MAGIC = 'FSTOBJ\0\u0002';
const FIXED_BYTES = 68;
const ENCRYPTED_BYTES = FIXED_BYTES + 40;
const UNIFORM_LAYOUT = 1;
const NO_CIPHER = 0;
const AES_256_GCM = 1;

/** The bytes of the tag of a generation that is encrypted. */
const TAG_BYTES = 16;

const MAX_BLOCKS = 4096;
const MAX_BLOCK_BYTES = 1 << 24;
const MAX_GENERATIONS = 2 ** 24;

/** The description of an object from which a receiver decodes and verifies it (docs/format.md, "Manifest"). */
export class Manifest {
  /** @param {Uint8Array} bytes exactly one manifest */
  constructor(bytes) {
    const reader = new ByteReader(bytes);
    if (String.fromCharCode(...reader.bytes(8)) !== MAGIC) {
      throw new MalformedDataError('not a manifest of version 2');
    }
    /** The number of the field. */
    this.field = reader.u8();
    /** The polynomial of the field, with x^8. */
    this.polynomial = polynomialOf(this.field);
    const code = reader.u8();
    const layout = reader.u8();
    if (layout !== UNIFORM_LAYOUT) {
      throw new MalformedDataError(`unknown layout ${layout}`);
    }
    const cipher = reader.u8();
    /** The source blocks of a full generation. */
    this.n = reader.u32();
    /** The bytes of a block. */
    this.k = reader.u32();
    this.code = new Code(code, reader.u64());
    /** The bytes that are coded. */
    this.length = reader.safe('length');
    /** The root of the hash tree. */
    this.root = reader.bytes(32).slice();
    if (cipher !== NO_CIPHER && cipher !== AES_256_GCM) {
      throw new MalformedDataError(`unknown cipher ${cipher}`);
    }
    /** @type {?{salt: Uint8Array, keyId: string}} How the bytes are encrypted, if they are. */
    this.encryption = cipher === NO_CIPHER
        ? null : { salt: reader.bytes(32).slice(), keyId: toHex(reader.bytes(8)) };
    if (reader.remaining() > 0) {
      throw new MalformedDataError(`${reader.remaining()} bytes after the manifest`);
    }
    if (this.n < 1 || this.n > MAX_BLOCKS || this.k < 1 || this.k > MAX_BLOCK_BYTES
        || !this.code.isOver(this.field, this.n)) {
      throw new MalformedDataError(`n ${this.n} and k ${this.k} of field ${this.field}, code ${code}`);
    }
    /** The number of generations. */
    this.generations = Math.ceil(this.length / (this.n * this.k));
    if (this.generations > MAX_GENERATIONS) {
      throw new MalformedDataError(`${this.generations} generations; the maximum is ${MAX_GENERATIONS}`);
    }
    /** The bytes of the format. */
    this.bytes = bytes.slice();
  }

  /** The maximum bytes of a manifest. */
  static MAX_BYTES = ENCRYPTED_BYTES;

  /** Returns the number of source blocks of a generation. */
  blocksOf(generation) {
    return Math.min(this.n, Math.ceil(this.length / this.k) - generation * this.n);
  }

  /** Returns the bytes of a generation that are coded, without padding. */
  bytesOf(generation) {
    const full = this.n * this.k;
    return Math.min(full, this.length - generation * full);
  }

  /** Returns the bytes of a generation as the publisher had them: without the tag of the cipher. */
  contentBytesOf(generation) {
    return this.bytesOf(generation) - (this.encryption === null ? 0 : TAG_BYTES);
  }

  /** Returns where the bytes of a generation lie in what the publisher had. */
  contentOffset(generation) {
    return generation * (this.n * this.k - (this.encryption === null ? 0 : TAG_BYTES));
  }

  /** Returns the bytes that the publisher had. */
  contentLength() {
    return this.length - (this.encryption === null ? 0 : this.generations * TAG_BYTES);
  }
}

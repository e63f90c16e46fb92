/** Memory by offsets, as kernels use it, of which freed pieces are used again for others of the same size. */
export class Heap {
  /**
   * @param {Uint8Array} bytes the memory
   * @param {number} base the first free offset
   * @param {(bytes: number) => Uint8Array} grow makes the memory at least as large, with its content
   */
  constructor(bytes, base, grow) {
    /** The memory, which is another array after an allocation. */
    this.bytes = bytes;
    this.end = Math.ceil(base / 64) * 64;
    this.grow = grow;
    /** @type {Map<number, number[]>} */
    this.spare = new Map();
  }

  /**
   * Returns the offset of memory, a multiple of 64, whose content is not defined.
   * @param {number} bytes
   */
  allocate(bytes) {
    const size = Math.ceil(bytes / 64) * 64;
    const spare = this.spare.get(size);
    if (spare !== undefined && spare.length > 0) {
      return /** @type {number} */ (spare.pop());
    }
    const offset = this.end;
    if (offset + size > this.bytes.length) {
      this.bytes = this.grow(Math.max(offset + size, Math.min(2 * this.bytes.length, this.bytes.length + (16 << 20))));
    }
    this.end += size;
    return offset;
  }

  /**
   * Takes memory back.
   * @param {number} offset
   * @param {number} bytes as they were allocated
   */
  free(offset, bytes) {
    const size = Math.ceil(bytes / 64) * 64;
    const spare = this.spare.get(size);
    if (spare === undefined) {
      this.spare.set(size, [offset]);
    } else {
      spare.push(offset);
    }
  }
}

package io.fieldstone.cpu;

/**
 * A buffer for each value of a digit. Items are written into buffers, which stay in cache, and from
 * there to memory many lines at a time.
 *
 * <p>Written one by one to hundreds of places, items wait for memory: the few stores that a core
 * has under way are soon all to lines it has not got yet. Written a buffer at a time, they are
 * copies.
 */
abstract class DigitBuffers {

  /**
   * Bytes of a buffer. Less, and emptying takes longer than filling; more, and the buffers of a
   * large digit are not in cache.
   */
  static final int BUFFER_BYTES = 512;

  /** Buffers begin where these bits of an address are zero. */
  static final long OFFSET_MASK = BUFFER_BYTES - 1;

  private final long address;
  private final long[] heads;

  /**
   * Empty buffers.
   *
   * @param address where they are, on a multiple of their size
   * @param values of the digit, a power of two
   */
  DigitBuffers(long address, int values) {
    this.address = address;
    this.heads = new long[values];
    for (int digit = 0; digit < values; digit++) {
      heads[digit] = buffer(digit);
    }
  }

  /** Bytes of as many buffers. */
  static long room(int values) {
    return (long) values * BUFFER_BYTES;
  }

  /** Where the next item of each digit goes. */
  final long[] heads() {
    return heads;
  }

  /** Where the buffer of a digit begins. */
  final long buffer(int digit) {
    return address + (long) digit * BUFFER_BYTES;
  }

  /**
   * Takes what is in the buffer of a digit, which is full.
   *
   * @param head its end
   * @return its head from now on
   */
  abstract long empty(int digit, long head);
}

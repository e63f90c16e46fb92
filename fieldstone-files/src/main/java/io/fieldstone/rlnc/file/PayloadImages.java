package io.fieldstone.rlnc.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;

/**
 * Maps each payload to {@value #BYTES} bytes by a secret random linear map. The image of a
 * combination of payloads is the same combination of their images. A wrong payload has another
 * image, except with probability 2^−28.
 *
 * <p>A payload is a matrix P of K×W bytes, K·W ≥ k, padded with zeros. Byte a of its image is
 * uᵀ·P·v, with its own random u and v. The engine computes uᵀ·P of all payloads together.
 *
 * <p>For one thread at a time.
 */
final class PayloadImages {

  /** The length of an image in bytes. */
  static final int BYTES = 4;

  /** The minimum W, unless payloads are shorter; larger W keep K within its bound. */
  private static final int COLUMNS = 64;

  private static final int MAX_ROWS = 4096;

  private final Engine engine;
  private final Gf256 field;

  /** The distance of successive payloads in bytes. */
  private final long stride;

  /** The vectors u, repeated for each payload. */
  private final ByteMatrices left;

  /** The vectors v. */
  private final byte[] right;

  private final ByteMatrices products;

  /**
   * Allocates memory.
   *
   * @param blockSize the bytes of a payload, k
   * @param capacity the maximum number of payloads mapped together
   */
  PayloadImages(Engine engine, Gf256 field, int blockSize, long capacity, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.field = field;
    this.stride = stride(blockSize);
    int columns = columns(blockSize);
    int rows = Math.ceilDiv(blockSize, columns);
    SecureRandom random = new SecureRandom();
    byte[] once = new byte[BYTES * rows];
    random.nextBytes(once);
    MemorySegment lefts = memory.allocate(capacity * once.length);
    for (long i = 0; i < capacity; i++) {
      MemorySegment.copy(once, 0, lefts, JAVA_BYTE, i * once.length, once.length);
    }
    this.left = ByteMatrices.packed(lefts, capacity, BYTES, rows);
    this.right = new byte[BYTES * columns];
    random.nextBytes(right);
    long productBytes = capacity * BYTES * columns;
    this.products = ByteMatrices.packed(memory.allocate(productBytes), capacity, BYTES, columns);
  }

  private static int columns(int blockSize) {
    int wanted = Math.max(COLUMNS, Math.ceilDiv(blockSize, MAX_ROWS));
    return Math.min(blockSize, Math.ceilDiv(wanted, COLUMNS) * COLUMNS);
  }

  /** Returns the distance of successive payloads in bytes, at least K·W. */
  static long stride(int blockSize) {
    int columns = columns(blockSize);
    return ByteMatrices.paddedStride(Math.ceilDiv(blockSize, columns) * columns);
  }

  /** Returns the bytes of memory per payload of k bytes. */
  static long bytesOf(int blockSize) {
    int columns = columns(blockSize);
    return (long) BYTES * (Math.ceilDiv(blockSize, columns) + columns);
  }

  /**
   * Maps payloads.
   *
   * @param payloads the payloads, {@link #stride} bytes apart, each followed by zeros
   * @param count the number of payloads, at most the capacity
   */
  void map(MemorySegment payloads, long count) {
    int columns = products.columns();
    engine
        .products()
        .multiply(
            field,
            left.matrices(0, count),
            new ByteMatrices(payloads, count, left.columns(), columns, columns, stride),
            products.matrices(0, count));
  }

  /** Writes the image of a payload of the last {@link #map}, {@code BYTES} bytes. */
  void write(long payload, MemorySegment target, long offset) {
    for (int a = 0; a < BYTES; a++) {
      long from = products.offset(payload, a);
      int sum = 0;
      for (int w = 0; w < products.columns(); w++) {
        int factor = right[a * products.columns() + w] & 0xFF;
        sum ^= field.multiply(factor, products.data().get(JAVA_BYTE, from + w) & 0xFF);
      }
      target.set(JAVA_BYTE, offset + a, (byte) sum);
    }
  }
}

package io.fieldstone.cpu.checksums;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Divides by the intrinsics of {@link CRC32} and {@link CRC32C}, and fewer than {@value #MIN_BYTES}
 * bytes by tables. The initial register of the JDK is all ones; any other register is set by four
 * bytes before the message.
 */
final class JdkKernel implements SegmentKernel {

  private static final Divisor CRC_32 = new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true);
  private static final Divisor CRC_32C = new Divisor(Gf2Modulus.of(32, 0x1EDC6F41), true);

  /** Minimum bytes: for fewer, tables are faster than setting the register. */
  private static final int MIN_BYTES = 16;

  private static final long ONES = 0xFFFF_FFFFL;

  /** Bytes of a buffer, whose length must fit an {@code int}. */
  private static final long BUFFER_BYTES = 1 << 30;

  private final Divisor divisor;
  private final SegmentKernel tables;
  private final boolean isCrc32;

  /**
   * Entry {@code 256·i + b}: the four bytes, as a little-endian word, that turn a register of zeros
   * into the overlay {@code b << 8·i}.
   */
  private final int[] presets;

  JdkKernel(Divisor divisor) {
    this.divisor = divisor;
    this.tables = SlicingKernel.by16(divisor);
    this.isCrc32 = divisor.equals(CRC_32);
    this.presets = presets(divisor);
  }

  /** Returns whether the JDK supports a divisor. */
  static boolean supports(Divisor divisor) {
    return divisor.equals(CRC_32) || divisor.equals(CRC_32C);
  }

  @Override
  public long append(long register, long address, long bytes) {
    if (bytes < MIN_BYTES) {
      return tables.append(register, address, bytes);
    }
    Checksum checksum = newChecksum(register);
    for (long done = 0; done < bytes; done += BUFFER_BYTES) {
      long length = Math.min(BUFFER_BYTES, bytes - done);
      checksum.update(Rows.MEMORY.asSlice(address + done, length).asByteBuffer());
    }
    return end(checksum);
  }

  /** The JDK keeps the memory of a buffer open while it reads it. */
  @Override
  public long append(long register, MemorySegment message) {
    if (message.byteSize() < MIN_BYTES) {
      return tables.append(register, message);
    }
    Checksum checksum = newChecksum(register);
    checksum.update(message.asByteBuffer());
    return end(checksum);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    if (length < MIN_BYTES) {
      return tables.append(register, array, from, length);
    }
    Checksum checksum = newChecksum(register);
    checksum.update(array, from, length);
    return end(checksum);
  }

  private Checksum newChecksum(long register) {
    Checksum checksum = isCrc32 ? new CRC32() : new CRC32C();
    if (register != ONES) {
      int overlay = (int) divisor.overlay(register);
      int preset =
          presets[overlay & 0xFF]
              ^ presets[256 + (overlay >>> 8 & 0xFF)]
              ^ presets[512 + (overlay >>> 16 & 0xFF)]
              ^ presets[768 + (overlay >>> 24)]
              ^ (int) ONES;
      for (int i = 0; i < Integer.BYTES; i++) {
        checksum.update(preset >>> i * Byte.SIZE);
      }
    }
    return checksum;
  }

  private long end(Checksum checksum) {
    return divisor.register(checksum.getValue() ^ ONES);
  }

  /** Computes overlay / x^32: four bytes turn a register R into (R + bytes) · x^32. */
  private static int[] presets(Divisor divisor) {
    Gf2Modulus modulus = divisor.modulus();
    long inverse = modulus.power(modulus.inverseOfX(), Integer.SIZE);
    int[] presets = new int[Integer.BYTES * RemainderTables.SIZE];
    for (int i = 0; i < presets.length; i++) {
      long overlay = (i & 0xFFL) << (i >>> 8) * Byte.SIZE;
      presets[i] = (int) divisor.overlay(modulus.multiply(divisor.register(overlay), inverse));
    }
    return presets;
  }
}

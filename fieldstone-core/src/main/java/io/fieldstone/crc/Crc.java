package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.Checksum;

/**
 * Checksums of one {@link CrcModel}: of bytes as they come, like every {@link Checksum}, and at
 * once ({@link #hash(MemorySegment)}, which leaves the bytes that have come alone); and what
 * follows from their being linear: checksums combined, of zeros, forged and traced back to an
 * error.
 *
 * <p>{@link #of(CrcModel)} divides on the thread that calls, as {@code java.util.zip} does; it
 * opens no GPU and starts no thread, but for one that makes vector code ready when the first long
 * message comes. {@link #of(CrcModel, Engine)} divides on an engine, which shares long messages and
 * batches between all cores or runs them on a GPU.
 *
 * <p>The state is one register. {@code update}, {@code reset} and {@code clone} are for one thread
 * at a time; everything else is safe for several.
 */
public final class Crc implements Checksum, Cloneable {

  private final CrcModel model;

  /** Divides registers of 64 bits or less. */
  private final Optional<Division> division;

  /** Divides wider ones; present if the other is not. */
  private final Optional<WideRemainders> wide;

  private CrcValue register;

  private Crc(CrcModel model, Supplier<Division> division) {
    this.model = model;
    this.division = model.isNarrow() ? Optional.of(division.get()) : Optional.empty();
    this.wide = model.isNarrow() ? Optional.empty() : Optional.of(new WideRemainders(model));
    this.register = model.init();
  }

  /** Checksums on the calling thread. */
  public static Crc of(CrcModel model) {
    return of(model, CallingThread.ENGINE);
  }

  /**
   * Checksums on an engine.
   *
   * @param engine stays the caller's, and open as long as the checksum is used. Registers wider
   *     than 64 bits are divided on the calling thread in any case
   */
  public static Crc of(CrcModel model, Engine engine) {
    return new Crc(model, () -> engine.checksums().division(model.divisor()));
  }

  /**
   * Checksums by one of an engine's {@link #methods}.
   *
   * @throws IllegalArgumentException if there is no such method; the message lists those there are
   */
  public static Crc of(CrcModel model, Engine engine, String method) {
    if (!model.isNarrow() && !method.equals(WideRemainders.METHOD)) {
      throw new IllegalArgumentException(
          "no method '%s' for %d bits; there is: %s"
              .formatted(method, model.width(), WideRemainders.METHOD));
    }
    return new Crc(model, () -> engine.checksums().division(model.divisor(), method));
  }

  /** The methods that an engine has for a model, the plainest first. */
  public static List<String> methods(CrcModel model, Engine engine) {
    return model.isNarrow()
        ? engine.checksums().methods(model.divisor())
        : List.of(WideRemainders.METHOD);
  }

  /** What it computes. */
  public CrcModel model() {
    return model;
  }

  /** How it divides: one of {@link #methods}, or {@code auto}. */
  public String method() {
    return division.map(Division::method).orElse(WideRemainders.METHOD);
  }

  @Override
  public void update(int value) {
    update(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    update(MemorySegment.ofArray(bytes).asSlice(offset, length));
  }

  @Override
  public void update(ByteBuffer buffer) {
    update(MemorySegment.ofBuffer(buffer));
    buffer.position(buffer.limit());
  }

  /** Appends bytes to those that have come. */
  public void update(MemorySegment bytes) {
    register = append(register, bytes);
  }

  /**
   * The checksum of the bytes that have come, in the low bits; of a model wider than 64 bits only
   * its low 64.
   */
  @Override
  public long getValue() {
    return value().low();
  }

  /** The checksum of the bytes that have come. */
  public CrcValue value() {
    return model.checksum(register);
  }

  @Override
  public void reset() {
    register = model.init();
  }

  /** A checksum of its own that goes on from the same bytes. */
  @Override
  public Crc clone() {
    try {
      return (Crc) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** The checksum of a message. */
  public CrcValue hash(byte[] message) {
    return hash(MemorySegment.ofArray(message));
  }

  /** The checksum of a message. */
  public CrcValue hash(MemorySegment message) {
    return model.checksum(append(model.init(), message));
  }

  /**
   * The checksum of resident bytes.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   * @throws IndexOutOfBoundsException if there are not so many
   */
  public CrcValue hash(ResidentBytes data, long offset, long length) {
    CrcValue init = model.init();
    return model.checksum(
        division.isPresent()
            ? ofLow(division.get().append(init.low(), data, offset, length))
            : wide.orElseThrow().append(init, data, offset, length));
  }

  /**
   * The checksums of many messages.
   *
   * @param messages where in {@code data} they are
   * @param checksums receives each in order: {@code messages.count()} longs of native byte order
   * @throws IllegalArgumentException if the model is wider than 64 bits, or there is not room for
   *     exactly so many
   * @throws IndexOutOfBoundsException if a message is not within the data
   */
  public void hash(MemorySegment data, Extents messages, MemorySegment checksums) {
    requireDivision().append(model.init().low(), data, messages, checksums);
    finish(checksums);
  }

  /**
   * As {@link #hash(MemorySegment, Extents, MemorySegment)}, of resident bytes.
   *
   * @throws IllegalArgumentException also if they are resident on another engine
   */
  public void hash(ResidentBytes data, Extents messages, MemorySegment checksums) {
    requireDivision().append(model.init().low(), data, messages, checksums);
    finish(checksums);
  }

  /**
   * The checksum of a message A followed by a message B, in time that grows with the logarithm of
   * B's length (M. Adler's {@code crc32_combine} in zlib).
   *
   * @param crcA of A
   * @param crcB of B
   * @param lengthB bytes of B, ≥ 0
   * @throws IllegalArgumentException if the length is negative or a checksum has another width
   */
  public CrcValue combine(CrcValue crcA, CrcValue crcB, long lengthB) {
    requireLength(lengthB);
    WideModulus modulus = model.modulus();
    // B was divided after init, which A's register takes the place of.
    CrcValue difference = model.register(crcA).xor(model.init());
    CrcValue moved = modulus.multiply(difference, modulus.xToTheBytes(lengthB));
    return model.checksum(moved.xor(model.register(crcB)));
  }

  /** As {@link #combine(CrcValue, CrcValue, long)}, of checksums of 64 bits or less. */
  public long combine(long crcA, long crcB, long lengthB) {
    int width = model.width();
    return combine(CrcValue.of(width, crcA), CrcValue.of(width, crcB), lengthB).toLong();
  }

  /**
   * The checksum of so many bytes of zeros, in time that grows with the logarithm of their number.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  public CrcValue zeros(long length) {
    requireLength(length);
    WideModulus modulus = model.modulus();
    return model.checksum(modulus.multiply(model.init(), modulus.xToTheBytes(length)));
  }

  private void finish(MemorySegment registers) {
    int width = model.width();
    for (long at = 0; at < registers.byteSize(); at += Long.BYTES) {
      long register = registers.get(JAVA_LONG_UNALIGNED, at);
      long plain = model.refout() ? Long.reverse(register) >>> Long.SIZE - width : register;
      registers.set(JAVA_LONG_UNALIGNED, at, plain ^ model.xorout().low());
    }
  }

  private CrcValue append(CrcValue before, MemorySegment message) {
    return division.isPresent()
        ? ofLow(division.get().append(before.low(), message))
        : wide.orElseThrow().append(before, message);
  }

  private CrcValue ofLow(long low) {
    return CrcValue.of(model.width(), low);
  }

  private Division requireDivision() {
    return division.orElseThrow(() ->
        new IllegalArgumentException(
            "checksums of %d bits do not fit longs".formatted(model.width())));
  }

  private static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
  }
}

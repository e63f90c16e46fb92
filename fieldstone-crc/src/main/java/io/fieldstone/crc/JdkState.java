package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The state of a checksum of the JDK, for the polynomials and the order of bits of {@link CRC32}
 * and {@link CRC32C}. Short messages are as fast as with these classes.
 */
final class JdkState implements CrcState {

  private static final int WIDTH = Integer.SIZE;
  private static final long CRC_32 = 0x04C1_1DB7L;
  private static final long CRC_32C = 0x1EDC_6F41L;

  /** The register of a new checksum of the JDK, and the value that it adds at the end. */
  private static final long ONES = 0xFFFF_FFFFL;

  /** The maximum bytes of a buffer, whose length must fit an {@code int}. */
  private static final long MAX_BUFFER_BYTES = 1 << 30;

  /** The bytes copied at a time from heap memory that is not a byte array. */
  private static final int COPIED_BYTES = 1 << 16;

  private final CrcModel model;
  private final Checksum checksum;

  private JdkState(CrcModel model, Checksum checksum) {
    this.model = model;
    this.checksum = checksum;
  }

  /** Returns the state before the first byte; only for models that are {@link #supports}. */
  static JdkState of(CrcModel model) {
    Checksum checksum = model.poly().low() == CRC_32 ? new CRC32() : new CRC32C();
    JdkState state = new JdkState(model, checksum);
    state.reset();
    return state;
  }

  /** Returns whether the JDK computes the checksums of a model. */
  static boolean supports(CrcModel model) {
    CrcValue poly = model.poly();
    return poly.width() == WIDTH
        && model.refin()
        && (poly.low() == CRC_32 || poly.low() == CRC_32C);
  }

  @Override
  public void update(int value) {
    checksum.update(value);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    checksum.update(bytes, offset, length);
  }

  /** The JDK keeps the memory of a buffer open while it reads it. */
  @Override
  public void update(ByteBuffer buffer) {
    checksum.update(buffer);
  }

  @Override
  public void update(MemorySegment bytes) {
    MemoryPreconditions.requireAccessible(bytes);
    boolean hasBuffer = bytes.isNative() || bytes.heapBase().orElse(null) instanceof byte[];
    long piece = hasBuffer ? MAX_BUFFER_BYTES : COPIED_BYTES;
    for (long done = 0; done < bytes.byteSize(); done += piece) {
      MemorySegment next = bytes.asSlice(done, Math.min(piece, bytes.byteSize() - done));
      checksum.update(hasBuffer ? next.asByteBuffer() : ByteBuffer.wrap(next.toArray(JAVA_BYTE)));
    }
  }

  @Override
  public CrcValue value() {
    CrcValue reflected = CrcValue.of(WIDTH, checksum.getValue() ^ ONES);
    return model.refout() ? reflected.xor(model.xorout()) : model.checksum(reflected.reflected());
  }

  @Override
  public void reset() {
    checksum.reset();
    if (model.init().low() != ONES) {
      setRegister(model.init());
    }
  }

  @Override
  public JdkState copy() {
    JdkState copy = of(model);
    copy.checksum.reset();
    copy.setRegister(CrcValue.of(WIDTH, checksum.getValue() ^ ONES).reflected());
    return copy;
  }

  /**
   * Sets the register of a new checksum by four bytes: a register R and bytes b give (R + b) ·
   * x<sup>32</sup>, as overlays.
   */
  private void setRegister(CrcValue register) {
    Divisor divisor = model.divisor();
    Gf2Modulus modulus = divisor.modulus();
    long before = modulus.multiply(register.low(), modulus.power(modulus.inverseOfX(), WIDTH));
    int bytes = (int) (divisor.overlay(before) ^ ONES);
    for (int i = 0; i < Integer.BYTES; i++) {
      checksum.update(bytes >>> i * Byte.SIZE);
    }
  }
}

package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the difference of two checksums tells about two messages of one length: which bit was
 * flipped, and which bytes would make the one checksum the other.
 *
 * <p>Immutable and thread-safe.
 */
public final class Syndromes {

  /** Bits of a longer message are not numbered by a {@code long} and the width. */
  private static final long LENGTH_LIMIT = 1L << 60;

  private final CrcModel model;

  private Syndromes(CrcModel model) {
    this.model = model;
  }

  /** Those of a model. */
  public static Syndromes of(CrcModel model) {
    return new Syndromes(model);
  }

  /**
   * The errors of a single bit that turn one checksum into another, those nearest the end of the
   * message first. There are several if the message is longer than the polynomial can tell apart,
   * and none if more than one bit is wrong (or the checksum itself is).
   *
   * <p>Takes about √n products for n bits.
   *
   * @param expected the checksum of the message as it was
   * @param actual the checksum of the message as it is
   * @param length of the message in bytes, below 2^60
   * @param most errors to list, ≥ 0
   * @throws IllegalArgumentException if a number is out of range or a checksum has another width
   */
  public List<BitError> findBitErrors(CrcValue expected, CrcValue actual, long length, int most) {
    requireLength(length);
    if (most < 0) {
      throw new IllegalArgumentException(most + " errors are fewer than 0");
    }
    CrcValue syndrome = model.register(expected).xor(model.register(actual));
    if (length == 0 || most == 0 || syndrome.isZero()) {
      return List.of();
    }
    WideModulus modulus = model.modulus();
    // A bit with e bits after it adds x^(width + e) to the register.
    CrcValue power = modulus.multiply(syndrome, modulus.power(modulus.inverseOfX(), model.width()));
    long bits = length * Byte.SIZE;
    PowersOfX powers = new PowersOfX(modulus, bits);
    OptionalLong first = powers.exponent(power);
    if (first.isEmpty()) {
      return List.of();
    }
    List<BitError> errors = new ArrayList<>();
    long period = most == 1 ? bits : powers.period().orElse(bits);
    for (long after = first.getAsLong(); after < bits && errors.size() < most; after += period) {
      errors.add(errorBefore(after, length));
    }
    return List.copyOf(errors);
  }

  private BitError errorBefore(long bitsAfter, long length) {
    int exponent = (int) (bitsAfter % Byte.SIZE);
    return new BitError(
        length - 1 - bitsAfter / Byte.SIZE, model.refin() ? Byte.SIZE - 1 - exponent : exponent);
  }

  /** How many bytes {@link #patch} changes: as many as hold the width. */
  public int patchLength() {
    return Math.ceilDiv(model.width(), Byte.SIZE);
  }

  /**
   * The bytes to put at a place of a message so that its checksum is a wanted one.
   *
   * @param crc computes the checksum of the message as it is, by this model
   * @param offset of the first of them; {@link #patchLength} bytes are to be replaced
   * @throws IndexOutOfBoundsException if the message has not so many bytes there
   * @throws IllegalArgumentException if the checksum wanted has another width, or {@code crc} is of
   *     another model
   */
  public byte[] patch(Crc crc, MemorySegment message, long offset, CrcValue wanted) {
    if (!crc.model().equals(model)) {
      throw new IllegalArgumentException(
          "checksums of %s where those of %s are meant".formatted(crc.model(), model));
    }
    byte[] place = message.asSlice(offset, patchLength()).toArray(JAVA_BYTE);
    byte[] change = change(crc.hash(message), wanted, message.byteSize() - offset - place.length);
    for (int i = 0; i < place.length; i++) {
      place[i] ^= change[i];
    }
    return place;
  }

  /**
   * What to XOR {@link #patchLength} bytes of any message with so that its checksum changes from
   * one to another.
   *
   * @param bytesAfter bytes of the message after those
   * @throws IllegalArgumentException if their number is negative or a checksum has another width
   */
  public byte[] change(CrcValue from, CrcValue to, long bytesAfter) {
    requireLength(bytesAfter);
    WideModulus modulus = model.modulus();
    CrcValue difference = model.register(from).xor(model.register(to));
    // The change has to add difference / x^(width + 8 · bytesAfter) where it is made.
    CrcValue overWidth = modulus.power(modulus.inverseOfX(), model.width());
    CrcValue overByte = modulus.power(modulus.inverseOfX(), Byte.SIZE);
    CrcValue bits =
        modulus.multiply(
            modulus.multiply(difference, overWidth), modulus.power(overByte, bytesAfter));
    byte[] bytes = bits.toByteArray();
    if (model.refin()) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (Integer.reverse(bytes[i]) >>> Integer.SIZE - Byte.SIZE);
      }
    }
    return bytes;
  }

  private static void requireLength(long length) {
    if (length < 0 || length >= LENGTH_LIMIT) {
      throw new IllegalArgumentException("length " + length + " is not in 0…2^60 − 1");
    }
  }
}

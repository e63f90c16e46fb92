package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Analyses the difference of two checksums of messages of equal length. It locates a flipped bit,
 * and computes the bytes that change one checksum to another.
 *
 * {@snippet :
 * Syndromes syndromes = Syndromes.of(model);
 * List<BitError> errors = syndromes.findBitErrors(expected, actual, length, 10);
 * byte[] patch = syndromes.patch(crc, message, offset, wanted);
 * }
 *
 * <p>Immutable and thread-safe.
 */
public final class Syndromes {

  /** The exclusive bound of message lengths in bytes, so that bit numbers fit a {@code long}. */
  private static final long LENGTH_LIMIT = 1L << 60;

  private final CrcModel model;

  private Syndromes(CrcModel model) {
    this.model = model;
  }

  /** Returns the syndromes of a model. */
  public static Syndromes of(CrcModel model) {
    return new Syndromes(model);
  }

  /**
   * Returns the single-bit errors that explain the difference of two checksums, those nearest the
   * end of the message first. There are several if the message is longer than the period of the
   * polynomial. There are none if more than one bit is wrong, or the checksum itself.
   *
   * <p>Takes about √n products for n bits.
   *
   * @param expected the checksum of the correct message
   * @param actual the checksum of the actual message
   * @param length the length of the message in bytes, less than 2^60
   * @param maxErrors the maximum number of errors to return, ≥ 0
   * @throws IllegalArgumentException if a number is out of range or a checksum has another width
   */
  public List<BitError> findBitErrors(
      CrcValue expected, CrcValue actual, long length, int maxErrors) {
    requireLength(length);
    if (maxErrors < 0) {
      throw new IllegalArgumentException(maxErrors + " errors are fewer than 0");
    }
    CrcValue syndrome = model.register(expected).xor(model.register(actual));
    if (length == 0 || maxErrors == 0 || syndrome.isZero()) {
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
    long period = maxErrors == 1 ? bits : powers.period().orElse(bits);
    for (long after = first.getAsLong();
        after < bits && errors.size() < maxErrors;
        after += period) {
      errors.add(errorBefore(after, length));
    }
    return List.copyOf(errors);
  }

  private BitError errorBefore(long bitsAfter, long length) {
    int exponent = (int) (bitsAfter % Byte.SIZE);
    return new BitError(
        length - 1 - bitsAfter / Byte.SIZE, model.refin() ? Byte.SIZE - 1 - exponent : exponent);
  }

  /** Returns the bytes that {@link #patch} changes: the minimum number for the width. */
  public int patchLength() {
    return Math.ceilDiv(model.width(), Byte.SIZE);
  }

  /**
   * Computes the bytes that give a message the wanted checksum when they replace those at {@code
   * offset}.
   *
   * @param crc computes the checksum of the message, of this model
   * @param offset the offset of the {@link #patchLength} bytes to be replaced
   * @throws IndexOutOfBoundsException if the range exceeds the message
   * @throws IllegalArgumentException if the wanted checksum has another width, or {@code crc} has
   *     another model
   */
  public byte[] patch(Crc crc, MemorySegment message, long offset, CrcValue wanted) {
    if (!crc.model().equals(model)) {
      throw new IllegalArgumentException(
          "checksums of %s, expected %s".formatted(crc.model(), model));
    }
    byte[] place = message.asSlice(offset, patchLength()).toArray(JAVA_BYTE);
    byte[] change = change(crc.hash(message), wanted, message.byteSize() - offset - place.length);
    for (int i = 0; i < place.length; i++) {
      place[i] ^= change[i];
    }
    return place;
  }

  /**
   * Computes the mask that changes the checksum of any message by XOR with {@link #patchLength} of
   * its bytes.
   *
   * @param bytesAfter the bytes of the message after the changed ones
   * @throws IllegalArgumentException if their number is negative or a checksum has another width
   */
  public byte[] change(CrcValue from, CrcValue to, long bytesAfter) {
    requireLength(bytesAfter);
    WideModulus modulus = model.modulus();
    CrcValue difference = model.register(from).xor(model.register(to));
    // The change must add difference / x^(width + 8 · bytesAfter) at its position.
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

  /**
   * Returns the bytes that {@link #letters} replaces: the minimum number whose letters reach every
   * checksum, about two for each byte of the checksum.
   *
   * @throws IllegalArgumentException if letters do not reach every checksum of the model
   */
  public int lettersLength() {
    return LetterPatch.of(model).length();
  }

  /**
   * Computes ASCII letters that change the checksum of a message when they replace {@link
   * #lettersLength} of its bytes. They are among the 16 letters H to O and h to o.
   *
   * @param from the checksum of the message
   * @param place the bytes to be replaced
   * @param to the wanted checksum
   * @param bytesAfter the bytes of the message after the replaced ones
   * @throws IllegalArgumentException if a number is out of range or a checksum has another width,
   *     or letters do not reach every checksum of the model
   */
  public byte[] letters(CrcValue from, byte[] place, CrcValue to, long bytesAfter) {
    requireLength(bytesAfter);
    CrcValue overByte = model.modulus().power(model.modulus().inverseOfX(), Byte.SIZE);
    CrcValue difference = model.register(from).xor(model.register(to));
    return LetterPatch.of(model)
        .solve(
            place,
            model.modulus().multiply(difference, model.modulus().power(overByte, bytesAfter)));
  }

  private static void requireLength(long length) {
    if (length < 0 || length >= LENGTH_LIMIT) {
      throw new IllegalArgumentException("length " + length + " is not in 0…2^60 − 1");
    }
  }
}

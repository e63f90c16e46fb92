package io.fieldstone.crc;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Finds the bits that may be wrong in a message and its checksum, from the difference between the
 * checksum that was received and that of the received message. Lengths are in bits, so a message
 * may end within a byte.
 *
 * {@snippet :
 * ErrorPatterns patterns = ErrorPatterns.of(model, 88); // Mode S: 88 bits and 24 of the checksum
 * List<List<WrongBit>> found = patterns.ofTwoBits(received, actual, 2);
 * boolean isUnique = found.size() == 1;
 * }
 *
 * <p>Immutable and thread-safe.
 */
public final class ErrorPatterns {

  /** The maximum number of bits, of a message and its checksum, among which two are sought. */
  public static final long MAX_BITS_OF_PAIRS = 1L << 22;

  /** The maximum number of bits, of a message and its checksum, in which bursts are sought. */
  public static final long MAX_BITS_OF_BURSTS = 1L << 30;

  private final CrcModel model;

  /** The bits of the message and the checksum: the exponents of x. */
  private final long length;

  private ErrorPatterns(CrcModel model, long length) {
    this.model = model;
    this.length = length;
  }

  /**
   * Prepares searches in messages of one length.
   *
   * @param messageBits the length of the message without its checksum
   * @throws IllegalArgumentException if it is not in 0…2^30 − the width
   */
  public static ErrorPatterns of(CrcModel model, long messageBits) {
    if (messageBits < 0 || messageBits > MAX_BITS_OF_BURSTS - model.width()) {
      throw new IllegalArgumentException(
          "wrong bits are sought in 0 to %d bits, not %d"
              .formatted(MAX_BITS_OF_BURSTS - model.width(), messageBits));
    }
    return new ErrorPatterns(model, messageBits + model.width());
  }

  /**
   * Returns the bursts that explain a checksum: wrong bits whose first and last are less than a
   * number of bits apart. They are in the order of their positions from the end. A burst of one bit
   * is a single wrong bit.
   *
   * @param received the checksum that was received
   * @param actual the checksum of the message that was received
   * @param burstBits the maximum bits from the first to the last wrong one, 1 to the width
   * @param maxPatterns the maximum number of bursts to return; a second one shows that the first is
   *     not certain
   * @return the wrong bits of each burst; empty also if the checksums are equal
   * @throws IllegalArgumentException if a number is out of range or a checksum has another width
   */
  public List<List<WrongBit>> ofBursts(
      CrcValue received, CrcValue actual, int burstBits, int maxPatterns) {
    if (burstBits < 1 || burstBits > model.width()) {
      throw new IllegalArgumentException(
          "a burst of %d bits is not in 1…%d, the width: longer ones explain every checksum"
              .formatted(burstBits, model.width()));
    }
    CrcValue rest = syndrome(received, actual);
    if (rest.isZero()) {
      return List.of();
    }
    WideModulus modulus = model.modulus();
    List<List<WrongBit>> found = new ArrayList<>();
    for (long after = 0; after < length && found.size() < maxPatterns; after++) {
      if (rest.bit(0) && rest.shiftedRight(burstBits).isZero()) {
        List<WrongBit> burst = burst(rest, after);
        if (!burst.isEmpty()) {
          found.add(burst);
        }
      }
      rest = modulus.overX(rest);
    }
    return List.copyOf(found);
  }

  /** Returns the bits of a burst; empty if it begins before the message. */
  private List<WrongBit> burst(CrcValue terms, long after) {
    List<WrongBit> bits = new ArrayList<>();
    for (int term = terms.width() - 1; term >= 0; term--) {
      if (terms.bit(term)) {
        if (after + term >= length) {
          return List.of();
        }
        bits.add(wrongBit(after + term));
      }
    }
    return List.copyOf(bits);
  }

  /**
   * Returns the pairs of wrong bits that explain a checksum.
   *
   * @param received the checksum that was received
   * @param actual the checksum of the message that was received
   * @param maxPatterns the maximum number of pairs to return
   * @return the two wrong bits of each pair; empty also if the checksums are equal
   * @throws IllegalArgumentException if the message and its checksum have more than 2^22 bits, or a
   *     checksum has another width
   */
  public List<List<WrongBit>> ofTwoBits(CrcValue received, CrcValue actual, int maxPatterns) {
    if (length > MAX_BITS_OF_PAIRS) {
      throw new IllegalArgumentException(
          "two wrong bits are sought in at most %d bits, not %d"
              .formatted(MAX_BITS_OF_PAIRS, length));
    }
    CrcValue syndrome = syndrome(received, actual);
    if (syndrome.isZero()) {
      return List.of();
    }
    PowerTable powers = PowerTable.of(model.modulus(), (int) length);
    Set<List<WrongBit>> found = new LinkedHashSet<>();
    for (int i = 0; i < powers.size() && found.size() < maxPatterns; i++) {
      int j = powers.exponent(powers.get(i).xor(syndrome));
      if (j > i) {
        addShifted(i, j, powers.size(), maxPatterns, found);
      }
    }
    return List.copyOf(found);
  }

  /** Adds a pair, and those that the period of x makes of it. */
  private void addShifted(
      int first, int second, int period, int maxPatterns, Set<List<WrongBit>> found) {
    for (long i = first; i < length; i += period) {
      for (long j = second; j < length; j += period) {
        if (found.size() >= maxPatterns) {
          return;
        }
        found.add(LongStream.of(Math.max(i, j), Math.min(i, j)).mapToObj(this::wrongBit).toList());
      }
    }
  }

  private CrcValue syndrome(CrcValue received, CrcValue actual) {
    return model.register(received).xor(model.register(actual));
  }

  /** Returns the bit that has the given number of bits behind it. */
  private WrongBit wrongBit(long after) {
    long position = length - 1 - after;
    int width = model.width();
    if (after < width) {
      int bit = (int) (model.refout() ? width - 1 - after : after);
      return new WrongBit(position, true, 0, bit);
    }
    int inByte = (int) (position % Byte.SIZE);
    return new WrongBit(
        position, false, position / Byte.SIZE, model.refin() ? inByte : Byte.SIZE - 1 - inByte);
  }
}

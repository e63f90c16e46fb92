package io.fieldstone.crc;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Letters that give a message a chosen checksum: the bits that distinguish 16 letters are unknowns
 * of a linear system over GF(2), which has one equation for each bit of the register.
 */
final class LetterPatch {

  /** The letter H; with any bits of {@link #FREE} inverted it is a letter of H to O or h to o. */
  private static final byte BASE = 'H';

  private static final int[] FREE = {0, 1, 2, 5};

  /** The bytes per bit of the checksum after which more would not help. */
  private static final int MAX_BYTES_PER_BIT = 4;

  /** A sum of changes of the register, and the unknowns that make it. */
  private record Sum(CrcValue value, BitSet unknowns) {

    Sum plus(Sum other) {
      BitSet both = (BitSet) unknowns.clone();
      both.xor(other.unknowns);
      return new Sum(value.xor(other.value), both);
    }
  }

  private final CrcModel model;
  private final int length;

  /** Sums that are reduced, each with a highest term of its own. */
  private final List<Sum> basis;

  private LetterPatch(CrcModel model, int length, List<Sum> basis) {
    this.model = model;
    this.length = length;
    this.basis = basis;
  }

  /**
   * Prepares patches of the minimum length.
   *
   * @throws IllegalArgumentException if letters do not reach every checksum
   */
  static LetterPatch of(CrcModel model) {
    WideModulus modulus = model.modulus();
    List<Sum> basis = new ArrayList<>();
    CrcValue byteFactor = modulus.xToThe(model.width());
    CrcValue byteStep = modulus.xToThe(Byte.SIZE);
    for (int length = 1; length <= MAX_BYTES_PER_BIT * model.width(); length++) {
      // The unknowns are numbered from the end, so that one more letter renumbers none.
      for (int i = 0; i < FREE.length; i++) {
        int exponent = model.refin() ? Byte.SIZE - 1 - FREE[i] : FREE[i];
        BitSet unknown = new BitSet();
        unknown.set((length - 1) * FREE.length + i);
        CrcValue change = modulus.multiply(byteFactor, modulus.xToThe(exponent));
        Sum rest = reduced(new Sum(change, unknown), basis);
        if (!rest.value().isZero()) {
          basis.add(rest);
        }
      }
      if (basis.size() == model.width()) {
        return new LetterPatch(model, length, basis);
      }
      byteFactor = modulus.multiply(byteFactor, byteStep);
    }
    throw new IllegalArgumentException("letters do not reach every checksum of " + model.name());
  }

  private static Sum reduced(Sum sum, List<Sum> basis) {
    Sum rest = sum;
    for (Sum row : basis) {
      if (rest.value().bit(highest(row.value()))) {
        rest = rest.plus(row);
      }
    }
    return rest;
  }

  private static int highest(CrcValue value) {
    return value.high() != 0
        ? 2 * Long.SIZE - 1 - Long.numberOfLeadingZeros(value.high())
        : Long.SIZE - 1 - Long.numberOfLeadingZeros(value.low());
  }

  int length() {
    return length;
  }

  /**
   * Returns the letters.
   *
   * @param place the bytes that they replace
   * @param difference the change of the register directly after these bytes
   * @throws IllegalArgumentException if there are other than {@link #length} bytes
   */
  byte[] solve(byte[] place, CrcValue difference) {
    if (place.length != length) {
      throw new IllegalArgumentException(place.length + " bytes, expected " + length);
    }
    CrcValue change = CrcValue.zeros(model.width());
    for (byte old : place) {
      change = model.modulus().appendByte(change, (byte) (old ^ BASE), model.refin());
    }
    Sum solution = reduced(new Sum(change.xor(difference), new BitSet()), basis);
    byte[] letters = new byte[length];
    for (int at = 0; at < length; at++) {
      letters[at] = BASE;
      for (int i = 0; i < FREE.length; i++) {
        if (solution.unknowns().get((length - 1 - at) * FREE.length + i)) {
          letters[at] ^= (byte) (1 << FREE[i]);
        }
      }
    }
    return letters;
  }
}

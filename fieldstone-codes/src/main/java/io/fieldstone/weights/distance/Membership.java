package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import java.util.Arrays;
import java.util.Optional;

/**
 * Tells which words a space has, by the matrices that it is made of: its basis and the sums of an
 * engine play no part. Immutable and thread-safe.
 *
 * @param checks row i is what position i adds to the syndrome, which is zero in the code only
 * @param excluded the same of the subcode that is left out; empty if only the zero word is
 */
record Membership(Gf2Matrix checks, Optional<Gf2Matrix> excluded) {

  /**
   * Returns the membership of a code.
   *
   * @param parityCheck maps exactly the words of the code to zero
   */
  static Membership of(Gf2Matrix parityCheck) {
    return new Membership(parityCheck.transpose(), Optional.empty());
  }

  /**
   * Returns the membership of a code outside a subcode.
   *
   * @param parityCheck maps exactly the words of the code to zero
   * @param subcode its rows span the words that are left out
   */
  static Membership outside(Gf2Matrix parityCheck, Gf2Matrix subcode) {
    return new Membership(parityCheck.transpose(), Optional.of(subcode.nullSpace().transpose()));
  }

  /** Returns true if a word is in the code, and neither zero nor in the subcode. */
  boolean contains(LightWord word) {
    return isZero(checks, word)
        && excluded.map(syndrome -> !isZero(syndrome, word)).orElse(word.weight() > 0);
  }

  private static boolean isZero(Gf2Matrix columns, LightWord word) {
    long[] syndrome = new long[WordSpace.parts(columns.columns())];
    for (int position : word.positions()) {
      long[] column = columns.row(position);
      for (int part = 0; part < syndrome.length; part++) {
        syndrome[part] ^= column[part];
      }
    }
    return Arrays.stream(syndrome).allMatch(part -> part == 0);
  }
}

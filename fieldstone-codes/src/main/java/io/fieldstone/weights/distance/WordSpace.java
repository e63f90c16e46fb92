package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.Permutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The words whose least weight is a distance: the nonzero words of a code, or those of a code that
 * are outside a subcode, as the logical operators of a quantum code. Immutable and thread-safe.
 *
 * {@snippet :
 * WordSpace golay = WordSpace.of(CodeFamily.golay(24));
 * WordSpace logical = WordSpace.outside(xChecks, zChecks); // the least word is the Z distance
 * }
 *
 * <p>Every word of the code has a label, which is linear: q bits, all zero exactly in the subcode.
 */
public final class WordSpace {

  /** The maximum length of words. */
  public static final int MAX_LENGTH = 2048;

  private final int length;
  private final int width;
  private final int labelBits;
  private final List<long[]> basis;
  private final List<long[]> labels;
  private final Echelon echelon;
  private final Membership membership;

  private WordSpace(
      int length,
      int width,
      int labelBits,
      List<long[]> basis,
      List<long[]> labels,
      Membership membership) {
    this.length = length;
    this.width = width;
    this.membership = membership;
    this.labelBits = labelBits;
    this.basis = basis;
    this.labels = labels;
    this.echelon = new Echelon();
    for (int row = 0; row < basis.size(); row++) {
      echelon.add(basis.get(row), labels.get(row));
    }
  }

  /** Returns the nonzero words of a code. */
  public static WordSpace of(BinaryCode code) {
    return ofGenerator(code.generator());
  }

  /**
   * Returns the nonzero words that the rows of a matrix span.
   *
   * @param generator k×n, 1 ≤ n ≤ {@value #MAX_LENGTH}; its rows are independent
   * @throws IllegalArgumentException if n is out of range, or rows depend on earlier ones; the
   *     message lists them, from 1
   */
  public static WordSpace ofGenerator(Gf2Matrix generator) {
    requireLength(generator);
    List<Integer> dependent = BinaryCode.dependentRows(generator);
    if (!dependent.isEmpty()) {
      throw new IllegalArgumentException(
          "rows %s (from 1) of the generator matrix are zero or sums of earlier rows"
              .formatted(dependent.stream().map(row -> row + 1).toList()));
    }
    return span(generator, generator.nullSpace());
  }

  /** Returns the nonzero words that rows span, which may depend on each other. */
  public static WordSpace spannedBy(Gf2Matrix rows) {
    requireLength(rows);
    return span(rows, rows.nullSpace());
  }

  /**
   * Returns the nonzero words that a parity-check matrix maps to zero; its rows may be dependent.
   */
  public static WordSpace ofParityCheck(Gf2Matrix parityCheck) {
    requireLength(parityCheck);
    return span(parityCheck.nullSpace(), parityCheck);
  }

  private static WordSpace span(Gf2Matrix rows, Gf2Matrix parityCheck) {
    Echelon echelon = new Echelon();
    List<long[]> basis = new ArrayList<>();
    for (int row = 0; row < rows.rows(); row++) {
      if (echelon.add(rows.row(row), new long[0])) {
        basis.add(rows.row(row));
      }
    }
    return new WordSpace(
        rows.columns(),
        1,
        0,
        List.copyOf(basis),
        basis.stream().map(_ -> new long[0]).toList(),
        Membership.of(parityCheck));
  }

  /**
   * Returns the words that checks map to zero and that no sum of stabilizers is. For the X checks
   * and the Z checks of a CSS code, these are its logical Z operators.
   *
   * @param checks any number of rows, which may be dependent
   * @param stabilizers rows of the same length, each of which every check maps to zero
   * @throws IllegalArgumentException if the lengths differ or are out of range, a check and a
   *     stabilizer do not commute, which the message names from 1, or no word is left
   */
  public static WordSpace outside(Gf2Matrix checks, Gf2Matrix stabilizers) {
    return outside(checks, stabilizers, 1);
  }

  /**
   * Returns these words if they consist of units, in each of which two positions or none are ones.
   *
   * @param width the positions of a unit, or 1 if there are none
   */
  static WordSpace outside(Gf2Matrix checks, Gf2Matrix stabilizers, int width) {
    requireLength(checks);
    if (checks.columns() != stabilizers.columns()) {
      throw new IllegalArgumentException(
          "checks of %d and of %d positions".formatted(checks.columns(), stabilizers.columns()));
    }
    requireCommuting("check %d and stabilizer %d", checks, stabilizers);
    int length = checks.columns();
    Gf2Matrix kernel = checks.nullSpace();
    Echelon echelon = new Echelon();
    List<long[]> basis = new ArrayList<>();
    for (int row = 0; row < stabilizers.rows(); row++) {
      if (echelon.add(stabilizers.row(row), new long[0])) {
        basis.add(stabilizers.row(row));
      }
    }
    int excluded = basis.size();
    for (int row = 0; row < kernel.rows(); row++) {
      if (echelon.add(kernel.row(row), new long[0])) {
        basis.add(kernel.row(row));
      }
    }
    int labelBits = basis.size() - excluded;
    if (labelBits == 0) {
      throw new IllegalArgumentException(
          "the checks leave no logical qubit: %d positions, ranks %d and %d"
              .formatted(length, length - kernel.rows(), excluded));
    }
    List<long[]> labels = new ArrayList<>();
    for (int row = 0; row < basis.size(); row++) {
      long[] label = new long[parts(labelBits)];
      if (row >= excluded) {
        label[(row - excluded) / Long.SIZE] = 1L << row - excluded;
      }
      labels.add(label);
    }
    return new WordSpace(
        length,
        width,
        labelBits,
        List.copyOf(basis),
        List.copyOf(labels),
        Membership.outside(checks, stabilizers));
  }

  /**
   * Checks that the X and the Z checks of a CSS code commute.
   *
   * @throws IllegalArgumentException if the lengths differ, or two checks do not commute, which the
   *     message names from 1
   */
  public static void requireCommuting(Gf2Matrix xChecks, Gf2Matrix zChecks) {
    if (xChecks.columns() != zChecks.columns()) {
      throw new IllegalArgumentException(
          "X checks of %d positions and Z checks of %d"
              .formatted(xChecks.columns(), zChecks.columns()));
    }
    requireCommuting("X check %d and Z check %d", xChecks, zChecks);
  }

  private static void requireCommuting(String names, Gf2Matrix checks, Gf2Matrix stabilizers) {
    for (int stabilizer = 0; stabilizer < stabilizers.rows(); stabilizer++) {
      long[] syndrome = checks.multiply(stabilizers.row(stabilizer));
      int check = BitSet.valueOf(syndrome).nextSetBit(0);
      if (check >= 0) {
        long[] common = checks.row(check);
        long[] row = stabilizers.row(stabilizer);
        for (int part = 0; part < common.length; part++) {
          common[part] &= row[part];
        }
        throw new IllegalArgumentException(
            names.formatted(check + 1, stabilizer + 1)
                + " (from 1) do not commute: they share %d positions".formatted(weight(common)));
      }
    }
  }

  private static void requireLength(Gf2Matrix matrix) {
    if (matrix.columns() < 1 || matrix.columns() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "code length %d is not in 1…%d".formatted(matrix.columns(), MAX_LENGTH));
    }
  }

  static int parts(int bits) {
    return Math.ceilDiv(bits, Long.SIZE);
  }

  static int weight(long[] word) {
    return Arrays.stream(word).mapToInt(Long::bitCount).sum();
  }

  /** Returns the length n of words in bits. */
  public int length() {
    return length;
  }

  /** Returns the positions of a unit, of which two or none are ones; 1 if words have no units. */
  int width() {
    return width;
  }

  /** Returns the dimension k of the code, with the words of the subcode. */
  public int dimension() {
    return basis.size();
  }

  /** Returns the dimension of the code less that of the subcode: the logical qubits. */
  public int logicalDimension() {
    return labelBits == 0 ? dimension() : labelBits;
  }

  /** Returns true if words of a subcode are left out. */
  public boolean isQuotient() {
    return labelBits > 0;
  }

  /**
   * Returns true if a word is in the code and outside the subcode, and not zero. The matrices that
   * the space was made of decide.
   *
   * @throws IllegalArgumentException if the word has a position beyond the length
   */
  public boolean contains(LightWord word) {
    requirePositions(word);
    return membership.contains(word);
  }

  /**
   * Returns a word that was computed, if this space contains it and it is as light as it has to be.
   * No search and no proof returns a word that has not passed this check.
   *
   * @throws IllegalStateException if not: an engine or this package computed it wrongly
   */
  LightWord verified(LightWord word, int maxWeight) {
    if (!contains(word) || word.weight() > maxWeight) {
      throw new IllegalStateException(
          "a computed word is not one of weight up to %d of the space %s: %s"
              .formatted(maxWeight, this, word.positions()));
    }
    return word;
  }

  /** Returns the matrix that maps exactly the words of the code to zero; rows may be dependent. */
  Gf2Matrix parityCheck() {
    return membership.checks().transpose();
  }

  /** Returns a word as packed bits. */
  long[] bits(LightWord word) {
    requirePositions(word);
    long[] bits = new long[parts(length)];
    for (int position : word.positions()) {
      bits[position / Long.SIZE] |= 1L << position;
    }
    return bits;
  }

  private void requirePositions(LightWord word) {
    if (word.weight() > 0 && word.positions().getLast() >= length) {
      throw new IllegalArgumentException(
          "position %d of a word is not in 0…%d".formatted(word.positions().getLast(), length - 1));
    }
  }

  /** Returns the label of a word; empty if it is not in the code. */
  Optional<long[]> label(long[] word) {
    long[] label = new long[parts(labelBits)];
    return echelon.contains(word, label) ? Optional.of(label) : Optional.empty();
  }

  /**
   * Tests whether a permutation maps this code to another of the same dimensions, and the subcode
   * that is left out to that of the other.
   */
  boolean isMapped(Permutation permutation, WordSpace other) {
    int excluded = isQuotient() ? dimension() - labelBits : 0;
    for (int row = 0; row < dimension(); row++) {
      boolean isExcluded = row < excluded;
      if (other
          .label(permutation.apply(basis.get(row)))
          .filter(label -> !isExcluded || weight(label) == 0)
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  long[] row(int row) {
    return basis.get(row);
  }

  /** Returns the rows and their labels as a table. */
  RowTable table() {
    return RowTable.of(parts(length), parts(labelBits), basis, labels);
  }

  /** Returns 4, 2 or 1: a divisor of the weights of all words of the code. */
  int weightDivisor() {
    int divisor = 4;
    for (int row = 0; row < basis.size(); row++) {
      int weight = weight(basis.get(row));
      if (weight % 2 == 1) {
        return 1;
      }
      if (weight % 4 != 0) {
        divisor = 2;
      }
      for (int other = 0; other < row && divisor == 4; other++) {
        long common = 0;
        for (int part = 0; part < basis.get(row).length; part++) {
          common += Long.bitCount(basis.get(row)[part] & basis.get(other)[part]);
        }
        divisor = common % 2 == 0 ? 4 : 2;
      }
    }
    return divisor;
  }

  /** Returns the shape and the reduced rows as bytes, which are equal for equal spaces. */
  byte[] identity() {
    Gf2Matrix form = Gf2Matrix.ofPacked(length, basis.toArray(long[][]::new)).rowReduce().form();
    int excluded = isQuotient() ? dimension() - labelBits : 0;
    Gf2Matrix subcode =
        Gf2Matrix.ofPacked(length, basis.subList(0, excluded).toArray(long[][]::new))
            .rowReduce()
            .form();
    ByteBuffer bytes =
        ByteBuffer.allocate(
            3 * Integer.BYTES + (form.rows() + subcode.rows()) * parts(length) * Long.BYTES);
    bytes.putInt(length).putInt(dimension()).putInt(labelBits);
    for (Gf2Matrix matrix : List.of(form, subcode)) {
      for (int row = 0; row < matrix.rows(); row++) {
        for (long part : matrix.row(row)) {
          bytes.putLong(part);
        }
      }
    }
    return bytes.array();
  }

  /** Returns the parameters: {@code (127,64)}, or {@code [[144,12]]} outside a subcode. */
  @Override
  public String toString() {
    return isQuotient()
        ? "[[%d,%d]]".formatted(length, labelBits)
        : "(%d,%d)".formatted(length, dimension());
  }
}

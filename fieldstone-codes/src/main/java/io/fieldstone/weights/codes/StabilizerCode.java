package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A stabilizer code of qubits (Gottesman, "Stabilizer codes and quantum error correction", 1997),
 * given by generators of its stabilizer without signs, on which no distance depends. Immutable and
 * thread-safe.
 *
 * {@snippet :
 * StabilizerCode five = StabilizerCode.of(PauliText.parse("text", "XZZXI\nIXZZX\nXIXZZ\nZXIXZ", 5));
 * }
 *
 * <p>An operator of n qubits is a row (X|Z) of 2n bits: bit i is one if it has X or Y on qubit i,
 * bit n + i if it has Z or Y there.
 */
public final class StabilizerCode {

  private final Gf2Matrix generators;

  /**
   * The checks of a CSS code.
   *
   * @param x the checks of X, with a column for each qubit
   * @param z the checks of Z
   */
  public record CssChecks(Gf2Matrix x, Gf2Matrix z) {}

  private StabilizerCode(Gf2Matrix generators) {
    this.generators = generators;
  }

  /**
   * Returns the code of generators. Generators that are products of earlier ones are left out.
   *
   * @param generators any number of rows (X|Z) of 2n columns, n ≥ 1
   * @throws IllegalArgumentException if the number of columns is odd or 0, or two generators do not
   *     commute; the message names them, from 1
   */
  public static StabilizerCode of(Gf2Matrix generators) {
    int columns = generators.columns();
    if (columns == 0 || columns % 2 == 1) {
      throw new IllegalArgumentException(
          "%d columns are not (X|Z) of some qubits, an even number".formatted(columns));
    }
    Set<Integer> dependent = new HashSet<>(BinaryCode.dependentRows(generators));
    List<Integer> kept = new ArrayList<>();
    for (int row = 0; row < generators.rows(); row++) {
      if (!dependent.contains(row)) {
        kept.add(row);
      }
    }
    Gf2Matrix independent =
        Gf2Matrix.ofPacked(columns, kept.stream().map(generators::row).toArray(long[][]::new));
    requireCommuting(independent, kept);
    return new StabilizerCode(independent);
  }

  /** Checks independent rows. All rows commute if these do. */
  private static void requireCommuting(Gf2Matrix rows, List<Integer> numbers) {
    Gf2Matrix products = exchanged(rows).multiply(rows.transpose());
    for (int row = 0; row < rows.rows(); row++) {
      for (int other = 0; other < row; other++) {
        if (products.get(row, other) == 1) {
          throw new IllegalArgumentException(
              "generators %d and %d (from 1) do not commute"
                  .formatted(numbers.get(other) + 1, numbers.get(row) + 1));
        }
      }
    }
  }

  /** Returns rows (Z|X) of rows (X|Z). */
  private static Gf2Matrix exchanged(Gf2Matrix rows) {
    int qubits = rows.columns() / 2;
    return Gf2Matrix.generate(
        rows.rows(),
        rows.columns(),
        (row, column) -> rows.get(row, column < qubits ? column + qubits : column - qubits));
  }

  /** Returns the number n of qubits. */
  public int qubits() {
    return generators.columns() / 2;
  }

  /** Returns the number k of logical qubits; a code without any is a stabilizer state. */
  public int logicalQubits() {
    return qubits() - generators.rows();
  }

  /** Returns n − k independent generators as rows (X|Z). */
  public Gf2Matrix generators() {
    return generators;
  }

  /** Returns the generators as rows (Z|X), which map exactly what commutes with them to zero. */
  public Gf2Matrix checks() {
    return exchanged(generators);
  }

  /**
   * Returns the checks if the code is a CSS code: products of X alone and of Z alone generate it.
   */
  public Optional<CssChecks> css() {
    int qubits = qubits();
    Gf2Matrix form = generators.rowReduce().form();
    List<long[]> x = new ArrayList<>();
    List<long[]> z = new ArrayList<>();
    for (int row = 0; row < form.rows(); row++) {
      BitSet ones = BitSet.valueOf(form.row(row));
      int first = ones.nextSetBit(0);
      boolean isMixed = first < qubits && ones.nextSetBit(qubits) >= 0;
      if (isMixed) {
        return Optional.empty();
      }
      if (first < qubits) {
        x.add(packed(ones, qubits));
      } else {
        z.add(packed(ones.get(qubits, 2 * qubits), qubits));
      }
    }
    return Optional.of(
        new CssChecks(
            Gf2Matrix.ofPacked(qubits, x.toArray(long[][]::new)),
            Gf2Matrix.ofPacked(qubits, z.toArray(long[][]::new))));
  }

  private static long[] packed(BitSet ones, int columns) {
    return Arrays.copyOf(ones.toLongArray(), Math.ceilDiv(columns, Long.SIZE));
  }

  /** Returns the parameters, as in {@code [[5,1]]}. */
  @Override
  public String toString() {
    return "[[%d,%d]]".formatted(qubits(), logicalQubits());
  }
}

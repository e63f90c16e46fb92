package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import java.util.SplittableRandom;

/** Codes whose distances are published. */
final class KnownCodes {

  private KnownCodes() {}

  /** Returns the X checks of the toric code on a square of some size: stars of its vertices. */
  static Gf2Matrix toricStars(int size) {
    int n = size * size;
    return Gf2Matrix.generate(
        n,
        2 * n,
        (vertex, edge) -> {
          int row = vertex / size;
          int column = vertex % size;
          int place = edge % n;
          boolean isOne =
              edge < n
                  ? place == vertex || place == row * size + (column + size - 1) % size
                  : place == vertex || place == (row + size - 1) % size * size + column;
          return isOne ? 1 : 0;
        });
  }

  /** Returns the Z checks of the toric code: its faces. */
  static Gf2Matrix toricFaces(int size) {
    int n = size * size;
    return Gf2Matrix.generate(
        n,
        2 * n,
        (face, edge) -> {
          int row = face / size;
          int column = face % size;
          int place = edge % n;
          boolean isOne =
              edge < n
                  ? place == face || place == (row + 1) % size * size + column
                  : place == face || place == row * size + (column + 1) % size;
          return isOne ? 1 : 0;
        });
  }

  /** Exponents of x and y of a monomial. */
  record Monomial(int x, int y) {}

  /**
   * Returns the X checks [A | B] of a bivariate bicycle code (Bravyi et al., "High-threshold and
   * low-overhead fault-tolerant quantum memory", 2024).
   */
  static Gf2Matrix bicycleX(int l, int m, Monomial[] a, Monomial[] b) {
    return Gf2Matrix.generate(
        l * m,
        2 * l * m,
        (row, column) ->
            column < l * m ? entry(l, m, a, row, column) : entry(l, m, b, row, column - l * m));
  }

  /** Returns the Z checks [Bᵀ | Aᵀ]. */
  static Gf2Matrix bicycleZ(int l, int m, Monomial[] a, Monomial[] b) {
    return Gf2Matrix.generate(
        l * m,
        2 * l * m,
        (row, column) ->
            column < l * m ? entry(l, m, b, column, row) : entry(l, m, a, column - l * m, row));
  }

  private static int entry(int l, int m, Monomial[] sum, int row, int column) {
    int entry = 0;
    for (Monomial monomial : sum) {
      int i = (row / m + monomial.x()) % l;
      int j = (row % m + monomial.y()) % m;
      entry ^= column == i * m + j ? 1 : 0;
    }
    return entry;
  }

  static final Monomial[] GROSS_A = {new Monomial(3, 0), new Monomial(0, 1), new Monomial(0, 2)};
  static final Monomial[] GROSS_B = {new Monomial(0, 3), new Monomial(1, 0), new Monomial(2, 0)};

  static Gf2Matrix grossX() {
    return bicycleX(12, 6, GROSS_A, GROSS_B);
  }

  static Gf2Matrix grossZ() {
    return bicycleZ(12, 6, GROSS_A, GROSS_B);
  }

  /** Returns a matrix of random entries. */
  static Gf2Matrix random(SplittableRandom random, int rows, int columns) {
    return Gf2Matrix.generate(rows, columns, (_, _) -> random.nextInt(2));
  }
}

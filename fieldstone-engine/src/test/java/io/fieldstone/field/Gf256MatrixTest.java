package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

class Gf256MatrixTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;

  /** Rows, inner dimension and columns: the degenerate ones, then random ones. */
  record Shape(int rows, int inner, int columns, long seed) {
    Random random() {
      return new Random(seed);
    }

    Gf256 field() {
      return seed % 2 == 0 ? Gf256.DEFAULT : Gf256.RIJNDAEL;
    }
  }

  static Stream<Shape> shapes() {
    Random random = new Random(20261121);
    return Stream.concat(
        Stream.of(
            new Shape(0, 0, 0, 1),
            new Shape(0, 3, 2, 2),
            new Shape(3, 0, 2, 3),
            new Shape(2, 3, 0, 4),
            new Shape(1, 1, 1, 5),
            new Shape(1, 40, 1, 6),
            new Shape(40, 1, 40, 7)),
        IntStream.range(0, 60)
            .mapToObj(i ->
                new Shape(random.nextInt(14), random.nextInt(14), random.nextInt(14), 100 + i)));
  }

  static final List<Integer> SIZES = List.of(0, 1, 2, 3, 5, 8, 13, 31, 64);

  private static Gf256Matrix random(Random random, Gf256 field, int rows, int columns) {
    return Gf256Matrix.generate(field, rows, columns, (_, _) -> random.nextInt(256));
  }

  /** A square matrix of full rank: a unit lower times an upper triangle with no zero diagonal. */
  private static Gf256Matrix invertible(Random random, Gf256 field, int size) {
    Gf256Matrix lower =
        Gf256Matrix.generate(
            field, size, size, (r, c) -> c > r ? 0 : c == r ? 1 : random.nextInt(256));
    Gf256Matrix upper =
        Gf256Matrix.generate(
            field,
            size,
            size,
            (r, c) -> c < r ? 0 : c == r ? 1 + random.nextInt(255) : random.nextInt(256));
    // Reversed rows, or no leading minor would be zero and no elimination would ever swap.
    Gf256Matrix product = lower.multiply(upper);
    return Gf256Matrix.generate(field, size, size, (r, c) -> product.get(size - 1 - r, c));
  }

  /** A matrix of a given rank, at most its dimensions: full column rank times full row rank. */
  private static Gf256Matrix ofRank(Random random, Gf256 field, int rank, int rows, int columns) {
    Gf256Matrix tall = cut(invertible(random, field, rows), rows, rank);
    Gf256Matrix wide = cut(invertible(random, field, columns), rank, columns);
    return tall.multiply(wide);
  }

  /** The top left corner. */
  private static Gf256Matrix cut(Gf256Matrix matrix, int rows, int columns) {
    return Gf256Matrix.generate(matrix.field(), rows, columns, matrix::get);
  }

  private static Gf256Matrix zero(Gf256 field, int rows, int columns) {
    return Gf256Matrix.generate(field, rows, columns, (_, _) -> 0);
  }

  private static Gf256Matrix matrix(int rows, int columns, int... entries) {
    return Gf256Matrix.generate(FIELD, rows, columns, (r, c) -> entries[r * columns + c]);
  }

  @Nested
  class Values {

    @Test
    void holdsItsEntriesRowMajor() {
      byte[] entries = {1, 2, 3, (byte) 0xFD, (byte) 0xFE, (byte) 0xFF};
      Gf256Matrix matrix = Gf256Matrix.of(FIELD, 2, 3, entries);

      assertThat(matrix.rows()).isEqualTo(2);
      assertThat(matrix.columns()).isEqualTo(3);
      assertThat(matrix.field()).isEqualTo(FIELD);
      assertThat(matrix.get(0, 2)).isEqualTo(3);
      assertThat(matrix.get(1, 0)).isEqualTo(0xFD);
      assertThat(matrix.toByteArray()).isEqualTo(entries);
      assertThat(matrix).isEqualTo(matrix(2, 3, 1, 2, 3, 0xFD, 0xFE, 0xFF));
      assertThat(matrix).hasToString("2×3 over GF(2^8)/0x11D\n01 02 03\nFD FE FF");
    }

    @Test
    void sharesNoArrayWithItsCaller() {
      byte[] entries = {1, 2};
      Gf256Matrix matrix = Gf256Matrix.of(FIELD, 1, 2, entries);
      entries[0] = 9;
      matrix.toByteArray()[1] = 9;

      assertThat(matrix).isEqualTo(matrix(1, 2, 1, 2));
    }

    @Test
    void withChangesOneEntryOfACopy() {
      Gf256Matrix matrix = matrix(2, 2, 1, 2, 3, 4);

      assertThat(matrix.with(1, 0, 0xFF)).isEqualTo(matrix(2, 2, 1, 2, 0xFF, 4));
      assertThat(matrix).isEqualTo(matrix(2, 2, 1, 2, 3, 4));
    }

    @Test
    void equalityIsOfFieldShapeAndEntries() {
      Gf256Matrix matrix = matrix(2, 3, 1, 2, 3, 4, 5, 6);

      assertThat(matrix)
          .isEqualTo(matrix(2, 3, 1, 2, 3, 4, 5, 6))
          .hasSameHashCodeAs(matrix(2, 3, 1, 2, 3, 4, 5, 6))
          .isNotEqualTo(matrix(3, 2, 1, 2, 3, 4, 5, 6))
          .isNotEqualTo(matrix(2, 3, 1, 2, 3, 4, 5, 7))
          .isNotEqualTo(Gf256Matrix.of(Gf256.RIJNDAEL, 2, 3, matrix.toByteArray()))
          .isNotEqualTo("2×3");
      assertThat(matrix(0, 3)).isNotEqualTo(matrix(3, 0)).isNotEqualTo(matrix(0, 0));
    }

    @Test
    void identityIsOneOnTheDiagonal() {
      assertThat(Gf256Matrix.identity(FIELD, 2)).isEqualTo(matrix(2, 2, 1, 0, 0, 1));
      assertThat(Gf256Matrix.identity(FIELD, 0)).isEqualTo(matrix(0, 0));
    }
  }

  @Nested
  class Products {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void entriesAreSumsOfProducts(Shape shape) {
      Random random = shape.random();
      Gf256Matrix left = random(random, shape.field(), shape.rows(), shape.inner());
      Gf256Matrix right = random(random, shape.field(), shape.inner(), shape.columns());

      Gf256Matrix product = left.multiply(right);

      assertThat(product.rows()).isEqualTo(shape.rows());
      assertThat(product.columns()).isEqualTo(shape.columns());
      for (int row = 0; row < shape.rows(); row++) {
        for (int column = 0; column < shape.columns(); column++) {
          int sum = 0;
          for (int i = 0; i < shape.inner(); i++) {
            sum ^=
                Polynomials.product(
                    left.get(row, i), right.get(i, column), shape.field().polynomial());
          }
          assertThat(product.get(row, column)).isEqualTo(sum);
        }
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void transposeSwapsIndicesAndReversesProducts(Shape shape) {
      Random random = shape.random();
      Gf256Matrix left = random(random, shape.field(), shape.rows(), shape.inner());
      Gf256Matrix right = random(random, shape.field(), shape.inner(), shape.columns());

      Gf256Matrix transpose = left.transpose();
      assertThat(transpose.rows()).isEqualTo(shape.inner());
      assertThat(transpose.columns()).isEqualTo(shape.rows());
      for (int row = 0; row < shape.rows(); row++) {
        for (int column = 0; column < shape.inner(); column++) {
          assertThat(transpose.get(column, row)).isEqualTo(left.get(row, column));
        }
      }
      assertThat(left.multiply(right).transpose())
          .isEqualTo(right.transpose().multiply(left.transpose()));
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void identityIsNeutral(Shape shape) {
      Gf256Matrix matrix = random(shape.random(), shape.field(), shape.rows(), shape.columns());

      assertThat(Gf256Matrix.identity(shape.field(), shape.rows()).multiply(matrix))
          .isEqualTo(matrix);
      assertThat(matrix.multiply(Gf256Matrix.identity(shape.field(), shape.columns())))
          .isEqualTo(matrix);
    }
  }

  @Nested
  class Elimination {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void rankIsThatOfTheConstruction(Shape shape) {
      Random random = shape.random();
      for (int rank = 0; rank <= Math.min(shape.rows(), shape.columns()); rank++) {
        Gf256Matrix matrix = ofRank(random, shape.field(), rank, shape.rows(), shape.columns());

        assertThat(matrix.rank()).isEqualTo(rank);
        assertThat(matrix.transpose().rank()).isEqualTo(rank);
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void rankOfAProductIsBoundedByItsFactors(Shape shape) {
      Random random = shape.random();
      int leftRank = random.nextInt(Math.min(shape.rows(), shape.inner()) + 1);
      int rightRank = random.nextInt(Math.min(shape.inner(), shape.columns()) + 1);
      Gf256Matrix left = ofRank(random, shape.field(), leftRank, shape.rows(), shape.inner());
      Gf256Matrix right = ofRank(random, shape.field(), rightRank, shape.inner(), shape.columns());

      // Sylvester's inequality below, the factors' ranks above.
      assertThat(left.multiply(right).rank())
          .isBetween(
              Math.max(0, leftRank + rightRank - shape.inner()), Math.min(leftRank, rightRank));
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void reducedFormIsReducedAndOfTheSameRowSpace(Shape shape) {
      Random random = shape.random();
      int rank = random.nextInt(Math.min(shape.rows(), shape.columns()) + 1);
      Gf256Matrix matrix = ofRank(random, shape.field(), rank, shape.rows(), shape.columns());

      Gf256Matrix.RowEchelon reduced = matrix.rowReduce();

      assertThat(reduced.pivotColumns()).hasSize(rank);
      assertReduced(reduced);
      // The form is canonical: mixing the rows invertibly does not change it.
      assertThat(invertible(random, shape.field(), shape.rows()).multiply(matrix).rowReduce())
          .isEqualTo(reduced);
      // Each row of the original is the form's rows weighted by its entries at the pivots.
      Gf256Matrix weights =
          Gf256Matrix.generate(
              shape.field(),
              shape.rows(),
              rank,
              (row, i) -> matrix.get(row, reduced.pivotColumns().get(i)));
      assertThat(weights.multiply(cut(reduced.form(), rank, shape.columns()))).isEqualTo(matrix);
    }

    private static void assertReduced(Gf256Matrix.RowEchelon reduced) {
      Gf256Matrix form = reduced.form();
      assertThat(reduced.pivotColumns()).isSorted().doesNotHaveDuplicates();
      for (int row = 0; row < form.rows(); row++) {
        boolean pivoted = row < reduced.pivotColumns().size();
        int pivot = pivoted ? reduced.pivotColumns().get(row) : form.columns();
        for (int column = 0; column < pivot; column++) {
          assertThat(form.get(row, column)).isZero();
        }
        for (int other = 0; pivoted && other < form.rows(); other++) {
          assertThat(form.get(other, pivot)).isEqualTo(other == row ? 1 : 0);
        }
      }
    }

    @Test
    void reducesAMatrixWorkedByHand() {
      // Row 2 = 2 · row 1 in columns 0 and 1, so column 1 has no pivot; 2 · 0x8E = 1 in 0x11D.
      Gf256Matrix.RowEchelon reduced = matrix(3, 3, 0, 0, 0, 2, 4, 6, 4, 8, 13).rowReduce();

      assertThat(reduced.form()).isEqualTo(matrix(3, 3, 1, 2, 0, 0, 0, 1, 0, 0, 0));
      assertThat(reduced.pivotColumns()).containsExactly(0, 2);
    }

    @Test
    void pivotColumnsAreTheRecordsOwn() {
      List<Integer> pivots = new ArrayList<>(List.of(0));
      var echelon = new Gf256Matrix.RowEchelon(matrix(1, 1, 1), pivots);
      Collections.addAll(pivots, 1, 2);

      assertThat(echelon.pivotColumns()).containsExactly(0);
    }
  }

  @Nested
  class Solutions {

    @ParameterizedTest
    @FieldSource("io.fieldstone.field.Gf256MatrixTest#SIZES")
    void inverseTimesMatrixIsIdentity(int size) {
      for (Gf256 field : List.of(Gf256.DEFAULT, Gf256.RIJNDAEL)) {
        Gf256Matrix matrix = invertible(new Random(size), field, size);

        Gf256Matrix inverse = matrix.inverse().orElseThrow();

        assertThat(matrix.multiply(inverse)).isEqualTo(Gf256Matrix.identity(field, size));
        assertThat(inverse.multiply(matrix)).isEqualTo(Gf256Matrix.identity(field, size));
      }
    }

    @ParameterizedTest
    @FieldSource("io.fieldstone.field.Gf256MatrixTest#SIZES")
    void singularMatricesHaveNoInverse(int size) {
      Random random = new Random(size);
      for (int rank = 0; rank < size; rank += 1 + size / 8) {
        assertThat(ofRank(random, FIELD, rank, size, size).inverse()).isEmpty();
      }
    }

    /** The Vandermonde matrix on distinct points is invertible, with two equal points it is not. */
    @Test
    void vandermondeMatricesAreInvertibleOnDistinctPoints() {
      Gf256Matrix distinct = Gf256Matrix.generate(FIELD, 20, 20, (r, c) -> FIELD.pow(r, c));
      Gf256Matrix repeated = Gf256Matrix.generate(FIELD, 20, 20, (r, c) -> FIELD.pow(r % 19, c));

      assertThat(distinct.inverse().map(distinct::multiply))
          .contains(Gf256Matrix.identity(FIELD, 20));
      assertThat(repeated.inverse()).isEmpty();
      assertThat(repeated.rank()).isEqualTo(19);
    }

    /** MixColumns and InvMixColumns, FIPS 197, sections 5.1.3 and 5.3.3. */
    @Test
    void invertsTheMixColumnsOfRijndael() {
      int[] mix = {2, 3, 1, 1};
      int[] unmix = {0x0E, 0x0B, 0x0D, 0x09};

      assertThat(circulant(mix).inverse()).contains(circulant(unmix));
    }

    private static Gf256Matrix circulant(int[] row) {
      return Gf256Matrix.generate(Gf256.RIJNDAEL, 4, 4, (r, c) -> row[Math.floorMod(c - r, 4)]);
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void solvesSystemsWithOneSolution(Shape shape) {
      Random random = shape.random();
      int unknowns = Math.min(shape.rows(), shape.inner());
      Gf256Matrix matrix = ofRank(random, shape.field(), unknowns, shape.rows(), unknowns);
      Gf256Matrix solution = random(random, shape.field(), unknowns, shape.columns());

      assertThat(matrix.solve(matrix.multiply(solution))).contains(solution);
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf256MatrixTest#shapes")
    void rejectsSystemsWithSeveralSolutions(Shape shape) {
      Random random = shape.random();
      int rank = Math.min(shape.rows(), shape.inner());
      Gf256Matrix matrix = ofRank(random, shape.field(), rank, shape.rows(), rank + 1);
      Gf256Matrix solution = random(random, shape.field(), rank + 1, shape.columns());

      assertThat(matrix.solve(matrix.multiply(solution))).isEmpty();
    }

    @Test
    void surplusEquationsMustAgree() {
      Gf256Matrix matrix = matrix(3, 2, 1, 0, 0, 1, 1, 1);

      assertThat(matrix.solve(matrix(3, 1, 5, 9, 5 ^ 9))).contains(matrix(2, 1, 5, 9));
      assertThat(matrix.solve(matrix(3, 1, 5, 9, 5 ^ 9 ^ 1))).isEmpty();
      assertThat(matrix.solve(matrix(3, 2, 5, 0, 9, 0, 5 ^ 9, 1))).isEmpty();
    }

    @Test
    void systemsWithoutColumnsAreSolved() {
      assertThat(matrix(2, 0).solve(zero(FIELD, 2, 3))).contains(matrix(0, 3));
      assertThat(matrix(2, 0).solve(zero(FIELD, 2, 3).with(1, 1, 7))).isEmpty();
      assertThat(matrix(0, 2).solve(matrix(0, 3))).isEmpty();
      assertThat(matrix(0, 0).inverse()).contains(matrix(0, 0));
    }
  }

  @Nested
  class Misuse {

    @Test
    void namesAWrongShape() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256Matrix.of(FIELD, 2, 3, new byte[5]))
          .withMessage("5 entries for a matrix of 2×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256Matrix.of(FIELD, -2, -3, new byte[6]))
          .withMessageContaining("-2×-3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256Matrix.of(FIELD, 1 << 16, 1 << 16, new byte[0]))
          .withMessageContaining("65536×65536");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256Matrix.identity(FIELD, -1))
          .withMessageContaining("-1×-1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf256Matrix.identity(FIELD, 46_341))
          .withMessageContaining("46341×46341");
    }

    @Test
    void namesShapesThatDoNotFit() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(FIELD, 2, 3).multiply(zero(FIELD, 2, 3)))
          .withMessage("product of 2×3 and 2×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(FIELD, 2, 3).solve(zero(FIELD, 3, 1)))
          .withMessage("right-hand side of 3×1 for 2×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(FIELD, 2, 3).inverse())
          .withMessage("inverse of 2×3, which is not square");
    }

    @Test
    void namesFieldsThatDiffer() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(FIELD, 2, 2).multiply(zero(Gf256.RIJNDAEL, 2, 2)))
          .withMessage("matrices over GF(2^8)/0x11D and GF(2^8)/0x11B");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(FIELD, 2, 2).solve(zero(Gf256.RIJNDAEL, 2, 2)))
          .withMessage("matrices over GF(2^8)/0x11D and GF(2^8)/0x11B");
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, -1", "0, -1, -1", "2, 0, 2", "0, 3, 3", "1, 3, 3"})
    void namesAnIndexOutOfBounds(int row, int column, int named) {
      Gf256Matrix matrix = zero(FIELD, 2, 3);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> matrix.get(row, column))
          .withMessageContaining("Index " + named);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> matrix.with(row, column, 1))
          .withMessageContaining("Index " + named);
    }

    @ParameterizedTest
    @CsvSource({"-1", "256", "-128"})
    void namesAnEntryThatIsNoElement(int entry) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> zero(FIELD, 1, 1).with(0, 0, entry))
          .withMessageContaining("Index " + entry);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> Gf256Matrix.generate(FIELD, 1, 1, (_, _) -> entry))
          .withMessageContaining("Index " + entry);
    }
  }
}

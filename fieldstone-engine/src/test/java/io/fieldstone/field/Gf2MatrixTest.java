package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Gf2MatrixTest {

  /** Rows, inner dimension and columns: the degenerate, the word-sized, then random ones. */
  record Shape(int rows, int inner, int columns, long seed) {
    Random random() {
      return new Random(seed);
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
            new Shape(63, 64, 65, 6),
            new Shape(64, 65, 63, 7),
            new Shape(65, 63, 64, 8),
            new Shape(64, 64, 64, 9),
            new Shape(22, 127, 129, 10),
            new Shape(128, 1, 128, 11)),
        IntStream.range(0, 60)
            .mapToObj(i ->
                new Shape(random.nextInt(20), random.nextInt(20), random.nextInt(20), 100 + i)));
  }

  static final List<Integer> SIZES = List.of(0, 1, 2, 3, 7, 31, 63, 64, 65, 130);

  private static Gf2Matrix random(Random random, int rows, int columns) {
    return Gf2Matrix.generate(rows, columns, (_, _) -> random.nextInt(2));
  }

  /** A square matrix of full rank: a unit lower times a unit upper triangle. */
  private static Gf2Matrix invertible(Random random, int size) {
    Gf2Matrix lower =
        Gf2Matrix.generate(size, size, (r, c) -> c > r ? 0 : c == r ? 1 : random.nextInt(2));
    Gf2Matrix upper =
        Gf2Matrix.generate(size, size, (r, c) -> c < r ? 0 : c == r ? 1 : random.nextInt(2));
    // Reversed rows, or the leading minors would all be 1 and no elimination would ever swap.
    Gf2Matrix product = lower.multiply(upper);
    return Gf2Matrix.generate(size, size, (r, c) -> product.get(size - 1 - r, c));
  }

  /** A matrix of a given rank, at most its dimensions: full column rank times full row rank. */
  private static Gf2Matrix ofRank(Random random, int rank, int rows, int columns) {
    return cut(invertible(random, rows), rows, rank)
        .multiply(cut(invertible(random, columns), rank, columns));
  }

  /** The top left corner. */
  private static Gf2Matrix cut(Gf2Matrix matrix, int rows, int columns) {
    return Gf2Matrix.generate(rows, columns, matrix::get);
  }

  private static Gf2Matrix zero(int rows, int columns) {
    return Gf2Matrix.generate(rows, columns, (_, _) -> 0);
  }

  @Nested
  class Values {

    @Test
    void holdsItsRowsAsWritten() {
      Gf2Matrix matrix = Gf2Matrix.of("1011", "0110");

      assertThat(matrix.rows()).isEqualTo(2);
      assertThat(matrix.columns()).isEqualTo(4);
      assertThat(matrix.get(0, 0)).isEqualTo(1);
      assertThat(matrix.get(0, 1)).isZero();
      assertThat(matrix.get(1, 3)).isZero();
      assertThat(matrix).hasToString("2×4 over GF(2)\n1011\n0110");
      assertThat(Gf2Matrix.of()).isEqualTo(zero(0, 0));
      assertThat(Gf2Matrix.of("", "")).isEqualTo(zero(2, 0));
    }

    @Test
    void packsColumnCIntoBitCMod64OfWordCDiv64() {
      Gf2Matrix matrix =
          Gf2Matrix.generate(1, 130, (_, c) -> c == 1 || c == 63 || c == 129 ? 1 : 0);

      assertThat(matrix.row(0)).containsExactly(0x8000_0000_0000_0002L, 0, 2);
      assertThat(Gf2Matrix.ofPacked(130, new long[] {0x8000_0000_0000_0002L, 0, 2}))
          .isEqualTo(matrix);
      assertThat(Gf2Matrix.ofPacked(130)).isEqualTo(zero(0, 130));
      assertThat(Gf2Matrix.ofPacked(64, new long[] {-1})).isEqualTo(Gf2Matrix.of("1".repeat(64)));
    }

    @Test
    void sharesNoArrayWithItsCaller() {
      long[] row = {0b01};
      Gf2Matrix matrix = Gf2Matrix.ofPacked(2, row);
      row[0] = 0b11;
      matrix.row(0)[0] = 0b11;

      assertThat(matrix).isEqualTo(Gf2Matrix.of("10"));
    }

    @Test
    void withChangesOneEntryOfACopy() {
      Gf2Matrix matrix = Gf2Matrix.of("10", "01");

      assertThat(matrix.with(0, 1, 1)).isEqualTo(Gf2Matrix.of("11", "01"));
      assertThat(matrix.with(1, 1, 0)).isEqualTo(Gf2Matrix.of("10", "00"));
      assertThat(matrix.with(0, 0, 1)).isEqualTo(matrix).hasSameHashCodeAs(matrix);
      assertThat(matrix).isEqualTo(Gf2Matrix.of("10", "01"));
    }

    @Test
    void equalityIsOfShapeAndEntries() {
      assertThat(Gf2Matrix.of("10", "01"))
          .isEqualTo(Gf2Matrix.identity(2))
          .hasSameHashCodeAs(Gf2Matrix.identity(2))
          .isNotEqualTo(Gf2Matrix.of("100", "010"))
          .isNotEqualTo(Gf2Matrix.of("10", "11"))
          .isNotEqualTo("10");
      assertThat(zero(0, 3)).isNotEqualTo(zero(0, 4)).isNotEqualTo(zero(3, 0));
    }
  }

  @Nested
  class Products {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void entriesAreParities(Shape shape) {
      Random random = shape.random();
      Gf2Matrix left = random(random, shape.rows(), shape.inner());
      Gf2Matrix right = random(random, shape.inner(), shape.columns());

      Gf2Matrix product = left.multiply(right);

      assertThat(product.rows()).isEqualTo(shape.rows());
      assertThat(product.columns()).isEqualTo(shape.columns());
      for (int row = 0; row < shape.rows(); row++) {
        for (int column = 0; column < shape.columns(); column++) {
          int ones = 0;
          for (int i = 0; i < shape.inner(); i++) {
            ones += left.get(row, i) * right.get(i, column);
          }
          assertThat(product.get(row, column)).isEqualTo(ones % 2);
        }
      }
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void vectorProductIsThatOfAOneColumnMatrix(Shape shape) {
      Random random = shape.random();
      Gf2Matrix matrix = random(random, shape.rows(), shape.inner());
      Gf2Matrix vector = random(random, 1, shape.inner());

      assertThat(matrix.multiply(vector.row(0)))
          .isEqualTo(matrix.multiply(vector.transpose()).transpose().row(0));
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void transposeSwapsIndicesAndReversesProducts(Shape shape) {
      Random random = shape.random();
      Gf2Matrix left = random(random, shape.rows(), shape.inner());
      Gf2Matrix right = random(random, shape.inner(), shape.columns());

      Gf2Matrix transpose = left.transpose();
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
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void identityIsNeutral(Shape shape) {
      Gf2Matrix matrix = random(shape.random(), shape.rows(), shape.columns());

      assertThat(Gf2Matrix.identity(shape.rows()).multiply(matrix)).isEqualTo(matrix);
      assertThat(matrix.multiply(Gf2Matrix.identity(shape.columns()))).isEqualTo(matrix);
    }
  }

  @Nested
  class Elimination {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void rankIsThatOfTheConstruction(Shape shape) {
      Random random = shape.random();
      int most = Math.min(shape.rows(), shape.columns());
      for (int rank = 0; rank <= most; rank += 1 + most / 16) {
        Gf2Matrix matrix = ofRank(random, rank, shape.rows(), shape.columns());

        assertThat(matrix.rank()).isEqualTo(rank);
        assertThat(matrix.transpose().rank()).isEqualTo(rank);
      }
    }

    /** A space of dimension r has 2<sup>r</sup> vectors: count the sums of every subset of rows. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rankIsTheLogarithmOfTheRowSpacesSize(long seed) {
      Random random = new Random(seed);
      Gf2Matrix matrix = random(random, 1 + random.nextInt(10), 1 + random.nextInt(10));
      Set<Long> rowSpace = new HashSet<>(Set.of(0L));
      for (int row = 0; row < matrix.rows(); row++) {
        long added = matrix.row(row)[0];
        rowSpace.addAll(rowSpace.stream().map(vector -> vector ^ added).toList());
      }

      assertThat(1 << matrix.rank()).isEqualTo(rowSpace.size());
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void rankOfAProductIsBoundedByItsFactors(Shape shape) {
      Random random = shape.random();
      int leftRank = random.nextInt(Math.min(shape.rows(), shape.inner()) + 1);
      int rightRank = random.nextInt(Math.min(shape.inner(), shape.columns()) + 1);
      Gf2Matrix left = ofRank(random, leftRank, shape.rows(), shape.inner());
      Gf2Matrix right = ofRank(random, rightRank, shape.inner(), shape.columns());

      // Sylvester's inequality below, the factors' ranks above.
      assertThat(left.multiply(right).rank())
          .isBetween(
              Math.max(0, leftRank + rightRank - shape.inner()), Math.min(leftRank, rightRank));
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void reducedFormIsReducedAndOfTheSameRowSpace(Shape shape) {
      Random random = shape.random();
      int rank = random.nextInt(Math.min(shape.rows(), shape.columns()) + 1);
      Gf2Matrix matrix = ofRank(random, rank, shape.rows(), shape.columns());

      Gf2Matrix.RowEchelon reduced = matrix.rowReduce();

      assertThat(reduced.pivotColumns()).hasSize(rank);
      assertReduced(reduced);
      // The form is canonical: mixing the rows invertibly does not change it.
      assertThat(invertible(random, shape.rows()).multiply(matrix).rowReduce()).isEqualTo(reduced);
      // Each row of the original is the sum of the form's rows whose pivots it has.
      Gf2Matrix weights =
          Gf2Matrix.generate(
              shape.rows(), rank, (row, i) -> matrix.get(row, reduced.pivotColumns().get(i)));
      assertThat(weights.multiply(cut(reduced.form(), rank, shape.columns()))).isEqualTo(matrix);
    }

    private static void assertReduced(Gf2Matrix.RowEchelon reduced) {
      Gf2Matrix form = reduced.form();
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
      Gf2Matrix.RowEchelon reduced = Gf2Matrix.of("0011", "0110", "0101", "0111").rowReduce();

      assertThat(reduced.form()).isEqualTo(Gf2Matrix.of("0100", "0010", "0001", "0000"));
      assertThat(reduced.pivotColumns()).containsExactly(1, 2, 3);
    }

    @Test
    void leavesTheOriginalAsItWas() {
      Gf2Matrix matrix = Gf2Matrix.of("011", "110", "101");

      matrix.rowReduce();

      assertThat(matrix).isEqualTo(Gf2Matrix.of("011", "110", "101"));
    }
  }

  @Nested
  class NullSpaces {

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void isOrthogonalToTheRowsAndAsLargeAsCanBe(Shape shape) {
      Random random = shape.random();
      int rank = random.nextInt(Math.min(shape.rows(), shape.columns()) + 1);
      Gf2Matrix matrix = ofRank(random, rank, shape.rows(), shape.columns());

      Gf2Matrix basis = matrix.nullSpace();

      assertThat(basis.rows()).isEqualTo(shape.columns() - rank);
      assertThat(basis.columns()).isEqualTo(shape.columns());
      assertThat(basis.rank()).isEqualTo(basis.rows());
      assertThat(matrix.multiply(basis.transpose())).isEqualTo(zero(shape.rows(), basis.rows()));
    }

    /** [I | P] generates the code that [Pᵀ | I] checks: the (7, 4) Hamming code. */
    @Test
    void hammingCodesParityCheck() {
      Gf2Matrix generator = Gf2Matrix.of("1000110", "0100101", "0010011", "0001111");
      Gf2Matrix parityCheck = Gf2Matrix.of("1101100", "1011010", "0111001");

      assertThat(generator.nullSpace()).isEqualTo(parityCheck);
      assertThat(parityCheck.nullSpace().rowReduce().form()).isEqualTo(generator);
      // The columns of a Hamming code's parity check are all the nonzero syndromes.
      assertThat(IntStream.range(0, 7).mapToObj(c -> parityCheck.multiply(new long[] {1L << c})[0]))
          .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void theKernelOfNoRowsIsTheWholeSpace() {
      assertThat(zero(0, 70).nullSpace()).isEqualTo(Gf2Matrix.identity(70));
      assertThat(Gf2Matrix.identity(70).nullSpace()).isEqualTo(zero(0, 70));
    }
  }

  @Nested
  class Solutions {

    @ParameterizedTest
    @FieldSource("io.fieldstone.field.Gf2MatrixTest#SIZES")
    void inverseTimesMatrixIsIdentity(int size) {
      Gf2Matrix matrix = invertible(new Random(size), size);

      Gf2Matrix inverse = matrix.inverse().orElseThrow();

      assertThat(matrix.multiply(inverse)).isEqualTo(Gf2Matrix.identity(size));
      assertThat(inverse.multiply(matrix)).isEqualTo(Gf2Matrix.identity(size));
    }

    @ParameterizedTest
    @FieldSource("io.fieldstone.field.Gf2MatrixTest#SIZES")
    void singularMatricesHaveNoInverse(int size) {
      Random random = new Random(size);
      for (int rank = 0; rank < size; rank += 1 + size / 8) {
        assertThat(ofRank(random, rank, size, size).inverse()).isEmpty();
      }
    }

    /** (2<sup>3</sup> − 1)(2<sup>3</sup> − 2)(2<sup>3</sup> − 4) = 168 of 512 are invertible. */
    @Test
    void countsTheInvertibleThreeByThrees() {
      assertThat(
              IntStream.range(0, 512)
                  .mapToObj(bits -> Gf2Matrix.generate(3, 3, (r, c) -> bits >> (3 * r + c) & 1))
                  .filter(matrix -> matrix.inverse().isPresent()))
          .hasSize(168);
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void solvesSystemsWithOneSolution(Shape shape) {
      Random random = shape.random();
      int unknowns = Math.min(shape.rows(), shape.inner());
      Gf2Matrix matrix = ofRank(random, unknowns, shape.rows(), unknowns);
      Gf2Matrix solution = random(random, unknowns, shape.columns());

      assertThat(matrix.solve(matrix.multiply(solution))).contains(solution);
    }

    @ParameterizedTest
    @MethodSource("io.fieldstone.field.Gf2MatrixTest#shapes")
    void rejectsSystemsWithSeveralSolutions(Shape shape) {
      Random random = shape.random();
      int rank = Math.min(shape.rows(), shape.inner());
      Gf2Matrix matrix = ofRank(random, rank, shape.rows(), rank + 1);
      Gf2Matrix solution = random(random, rank + 1, shape.columns());

      assertThat(matrix.solve(matrix.multiply(solution))).isEmpty();
    }

    @Test
    void surplusEquationsMustAgree() {
      Gf2Matrix matrix = Gf2Matrix.of("10", "01", "11");

      assertThat(matrix.solve(Gf2Matrix.of("1", "0", "1"))).contains(Gf2Matrix.of("1", "0"));
      assertThat(matrix.solve(Gf2Matrix.of("1", "0", "0"))).isEmpty();
    }

    @Test
    void systemsWithoutColumnsAreSolved() {
      assertThat(zero(2, 0).solve(zero(2, 3))).contains(zero(0, 3));
      assertThat(zero(2, 0).solve(zero(2, 3).with(1, 1, 1))).isEmpty();
      assertThat(zero(0, 2).solve(zero(0, 3))).isEmpty();
      assertThat(zero(0, 0).inverse()).contains(zero(0, 0));
    }
  }

  @Nested
  class Misuse {

    @Test
    void namesARowThatIsNoRow() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf2Matrix.of("101", "01"))
          .withMessage("row 1 is \"01\", not 3 characters of 0 and 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf2Matrix.of("101", "0 2"))
          .withMessageContaining("row 1 is \"0 2\"");
    }

    @Test
    void namesAPackedRowThatDoesNotFit() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf2Matrix.ofPacked(64, new long[1], new long[2]))
          .withMessage("row 1 of 2 words where 64 entries take 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf2Matrix.ofPacked(3, new long[] {0xB}))
          .withMessage("row 0 has a bit set past its 3 entries: last word 0xB");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(2, 65).multiply(new long[1]))
          .withMessage("vector of 1 words where 65 entries take 2");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(2, 65).multiply(new long[] {0, 2}))
          .withMessage("vector has a bit set past its 65 entries: last word 0x2");
    }

    @Test
    void namesShapesThatDoNotFit() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(2, 3).multiply(zero(2, 3)))
          .withMessage("product of 2×3 and 2×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(2, 3).solve(zero(3, 1)))
          .withMessage("right-hand side of 3×1 for 2×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(2, 3).inverse())
          .withMessage("inverse of 2×3, which is not square");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> zero(-1, 3))
          .withMessageContaining("-1×3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Gf2Matrix.ofPacked(-3))
          .withMessageContaining("0×-3");
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, -1", "0, -1, -1", "2, 0, 2", "0, 3, 3", "1, 63, 63"})
    void namesAnIndexOutOfBounds(int row, int column, int named) {
      Gf2Matrix matrix = zero(2, 3);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> matrix.get(row, column))
          .withMessageContaining("Index " + named);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> matrix.with(row, column, 1))
          .withMessageContaining("Index " + named);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 255})
    void namesAnEntryThatIsNoBit(int entry) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> zero(1, 1).with(0, 0, entry))
          .withMessageContaining("Index " + entry);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> Gf2Matrix.generate(1, 1, (_, _) -> entry))
          .withMessageContaining("Index " + entry);
    }

    @Test
    void namesARowOutOfBounds() {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> zero(2, 3).row(2))
          .withMessageContaining("Index 2");
    }
  }
}

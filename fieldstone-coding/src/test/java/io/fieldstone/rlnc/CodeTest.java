package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  static List<Code> codes() {
    return List.of(
        new Code.Dense(),
        new Code.Systematic(),
        new Code.Sparse(20),
        new Code.Pipeline(0.25),
        new Code.Cauchy());
  }

  private static byte[] draw(Code code, long seed, long generation, long index, int n) {
    byte[] vector = new byte[n];
    Arrays.fill(vector, (byte) 0x77);
    code.coefficients(seed, generation, index, MemorySegment.ofArray(vector));
    return vector;
  }

  @ParameterizedTest
  @MethodSource("codes")
  void sameArgumentsGiveTheSameVectorAndOthersAnother(Code code) {
    int n = 40;
    long index = 1000;
    byte[] vector = draw(code, 1, 2, index, n);
    assertThat(draw(code, 1, 2, index, n)).isEqualTo(vector);
    assertThat(draw(code, 2, 2, index, n)).isNotEqualTo(vector);
    assertThat(draw(code, 1L << 40, 2, index, n)).isNotEqualTo(vector);
    assertThat(draw(code, 1, 3, index, n)).isNotEqualTo(vector);
    assertThat(draw(code, 1, 2, index + 1, n)).isNotEqualTo(vector);
  }

  /**
   * The format: these bytes must never change, or shards and streams out there cannot be read. They
   * were computed from the Javadoc of {@link Code} by a program in another language. Sparse index
   * 19 would be all zero and is filled in.
   */
  @ParameterizedTest
  @CsvSource({
    "dense,      11, a4fdc220f0d9a605cb84",
    "systematic, 11, a4fdc220f0d9a605cb84",
    "sparse,     11, 00003c00000000000000",
    "sparse,     19, 00000000000020000000",
    "pipeline,   11, 6e700a5e471bb8ee5300",
    "cauchy,     11, 98dd9dad965daa3df48e"
  })
  void vectorsEqualRecordedOnes(String name, long index, String coefficients) {
    Code code = codes().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    assertThat(HexFormat.of().formatHex(draw(code, 0x1234_5678_9ABC_DEF0L, 7, index, 10)))
        .isEqualTo(coefficients);
  }

  /** At any offset and length the coefficients are the same; other bytes are unchanged. */
  @ParameterizedTest
  @MethodSource("codes")
  void writesOnlyItsCoefficients(Code code) {
    for (int n = 1; n < 50; n++) {
      for (long index : new long[] {0, n - 1, n, 3L * n}) {
        byte[] memory = new byte[n + 16];
        Arrays.fill(memory, (byte) 0x77);
        code.coefficients(5, 6, index, MemorySegment.ofArray(memory), 7, n);
        byte[] expected = new byte[n + 16];
        Arrays.fill(expected, (byte) 0x77);
        System.arraycopy(draw(code, 5, 6, index, n), 0, expected, 7, n);
        assertThat(memory).isEqualTo(expected);
      }
    }
  }

  /** Every byte value of a dense code comes up as often as chance has it (χ², 255 degrees). */
  @Test
  void denseIsUniform() {
    int draws = 1 << 18;
    int[] counts = new int[256];
    for (int index = 0; index < draws / 256; index++) {
      for (byte coefficient : draw(new Code.Dense(), 3, 0, index, 256)) {
        counts[coefficient & 0xFF]++;
      }
    }
    double expected = draws / 256.0;
    double chiSquare = 0;
    for (int count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    // Mean 255, standard deviation √510 = 22.6: five of them either way.
    assertThat(chiSquare).isBetween(142.0, 368.0);
  }

  @Test
  void systematicBeginsWithTheSourceBlocks() {
    for (int index = 0; index < 20; index++) {
      byte[] unit = new byte[20];
      unit[index] = 1;
      assertThat(draw(new Code.Systematic(), 9, 1, index, 20)).isEqualTo(unit);
    }
    assertThat(draw(new Code.Systematic(), 9, 1, 20, 20))
        .isEqualTo(draw(new Code.Dense(), 9, 1, 20, 20));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1 / 256.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1})
  void sparseHasItsDensity(double density) {
    Code.Sparse code = Code.Sparse.ofDensity(density);
    assertThat(code.density()).isCloseTo(density, within(1 / 512.0 + 1 / 256.0));
    int n = 1000;
    int blocks = 400;
    int nonzero = 0;
    int[] counts = new int[256];
    for (int index = 0; index < blocks; index++) {
      for (byte coefficient : draw(code, 17, 4, index, n)) {
        nonzero += coefficient == 0 ? 0 : 1;
        counts[coefficient & 0xFF]++;
      }
    }
    double p = code.density();
    double deviation = Math.sqrt(n * (double) blocks * p * (1 - p));
    // All-zero vectors, e^(−3.9) of them at the lowest density, get one coefficient each.
    double filled = blocks * Math.pow(1 - p, n);
    assertThat((double) nonzero)
        .isCloseTo(n * (double) blocks * p + filled, within(5 * deviation + 1));
    // 1 stands for two of the 256 draws, every other nonzero value for one.
    assertThat((double) counts[1])
        .isCloseTo(nonzero * 2 / 256.0, within(5 * Math.sqrt(nonzero * 2 / 256.0)));
    assertThat((double) counts[255])
        .isCloseTo(nonzero / 256.0, within(5 * Math.sqrt(nonzero / 256.0)));
  }

  @Test
  void sparseIsNeverZero() {
    int[] positions = new int[3];
    for (int n = 1; n <= 3; n++) {
      for (int index = 0; index < 500; index++) {
        byte[] vector = draw(new Code.Sparse(0), 1, 0, index, n);
        int ones = 0;
        for (int j = 0; j < n; j++) {
          ones += vector[j] == 0 ? 0 : 1;
          positions[j] += n == 3 && vector[j] != 0 ? 1 : 0;
        }
        assertThat(ones).isPositive();
      }
    }
    // Filled in at each of three places alike: 500/3 ± five standard deviations of 10.5.
    for (int count : positions) {
      assertThat(count).isBetween(110, 225);
    }
  }

  @Test
  void pipelineReachesItsSequenceNumberAndNoFurther() {
    Code.Pipeline code = new Code.Pipeline(0.5);
    int n = 50;
    int zeros = 0;
    for (int index = 0; index < 200; index++) {
      int sequenceNumber = code.sequenceNumber(index, n);
      byte[] vector = draw(code, 4, 0, index, n);
      assertThat(vector[sequenceNumber]).isNotZero();
      for (int j = 0; j < n; j++) {
        if (j > sequenceNumber) {
          assertThat(vector[j]).isZero();
        } else {
          zeros += vector[j] == 0 ? 1 : 0;
        }
      }
    }
    // About 8,000 uniform coefficients: 31 zeros expected, and 0.4% of each reach.
    assertThat(zeros).isBetween(5, 80);
  }

  @Test
  void pipelineSpreadsItsRedundancy() {
    Code.Pipeline code = new Code.Pipeline(0.5);
    assertThat(sequenceNumbers(code, 4, 9)).containsExactly(0, 0, 1, 2, 2, 3, 3, 3, 3);
    assertThat(sequenceNumbers(new Code.Pipeline(0), 4, 6)).containsExactly(0, 1, 2, 3, 3, 3);
    assertThat(sequenceNumbers(new Code.Pipeline(1), 3, 6)).containsExactly(0, 0, 1, 1, 2, 2);
    assertThat(code.sequenceNumber(0xFFFF_FFFFL, 4096)).isEqualTo(4095);
  }

  private static int[] sequenceNumbers(Code.Pipeline code, int n, int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, index -> code.sequenceNumber(index, n));
    return numbers;
  }

  /**
   * Generators that are linear over GF(2), like xorshift, stall at the rank of their state, 64 or
   * 128. A random 512×512 matrix over GF(2^8) is regular with probability 0.996.
   */
  @Test
  void denseReachesFullRankAsOneStreamAndAsAStreamASeed() {
    int n = 512;
    Code code = new Code.Dense();
    assertThat(rank(n, row -> draw(code, 1, 0, row, n))).isEqualTo(n);
    assertThat(rank(n, row -> draw(code, row, 0, 0, n))).isEqualTo(n);
    assertThat(rank(n, row -> draw(code, 1, row, 0, n))).isEqualTo(n);
  }

  private interface Rows {
    byte[] row(int row);
  }

  private static int rank(int n, Rows rows) {
    try (Basis basis = ENGINE.eliminations().basis(Gf256.DEFAULT, n)) {
      for (int row = 0; row < n; row++) {
        basis.add(MemorySegment.ofArray(rows.row(row)));
      }
      return basis.rank();
    }
  }

  /**
   * m random vectors of length n have rank n with probability ∏ (1 − 256^(i − m)) over i = 0 … n −
   * 1: 0.99608 for m = n, 1 − 1.5·10⁻⁵ for m = n + 1, 1 − 6·10⁻⁸ for n + 2.
   */
  @Test
  void denseVectorsAreIndependentAtTheTheoreticalRate() {
    int n = 10;
    int trials = 20_000;
    int[] short0And1And2 = new int[3];
    for (int trial = 0; trial < trials; trial++) {
      try (Basis basis = ENGINE.eliminations().basis(Gf256.DEFAULT, n)) {
        for (int row = 0; row < n + 2; row++) {
          basis.add(MemorySegment.ofArray(draw(new Code.Dense(), 8, trial, row, n)));
          if (row >= n - 1 && basis.rank() < n) {
            short0And1And2[row - (n - 1)]++;
          }
        }
      }
    }
    double expected = trials * (1 - regularProbability(n));
    // Binomial, 78.4 expected with a standard deviation of 8.8: four of them either way.
    assertThat((double) short0And1And2[0]).isCloseTo(expected, within(4 * Math.sqrt(expected)));
    // 0.3 expected: five or more come up once in ten thousand runs of fair draws.
    assertThat(short0And1And2[1]).isLessThan(5);
    assertThat(short0And1And2[2]).isZero();
  }

  private static double regularProbability(int n) {
    double probability = 1;
    for (int i = 1; i <= n; i++) {
      probability *= 1 - Math.pow(256, -i);
    }
    return probability;
  }

  @Test
  void rejectsValuesOutOfRange() {
    MemorySegment vector = Shapes.zeros(4);
    assertThatIllegalArgumentException().isThrownBy(() -> new Code.Sparse(256));
    assertThatIllegalArgumentException().isThrownBy(() -> new Code.Sparse(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Code.Sparse.ofDensity(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Code.Sparse.ofDensity(1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> Code.Sparse.ofDensity(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> new Code.Pipeline(-0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Code.Pipeline(Double.NaN));
    for (Code code : codes()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> code.coefficients(0, -1, 0, vector))
          .withMessageContaining("generation -1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> code.coefficients(0, 0, 1L << 32, vector))
          .withMessageContaining("index 4294967296");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new CodingVector.Seeded(1, -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodingVector.Source(4).expand(new Code.Dense(), 0, vector));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodingVector.Source(-1).expand(new Code.Dense(), 0, vector));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodingVector.Pipelined(4, 0, 0).expand(new Code.Dense(), 0, vector));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 0, 1))
        .withMessageContaining("generation size 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4097, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 1, 0));
  }

  /** A block's own description of itself gives the coefficients that the code drew. */
  @ParameterizedTest
  @MethodSource("codes")
  void vectorsDescribeThemselves(Code code) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 30, 8);
    for (long index : new long[] {0, 1, 29, 30, 31, 500, 0xFFFF_FFFFL}) {
      byte[] described = new byte[30];
      CodingVector.of(shape, 99, index).expand(code, 12, MemorySegment.ofArray(described));
      assertThat(described).isEqualTo(draw(code, 99, 12, index, 30));
    }
  }
}

package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Any n of the first 256 blocks of the Cauchy code decode a generation. */
class CauchyTest {

  private static final Code CODE = new Code.Cauchy();
  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static MemorySegment vector(int index, int n) {
    MemorySegment vector = MemorySegment.ofArray(new byte[n]);
    CODE.coefficients(1, 2, index, vector);
    return vector;
  }

  private static int rank(Basis basis, int n, int[] indices) {
    basis.clear();
    for (int index : indices) {
      basis.add(vector(index, n));
    }
    return basis.rank();
  }

  /** Every subset of n of the first N blocks, by the bits of a number. */
  @ParameterizedTest
  @CsvSource({"1, 12", "2, 14", "3, 14", "4, 13", "5, 12", "7, 14"})
  void everySubsetOfAFewBlocksIsIndependent(int n, int all) {
    int subsets = 0;
    try (Basis basis = ENGINE.eliminations().basis(Gf256.DEFAULT, n)) {
      for (int bits = 0; bits < 1 << all; bits++) {
        if (Integer.bitCount(bits) == n) {
          int chosen = bits;
          int[] indices =
              IntStream.range(0, all).filter(block -> (chosen >> block & 1) != 0).toArray();
          assertThat(rank(basis, n, indices))
              .as("blocks %s", Arrays.toString(indices))
              .isEqualTo(n);
          subsets++;
        }
      }
    }
    assertThat(subsets).isPositive();
  }

  /** One coded block replaces any source block. */
  @ParameterizedTest
  @ValueSource(ints = {128, 255})
  void noCoefficientIsZero(int n) {
    for (int index = n; index < Code.Cauchy.MAX_BLOCKS; index++) {
      for (byte coefficient : vector(index, n).toArray(ValueLayout.JAVA_BYTE)) {
        assertThat(coefficient).as("block %d", index).isNotZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 100, 128, 200, 255, 256})
  void randomSubsetsOfManyBlocksAreIndependent(int n) {
    Random random = new Random(n);
    List<Integer> all =
        IntStream.range(0, Code.Cauchy.MAX_BLOCKS).boxed().collect(Collectors.toList());
    try (Basis basis = ENGINE.eliminations().basis(Gf256.DEFAULT, n)) {
      for (int trial = 0; trial < 10; trial++) {
        Collections.shuffle(all, random);
        int[] indices = all.stream().limit(n).mapToInt(Integer::intValue).toArray();
        assertThat(rank(basis, n, indices)).isEqualTo(n);
      }
    }
  }

  /** Only coded blocks: a product and a decoding give the source blocks again. */
  @Test
  void codedBlocksAloneDecode() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, CODE, 100, 33);
    Random random = new Random(5);
    MemorySegment source = Shapes.bytes(random, shape.bytes());
    MemorySegment decoded = Shapes.zeros(shape.bytes());
    try (Encoder encoder = new Encoder(ENGINE, shape, 3, 9, source);
        BatchDecoder decoder = new BatchDecoder(ENGINE, shape, ByteMatrices.of(decoded, 100, 33))) {
      decoder.reset(3, 1);
      for (int index = 156; index < 256; index++) {
        assertThat(decoder.add(encoder.block(index))).isTrue();
      }
      assertThat(decoder.decode()).containsExactly(100);
    }
    assertThat(decoded.mismatch(source)).isEqualTo(-1);
  }

  /** Seed and generation do not matter below 256; from there on blocks are random ones. */
  @Test
  void blocksFrom256OnAreDense() {
    assertThat(CODE.isDense(255, 10)).isFalse();
    assertThat(CODE.isDense(256, 10)).isTrue();
    byte[] own = new byte[10];
    byte[] dense = new byte[10];
    CODE.coefficients(7, 8, 256, MemorySegment.ofArray(own));
    new Code.Dense().coefficients(7, 8, 256, MemorySegment.ofArray(dense));
    assertThat(own).isEqualTo(dense);
    byte[] repair = new byte[10];
    CODE.coefficients(7, 8, 255, MemorySegment.ofArray(repair));
    assertThat(MemorySegment.ofArray(repair).mismatch(vector(255, 10))).isEqualTo(-1);
  }

  @Test
  void largerGenerationsAndOtherFieldsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationShape(Gf256.DEFAULT, CODE, 257, 8))
        .withMessage("generation size 257 is not in 1…256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationShape(Gf256.RIJNDAEL, CODE, 4, 8))
        .withMessage("the cauchy code is not defined over GF(2^8)/0x11B");
  }
}

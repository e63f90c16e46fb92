package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Decodes larger systems than the conformance suite and compares them with the CPU. */
public final class DecodingChecks {

  private static final Gf256 FIELD = Gf256.RIJNDAEL;
  private static final int SPARSE = 3;

  private final SplittableRandom random = new SplittableRandom(11);
  private final Function<String, Engine> gpu;

  /**
   * @param gpu opens an engine on GPU 0, which these checks close
   */
  public DecodingChecks(Function<String, Engine> gpu) {
    this.gpu = gpu;
  }

  /** Blocks that arrive are eliminated as on the processor. */
  public void blocksAreEliminatedAsOnTheProcessor(String spec, int n, int k) {
    try (Engine engine = gpu.apply(spec);
        Engine oracle = Engine.open("cpu");
        ProgressiveElimination here = engine.progressive(FIELD, n, k);
        ProgressiveElimination there = oracle.progressive(FIELD, n, k)) {
      assertThat(here.getClass().getPackageName()).contains(".cuda");
      for (boolean sparse : new boolean[] {true, false}) {
        ByteMatrices sources = random(1, n, k);
        for (int arrival = 0; here.rank() < n || arrival < n + 3; arrival++) {
          // Sparse ones may take long to be whole.
          byte[] vector = vector(n, sparse && arrival < n);
          MemorySegment payload = combination(oracle, vector, sources);
          arrive(here, there, MemorySegment.ofArray(vector), payload);
        }
        assertThat(here.solved()).isEqualTo(n);
        ByteMatrices read = random(1, n, k);
        here.read(0, read);
        assertThat(read.data().mismatch(sources.data())).isEqualTo(-1);
        here.clear();
        there.clear();
        assertThat(here.rank() + here.solved()).isZero();
      }
    }
  }

  private void arrive(
      ProgressiveElimination here,
      ProgressiveElimination there,
      MemorySegment vector,
      MemorySegment payload) {
    assertThat(here.isInnovative(vector)).isEqualTo(there.isInnovative(vector));
    assertThat(here.add(vector, payload)).isEqualTo(there.add(vector, payload));
    assertThat(here.rank()).isEqualTo(there.rank());
    assertThat(here.solved()).isEqualTo(there.solved());
    int source = random.nextInt(here.blocks());
    assertThat(here.isSolved(source)).isEqualTo(there.isSolved(source));
    if (here.isSolved(source)) {
      MemorySegment block = MemorySegment.ofArray(new byte[here.blockSize()]);
      MemorySegment expected = MemorySegment.ofArray(new byte[here.blockSize()]);
      here.read(source, block);
      there.read(source, expected);
      assertThat(block.mismatch(expected)).isEqualTo(-1);
    }
  }

  /** Vectors may be shorter than the number of blocks. */
  public void shortVectorsEndInZeros(String spec) {
    try (Engine engine = gpu.apply(spec);
        ProgressiveElimination system = engine.progressive(FIELD, 40, 8)) {
      byte[] long40 = vector(40, false);
      assertThat(system.add(MemorySegment.ofArray(long40), block(8))).isTrue();
      assertThat(system.add(MemorySegment.ofArray(new byte[] {0, 7}), block(8))).isTrue();
      assertThat(system.isSolved(1)).isTrue();
      assertThat(system.add(MemorySegment.ofArray(new byte[] {0, 9}), block(8))).isFalse();
      assertThat(system.rank()).isEqualTo(2);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> system.add(MemorySegment.ofArray(new byte[41]), block(8)))
          .withMessageContaining("41 coefficients, expected at most 40");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> system.add(MemorySegment.ofArray(long40), block(9)));
      assertThatIllegalStateException()
          .isThrownBy(() -> system.read(0, block(8)))
          .withMessageContaining("source block 0");
      assertThat(system.rank()).isEqualTo(2);
    }
  }

  /** Frames are solved as they arrive. */
  public void framesAreSolvedAsTheyArrive(String spec, int n, int k) {
    ByteMatrices lower = lower(1, n);
    ByteMatrices rights = random(1, n, k);
    ByteMatrices expected = solved(lower, rights);
    try (Engine engine = gpu.apply(spec);
        Substitution substitution = engine.substitutions().open(FIELD, n, k)) {
      MemorySegment block = MemorySegment.ofArray(new byte[k]);
      for (int s = 0; s < n; s++) {
        substitution.next(lower.row(0, s), rights.row(0, s), block);
        assertThat(block.mismatch(expected.row(0, s))).isEqualTo(-1);
      }
    }
  }

  /** Whole generations are solved at once. */
  public void generationsAreSolvedAtOnce(String spec, int count, int n, int k) {
    ByteMatrices lower = lower(count, n);
    ByteMatrices rights = random(count, n, k);
    ByteMatrices expected = solved(lower, rights);
    ByteMatrices actual = random(count, n, k);
    try (Engine engine = gpu.apply(spec)) {
      engine.substitutions().solve(FIELD, lower, rights, actual);
    }
    assertThat(actual.data().mismatch(expected.data())).isEqualTo(-1);
  }

  /**
   * Resident blocks are solved that a product has had laid out for the tensor cores, in any order.
   */
  public void residentGenerationsAreSolvedInOrder(String spec) {
    int n = 20;
    int k = 150;
    ByteMatrices lower = lower(3, n);
    ByteMatrices rights = random(3, n, k);
    ByteMatrices expected = solved(lower, rights);
    ByteMatrices stored = random(4, n + 2, k);
    int[] order = new int[3 * n];
    for (int i = 0; i < order.length; i++) {
      int g = i / n;
      // In the order that they came, backwards from the middle on, and every fifth.
      int s = i % n;
      order[i] = g == 0 ? s + 1 : g == 1 ? s < n / 2 ? s : n + n / 2 - s : s * 5 % (n + 2);
      stored.row(1 + g, order[i]).copyFrom(rights.row(g, s));
    }
    ByteMatrices actual = random(3, n, k);
    try (Engine engine = gpu.apply(spec);
        ResidentBlocks blocks = engine.load(FIELD, stored)) {
      RandomCoefficients draws = new RandomCoefficients(1, 0, 0, 0, 4, 2, n + 2);
      blocks.multiply(0, draws, random(4, 2, k));
      engine.substitutions().solve(lower, blocks, 1, order, actual);
    }
    assertThat(actual.data().mismatch(expected.data())).isEqualTo(-1);
  }

  private byte[] vector(int n, boolean sparse) {
    byte[] vector = new byte[n];
    if (sparse) {
      for (int i = 0; i < SPARSE; i++) {
        vector[random.nextInt(n)] = (byte) random.nextInt(256);
      }
    } else {
      random.nextBytes(vector);
      vector[random.nextInt(n)] = 1;
    }
    return vector;
  }

  private static MemorySegment combination(Engine oracle, byte[] vector, ByteMatrices sources) {
    ByteMatrices payload = ByteMatrices.of(block(sources.columns()), 1, sources.columns());
    ByteMatrices coefficients = ByteMatrices.of(MemorySegment.ofArray(vector), 1, vector.length);
    oracle.products().multiply(FIELD, coefficients, sources, payload);
    return payload.data();
  }

  private static MemorySegment block(int bytes) {
    return MemorySegment.ofArray(new byte[bytes]);
  }

  private ByteMatrices lower(int count, int n) {
    ByteMatrices lower = random(count, n, n);
    for (int g = 0; g < count; g++) {
      for (int i = 0; i < n; i++) {
        lower.row(g, i).set(ValueLayout.JAVA_BYTE, i, (byte) (1 + random.nextInt(255)));
      }
    }
    return lower;
  }

  private ByteMatrices solved(ByteMatrices lower, ByteMatrices rights) {
    ByteMatrices solved = random((int) rights.count(), rights.rows(), rights.columns());
    try (Engine oracle = Engine.open("cpu")) {
      oracle.substitutions().solve(FIELD, lower, rights, solved);
    }
    return solved;
  }

  private ByteMatrices random(int count, int rows, int columns) {
    byte[] bytes = new byte[count * rows * columns];
    random.nextBytes(bytes);
    return ByteMatrices.packed(MemorySegment.ofArray(bytes), count, rows, columns);
  }
}

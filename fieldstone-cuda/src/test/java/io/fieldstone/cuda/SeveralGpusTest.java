package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf2Modulus;
import io.fieldstone.testing.TestLength;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests two GPUs as one engine. */
@Execution(ExecutionMode.CONCURRENT)
class SeveralGpusTest {

  private static final int GENERATIONS = 40;

  private final FakeGpu gpus = new FakeGpu(2);

  @BeforeEach
  void offer() {
    FakeGpusProvider.offer(gpus);
  }

  @AfterEach
  void noMemoryIsLeft() {
    FakeGpusProvider.withdraw();
    assertThat(gpus.driver().leaks()).isEmpty();
    gpus.close();
  }

  @Test
  void theyAgreeWithTheDefinition() {
    try (Engine engine = open("fake:0+fake:1+cpu:scalar@columns")) {
      assertThat(Conformance.of(engine).oneIn(TestLength.oneIn(12)).run(1))
          .allMatch(CheckResult::passed);
    }
  }

  @Test
  void sharesOfGenerationsAgreeWithTheDefinition() {
    try (Engine engine = open("fake:0+fake:1:tensor@generations=0.5")) {
      assertThat(Conformance.ofBlocks(engine).oneIn(TestLength.oneIn(12)).run(1))
          .allMatch(CheckResult::passed);
    }
  }

  /** Memory pinned by the first GPU is pinned for the second: neither uses staging memory. */
  @Test
  void memoryOfTheEngineIsDirectForEveryGpu() {
    try (Engine engine = open("fake:0+fake:1@generations=0.5");
        RandomProducts products = new RandomProducts(engine, true)) {
      ByteMatrices sources = products.matrices(GENERATIONS, 8, 8192, 0, 0);
      ByteMatrices target = products.matrices(GENERATIONS, 8, 8192, 0, 0);
      engine.allocate(Gf256.DEFAULT, 1, 8, 64).close(); // which makes tables of the field
      int before = allocations();
      products.check(products.draws(GENERATIONS, 8, 8), sources, target);
      assertThat(allocations()).isEqualTo(before);
    }
  }

  /** Results that a GPU made are copied to the other when that needs them, and only then. */
  @Test
  void blocksAreCopiedOnceAtMost() {
    try (Engine engine = open("fake:0+fake:1@generations=0.5");
        RandomProducts products = new RandomProducts(engine, true);
        ResidentBlocks sources =
            engine.load(Gf256.DEFAULT, products.matrices(GENERATIONS, 8, 512, 0, 0));
        ResidentBlocks made = engine.allocate(Gf256.DEFAULT, GENERATIONS, 8, 512);
        ResidentBlocks further = engine.allocate(Gf256.DEFAULT, GENERATIONS, 8, 512)) {
      RandomCoefficients draws = products.draws(GENERATIONS, 8, 8);
      sources.multiply(0, draws, made, 0);
      int downloads = downloads();
      made.multiply(0, draws, further, 0);
      assertThat(downloads()).isEqualTo(downloads);
      // The first GPU takes the first half, which the second has made.
      made.multiply(GENERATIONS / 2, draws.matrices(0, GENERATIONS / 2), further, 0);
      assertThat(downloads()).isGreaterThan(downloads);
      int copied = downloads();
      made.multiply(GENERATIONS / 2, draws.matrices(0, GENERATIONS / 2), further, 0);
      assertThat(downloads()).isEqualTo(copied);
    }
  }

  /** Bytes that one GPU has changed go to the other from GPU to GPU. */
  @Test
  void changedBytesAreCopiedBetweenTheGpus() {
    sortAndDivideResident();
    assertThat(gpus.driver().calls())
        .containsEntry("cuCtxEnablePeerAccess", 1)
        .containsEntry("cuMemcpyPeerAsync", 1);
  }

  @Test
  void changedBytesAreCopiedThroughTheHostWhereThereIsNoOtherWay() {
    gpus.driver().apart();
    sortAndDivideResident();
    assertThat(gpus.driver().calls()).doesNotContainKey("cuCtxEnablePeerAccess");
  }

  /** Sorts on the first GPU; both GPUs then divide the sorted bytes. */
  private void sortAndDivideResident() {
    int[] keys = new SplittableRandom(5).ints(60_000).toArray();
    int[] sorted = Arrays.stream(keys).sorted().toArray();
    Divisor divisor = new Divisor(Gf2Modulus.of(32, 0x04C11DB7L), true);
    try (Engine engine = open("fake:0+fake:1@columns=0.5");
        ResidentBytes records = engine.loadBytes(MemorySegment.ofArray(keys))) {
      engine.sorts().sorting(RecordFormat.of(KeyType.I32)).sort(records, 0, records.byteSize());
      Division division = engine.checksums().division(divisor);
      assertThat(division.append(1, records, 0, records.byteSize()))
          .isEqualTo(division.append(1, MemorySegment.ofArray(sorted)));
    }
  }

  /** Runs of points go to both, and are handed out in order, by one of them at a time. */
  @Test
  void starsAreSharedAndComeInOrder() {
    StarField field = lattice(30);
    try (Engine engine = open("fake:0+fake:1");
        StarSearch search = engine.stars().search(field)) {
      assertThat(engine.stars().methods(field)).containsExactly("lanes", "preferred");
      List<Integer> firsts = new ArrayList<>();
      Set<Thread> threads = new HashSet<>();
      long[] stars = {0};
      search.enumerate(batch -> {
        firsts.add(((StarBatch.PairBits) batch).first());
        threads.add(Thread.currentThread());
        stars[0] += batch.stars();
      });
      assertThat(firsts).hasSizeGreaterThan(2).isSorted().doesNotHaveDuplicates();
      assertThat(threads).hasSizeLessThanOrEqualTo(2);
      assertThat(search.count()).isEqualTo(stars[0]).isPositive();
      assertThat(search.method()).isEqualTo("preferred");
    }
  }

  @Test
  void aSinkThatThrowsEndsTheSearchOfBoth() {
    StarField field = lattice(30);
    try (Engine engine = open("fake:0+fake:1");
        StarSearch search = engine.stars().search(field)) {
      int[] calls = {0};
      IOException full = new IOException("full");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() ->
              search.<IOException>enumerate(batch -> {
                calls[0]++;
                if (calls[0] == 3) {
                  throw full;
                }
              }))
          .isSameAs(full);
      assertThat(calls[0]).isEqualTo(3);
      assertThat(search.count()).isPositive();
    }
  }

  /** Points R / 2 apart, in the order of their cells. */
  private static StarField lattice(int side) {
    double[][] points =
        IntStream.range(0, side * side)
            .mapToObj(at -> new double[] {at % side, at / side})
            .sorted(
                Comparator.comparingLong((double[] at) -> (long) at[1] / 4 * side)
                    .thenComparingLong(at -> (long) at[0] / 4))
            .toArray(double[][]::new);
    return new StarField(
        Arrays.stream(points).mapToDouble(at -> at[0]).toArray(),
        Arrays.stream(points).mapToDouble(at -> at[1]).toArray(),
        2,
        StarRule.CIRCUMCIRCLE);
  }

  private int allocations() {
    return gpus.driver().calls().getOrDefault("cuMemHostAlloc", 0);
  }

  private int downloads() {
    return gpus.driver().calls().getOrDefault("cuMemcpyDtoHAsync_v2", 0);
  }

  private static Engine open(String spec) {
    return Engine.open(spec, new EngineOptions(2));
  }
}

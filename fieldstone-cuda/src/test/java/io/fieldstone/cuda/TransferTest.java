package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Computes products large enough to be split into concurrent pieces. */
class TransferTest {

  /** Checks that consecutive direct copies do not wait for a host thread. */
  @ParameterizedTest
  @CsvSource({"true, 7", "false, 3"})
  void allPiecesAreEnqueuedAtOnceUnlessTheHostCopies(boolean pinned, int launched) {
    List<Integer> launches = new ArrayList<>();
    try (FakeGpu gpu = FakeGpu.lazy()) {
      gpu.driver().kernel("product_loop_tile", 112, (shape, struct) -> launches.add(launches(gpu)));
      multiply(gpu, pinned, launched, launches);
    }
  }

  private static void multiply(FakeGpu gpu, boolean pinned, int launched, List<Integer> launches) {
    try (Engine engine = gpu.open("cuda:0:loop-tile");
        RandomProducts products = new RandomProducts(engine, pinned)) {
      engine.allocate(Gf256.DEFAULT, 1, 8, 64).close(); // which makes tables of the field
      int before = launches(gpu);
      ByteMatrices sources = products.matrices(7, 8, 256 << 10, 0, 0);
      ByteMatrices coefficients = products.matrices(7, 8, 8, 0, 0);
      ByteMatrices target = products.matrices(7, 8, 256 << 10, 0, 0);
      engine.products().multiply(Gf256.DEFAULT, coefficients, sources, target);
      assertThat(launches).hasSize(7);
      assertThat(launches.getFirst() - before).isEqualTo(launched);
    }
  }

  private static int launches(FakeGpu gpu) {
    return gpu.driver().calls().getOrDefault("cuLaunchKernel", 0);
  }

  /** Returns shapes with different transfers: whole generations, columns, with and without gaps. */
  @ParameterizedTest
  @CsvSource({
    // many generations in one run of bytes, with padded rows, padded matrices, both
    "cuda:0, true, 40, 8, 8, 8192, 0, 0",
    "cuda:0:loop-tile, true, 40, 8, 8, 8192, 0, 0",
    "cuda:0:tensor-warps, true, 40, 8, 8, 8192, 40, 0",
    "cuda:0, true, 40, 8, 8, 8192, 0, 64",
    "cuda:0, true, 9, 19, 23, 16400, 5, 7",
    // short rows with gaps, and many small matrices that are not adjacent
    "cuda:0, true, 3000, 8, 8, 100, 3, 50",
    "cuda:0:loop-tile, true, 9000, 3, 9, 64, 0, 13",
    // one generation, cut by columns
    "cuda:0, true, 1, 8, 8, 600001, 0, 0",
    "cuda:0:tensor-warps, true, 1, 8, 8, 600001, 0, 0",
    "cuda:0:loop-tile, true, 2, 5, 70, 70007, 11, 3",
    // pageable memory
    "cuda:0, false, 40, 8, 8, 8192, 0, 0",
    "cuda:0, false, 9, 19, 23, 16400, 5, 7",
    "cuda:0, false, 1, 8, 8, 600001, 0, 0",
    // empty products, products of one row
    "cuda:0, true, 20, 5, 0, 70000, 3, 2",
    "cuda:0, true, 30, 1, 16, 9000, 3, 2"
  })
  void productsAreCorrectAndNoOtherBytesChange(
      String spec, boolean pinned, long count, int m, int n, int k, int rowGap, int matrixGap) {
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open(spec);
        RandomProducts products = new RandomProducts(engine, pinned)) {
      ByteMatrices sources = products.matrices(count, n, k, rowGap, matrixGap);
      ByteMatrices given = products.matrices(count, m, n, 1, 1);
      ByteMatrices target = products.matrices(count, m, k, rowGap, matrixGap);
      products.check(given, sources, target);
      products.checkResident(products.draws(count, m, n), sources, target);
    }
  }

  /** Systems of several pieces, with singular ones within them and at their ends. */
  @ParameterizedTest
  @CsvSource({
    "cuda:0, true, 100, 8, 8192, 0, 0",
    "cuda:0, true, 70, 8, 8192, 40, 64",
    "cuda:0:tensor-warps, true, 70, 8, 8192, 0, 0",
    "cuda:0, false, 100, 8, 8192, 0, 0",
    // each of several systems cut by columns, of which one that has no solution
    "cuda:0, true, 3, 8, 600001, 3, 5"
  })
  void solutionsAreRightAndThoseOfSingularSystemsAreNotTouched(
      String spec, boolean pinned, int count, int n, int k, int rowGap, int matrixGap) {
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open(spec);
        RandomProducts products = new RandomProducts(engine, pinned)) {
      ByteMatrices coefficients = products.matrices(count, n, n, 1, 1);
      for (int g : new int[] {1, 31, 32, count - 1}) {
        if (g > 0 && g < count) {
          coefficients.row(g, 1).copyFrom(coefficients.row(g, 0));
        }
      }
      ByteMatrices rights = products.matrices(count, n, k, rowGap, matrixGap);
      ByteMatrices solutions = products.matrices(count, n, k, rowGap, matrixGap);
      int[] ranks = products.checkSolutions(coefficients, rights, solutions);
      if (count > 1) {
        assertThat(ranks[count - 1]).isEqualTo(n - 1);
      }
      products.checkSolutions(products.draws(count, n, n), rights, solutions);
    }
  }

  /**
   * Checks that ranks are not copied: the copy would queue behind those of solutions and delay the
   * next product.
   */
  @Test
  void onlySolutionsAreDownloaded() {
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open("cuda:0");
        RandomProducts products = new RandomProducts(engine, true)) {
      ByteMatrices identities = products.matrices(96, 8, 8, 0, 0);
      for (int g = 0; g < 96; g++) {
        for (int row = 0; row < 8; row++) {
          identities.row(g, row).fill((byte) 0).set(ValueLayout.JAVA_BYTE, row, (byte) 1);
        }
      }
      ByteMatrices rights = products.matrices(96, 8, 8192, 0, 0);
      int before = downloads(gpu);
      products.checkSolutions(identities, rights, products.matrices(96, 8, 8192, 0, 0));
      assertThat(downloads(gpu) - before).isEqualTo(3);
    }
  }

  private static int downloads(FakeGpu gpu) {
    return gpu.driver().calls().getOrDefault("cuMemcpyDtoHAsync_v2", 0);
  }
}

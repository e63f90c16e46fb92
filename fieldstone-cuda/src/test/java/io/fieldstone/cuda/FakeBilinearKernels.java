package io.fieldstone.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.Struct.Matrices;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Java versions of the kernels of {@code product_bilinear.cu}. The bit planes are private to the
 * kernels, so the fake kernels store plain bytes in their memory, and the polynomial as the
 * formula.
 */
final class FakeBilinearKernels {

  private static final int TILE = 256;

  private static final String FORMULA = "BilinearFormulaArguments";
  private static final String PLANES = "BilinearPlanesArguments";
  private static final String TILE_PLANES = "BilinearTilePlanesArguments";
  private static final String MULTIPLY = "BilinearMultiplyArguments";

  private FakeBilinearKernels() {}

  static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel("bilinear_formula", bytes(FORMULA), (_, struct) -> formula(struct))
        .kernel("bilinear_coefficient_planes", bytes(PLANES), (_, s) -> coefficients(s))
        .kernel("bilinear_tile_planes", bytes(TILE_PLANES), (_, struct) -> sources(struct))
        .kernel("bilinear_multiply", bytes(MULTIPLY), (_, struct) -> multiply(struct));
  }

  private static void formula(MemorySegment memory) {
    Struct struct = new Struct(memory, FORMULA);
    ALL.set(JAVA_INT, struct.int64("formula"), struct.int32("polynomial"));
  }

  private static void coefficients(MemorySegment memory) {
    Struct struct = new Struct(memory, PLANES);
    Matrices bytes = struct.matrices("bytes");
    long planes = struct.int64("planes");
    long pitch = struct.int64("planes_pitch");
    long count = struct.int64("count");
    int m = struct.int32("rows");
    int n = struct.int32("columns");
    requirePitch(pitch, m, n);
    for (long g = 0; g < count; g++) {
      for (int i = 0; i < m; i++) {
        MemorySegment.copy(ALL, bytes.row(g, i), ALL, planes + g * pitch + (long) i * n, n);
      }
    }
  }

  private static void sources(MemorySegment memory) {
    Struct struct = new Struct(memory, TILE_PLANES);
    long tiles = struct.int64("tiles");
    long tilesPitch = struct.int64("tiles_pitch");
    long planes = struct.int64("planes");
    long pitch = struct.int64("planes_pitch");
    long count = struct.int64("count");
    int n = struct.int32("n");
    int k = struct.int32("k");
    int steps = struct.int32("tile_steps");
    requirePitch(pitch, k, n);
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < n; row++) {
        for (int column = 0; column < k; column++) {
          byte source =
              ALL.get(JAVA_BYTE, tiles + g * tilesPitch + FakeKernels.inTiles(row, column, steps));
          ALL.set(JAVA_BYTE, planes + g * pitch + (long) row * k + column, source);
        }
      }
    }
  }

  private static void requirePitch(long pitch, int side, int n) {
    if (pitch != Math.ceilDiv(side, TILE) * 24L * Math.ceilDiv(n, TILE) * 8192) {
      throw new AssertionError(
          "the planes of %d by %d take other than %d".formatted(side, n, pitch));
    }
  }

  private static void multiply(MemorySegment memory) {
    Struct struct = new Struct(memory, MULTIPLY);
    long coefficients = struct.int64("coefficients");
    long coefficientPitch = struct.int64("coefficients_pitch");
    long sources = struct.int64("sources");
    long sourcePitch = struct.int64("sources_pitch");
    Matrices products = struct.matrices("products");
    Gf256 field = Gf256.of(ALL.get(JAVA_INT, struct.int64("formula")));
    long count = struct.int64("count");
    int m = struct.int32("m");
    int n = struct.int32("n");
    int k = struct.int32("k");
    for (long g = 0; g < count; g++) {
      for (int i = 0; i < m; i++) {
        for (int column = 0; column < k; column++) {
          int sum = 0;
          for (int j = 0; j < n; j++) {
            int c = ALL.get(JAVA_BYTE, coefficients + g * coefficientPitch + (long) i * n + j);
            int x = ALL.get(JAVA_BYTE, sources + g * sourcePitch + (long) j * k + column);
            sum ^= field.multiply(c & 0xFF, x & 0xFF);
          }
          ALL.set(JAVA_BYTE, products.row(g, i) + column, (byte) sum);
        }
      }
    }
  }
}

package io.fieldstone.cuda;

import static io.fieldstone.cuda.GpuMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.Struct.Matrices;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Java versions of the kernels of {@code product_bilinear.cu}. The bit planes are private to the
 * kernels, so the twins store plain bytes in their memory, and the polynomial as the formula.
 */
final class BilinearTwins {

  private static final int TILE = 256;

  private BilinearTwins() {}

  static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel("bilinear_formula", 16, (_, struct) -> formula(new Struct(struct)))
        .kernel("bilinear_coefficient_planes", 64, (_, s) -> coefficients(new Struct(s)))
        .kernel("bilinear_tile_planes", 64, (_, struct) -> sources(new Struct(struct)))
        .kernel("bilinear_multiply", 88, (_, struct) -> multiply(new Struct(struct)));
  }

  private static void formula(Struct struct) {
    ALL.set(JAVA_INT, struct.int64(), struct.int32());
  }

  private static void coefficients(Struct struct) {
    Matrices bytes = struct.matrices();
    long planes = struct.int64();
    long pitch = struct.int64();
    struct.int64();
    long count = struct.int64();
    int m = struct.int32();
    int n = struct.int32();
    requirePitch(pitch, m, n);
    for (long g = 0; g < count; g++) {
      for (int i = 0; i < m; i++) {
        MemorySegment.copy(ALL, bytes.row(g, i), ALL, planes + g * pitch + (long) i * n, n);
      }
    }
  }

  private static void sources(Struct struct) {
    long tiles = struct.int64();
    long tilesPitch = struct.int64();
    long planes = struct.int64();
    long pitch = struct.int64();
    struct.int64();
    long count = struct.int64();
    int n = struct.int32();
    int k = struct.int32();
    int steps = struct.int32();
    requirePitch(pitch, k, n);
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < n; row++) {
        for (int column = 0; column < k; column++) {
          byte source =
              ALL.get(JAVA_BYTE, tiles + g * tilesPitch + KernelTwins.inTiles(row, column, steps));
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

  private static void multiply(Struct struct) {
    long coefficients = struct.int64();
    long coefficientPitch = struct.int64();
    long sources = struct.int64();
    long sourcePitch = struct.int64();
    Matrices products = struct.matrices();
    Gf256 field = Gf256.of(ALL.get(JAVA_INT, struct.int64()));
    long count = struct.int64();
    int m = struct.int32();
    int n = struct.int32();
    int k = struct.int32();
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

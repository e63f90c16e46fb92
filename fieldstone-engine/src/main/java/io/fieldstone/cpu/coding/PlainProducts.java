package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.coding.WordKernel.PlainRows;
import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * Multiplies on the calling thread in memory that the JDK checks at each access, where the JVM
 * denies native access.
 */
public final class PlainProducts implements Products {

  /** Multiplies one matrix in memory of any kind, as {@link ProductKernel} does by address. */
  private interface Kernel {
    void multiply(int m, int n, int k, PlainRows factors, PlainRows sources, PlainRows products);
  }

  private final Function<Gf256, Kernel> kernels;

  private PlainProducts(Function<Gf256, Kernel> kernels) {
    this.kernels = kernels;
  }

  /** Returns products of eight symbols of a word at a time. */
  public static PlainProducts words() {
    return new PlainProducts(field -> {
      WordKernel kernel = new WordKernel(field);
      return (m, n, k, factors, sources, products) ->
          kernel.multiply(m, n, k, factors, sources, products, false);
    });
  }

  /** Returns products by log and exp tables, a byte at a time: the oracle. */
  public static PlainProducts tables() {
    return new PlainProducts(field ->
        (m, n, k, factors, sources, products) -> {
          for (int i = 0; i < m; i++) {
            for (int c = 0; c < k; c++) {
              int sum = 0;
              for (int j = 0; j < n; j++) {
                sum ^= field.multiply(factors.byteAt(i, j), sources.byteAt(j, c));
              }
              products.data().set(JAVA_BYTE, products.at(i) + c, (byte) sum);
            }
          }
        });
  }

  @Override
  public void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    CodingPreconditions.requireProduct(coefficients, sources, products);
    NativeRows.requireWritable(products.data());
    int m = products.rows();
    int n = sources.rows();
    int k = products.columns();
    Kernel kernel = kernels.apply(field);
    if (k > 0) {
      for (long g = 0; g < products.count(); g++) {
        kernel.multiply(
            m,
            n,
            k,
            PlainRows.of(written(coefficients.matrices(g, 1)), 0),
            PlainRows.of(sources, g),
            PlainRows.of(products, g));
      }
    }
  }

  /** Returns one matrix of given coefficients, or of random ones after drawing them. */
  static ByteMatrices written(Coefficients coefficients) {
    return switch (coefficients) {
      case ByteMatrices given -> given;
      case RandomCoefficients draws -> {
        byte[] drawn = new byte[Math.multiplyExact(draws.rows(), draws.columns())];
        ByteMatrices matrix =
            ByteMatrices.packed(MemorySegment.ofArray(drawn), 1, draws.rows(), draws.columns());
        draws.write(matrix);
        yield matrix;
      }
    };
  }
}

package io.fieldstone.cpu;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Products;
import io.fieldstone.field.Gf256;
import java.lang.ref.Reference;

/**
 * Splits products over the workers: by matrix where there are many, else by columns (Nuclei, Sec.
 * IV-D), else by coded block.
 */
final class CpuProducts implements Products {

  /** Below this many multiplications another thread's help costs more than it gives. */
  private static final long WORTH_SPLITTING = 4L << 20;

  /** Least columns of a task: shorter rows spend their time in loop overhead. */
  private static final int LEAST_COLUMNS = 1024;

  /** Least rows of a task: fewer make the kernel read each source for too few results. */
  private static final int LEAST_ROWS = 8;

  /** Tasks for each thread, so that a thread that was held up does not hold up the rest. */
  private static final int TASKS_PER_THREAD = 4;

  private final Kernels kernels;
  private final Workers workers;

  CpuProducts(Kernels kernels, Workers workers) {
    this.kernels = kernels;
    this.workers = workers;
  }

  @Override
  public void multiply(
      Gf256 field, ByteMatrices coefficients, ByteMatrices sources, ByteMatrices products) {
    if (coefficients.count() != products.count()
        || sources.count() != products.count()
        || coefficients.rows() != products.rows()
        || coefficients.columns() != sources.rows()
        || sources.columns() != products.columns()) {
      throw new IllegalArgumentException(
          "%s coefficients times %s sources do not make %s products"
              .formatted(shape(coefficients), shape(sources), shape(products)));
    }
    ByteMatrices factors = NativeRows.input(coefficients);
    ByteMatrices blocks = NativeRows.input(sources);
    ByteMatrices out = NativeRows.output(products);
    try {
      split(kernels.forField(field), factors, blocks, out);
    } finally {
      Reference.reachabilityFence(factors);
      Reference.reachabilityFence(blocks);
      Reference.reachabilityFence(out);
    }
    NativeRows.bringBack(out, products);
  }

  private void split(
      ProductKernel kernel,
      ByteMatrices coefficients,
      ByteMatrices sources,
      ByteMatrices products) {
    int m = products.rows();
    int n = sources.rows();
    int k = products.columns();
    long count = products.count();
    long work = count * m * Math.max(1, n) * k;
    int wanted =
        work < WORTH_SPLITTING || workers.threads() == 1 ? 1 : workers.threads() * TASKS_PER_THREAD;
    long perMatrix = (wanted + count - 1) / Math.max(1, count);
    int columnTiles = (int) Math.clamp(k / LEAST_COLUMNS, 1, perMatrix);
    int rowTiles = (int) Math.clamp(m / LEAST_ROWS, 1, (perMatrix + columnTiles - 1) / columnTiles);
    int tileColumns = roundUp((k + columnTiles - 1) / columnTiles, NativeRows.ALIGNMENT);
    int tileRows = (m + rowTiles - 1) / rowTiles;
    int tiles = columnTiles * rowTiles;
    // Few, large tasks when there are thousands of matrices: each takes a run of them.
    int tasks = Math.toIntExact(Math.min(count * tiles, Math.max(wanted, tiles)));
    long units = count * tiles;
    workers.forEach(
        tasks,
        task -> {
          for (long unit = units * task / tasks; unit < units * (task + 1) / tasks; unit++) {
            long matrix = unit / tiles;
            int column = (int) (unit % columnTiles) * tileColumns;
            int row = (int) (unit % tiles) / columnTiles * tileRows;
            if (column < k && row < m) {
              kernel.multiply(
                  Math.min(tileRows, m - row),
                  n,
                  Math.min(tileColumns, k - column),
                  Rows.of(coefficients, matrix).from(row, 0),
                  Rows.of(sources, matrix).from(0, column),
                  Rows.of(products, matrix).from(row, column),
                  false);
            }
          }
        });
  }

  private static int roundUp(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }

  private static String shape(ByteMatrices matrices) {
    return "%d of %d×%d".formatted(matrices.count(), matrices.rows(), matrices.columns());
  }
}

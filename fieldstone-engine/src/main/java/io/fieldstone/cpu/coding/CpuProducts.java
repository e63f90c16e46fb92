package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import java.lang.ref.Reference;

/**
 * Splits products over the workers: by matrix if there are many, else by columns (Nuclei, Sec.
 * IV-D), else by coded block, for which all sources are read again.
 */
public final class CpuProducts implements Products {

  /** Minimum multiplications of a task: 5 µs of the fastest kernel, five times its overhead. */
  private static final long MIN_TASK_WORK = 2L << 20;

  /** Minimum columns of a task: the widest strip of a kernel. */
  private static final int MIN_COLUMNS = 256;

  /** Maximum columns of a task: loops of kernels count in 32 bits, and in steps. */
  private static final int MAX_COLUMNS = 1 << 30;

  /** Minimum rows of a task: with fewer, the kernel reads each source for too few results. */
  private static final int MIN_ROWS = 8;

  /** Maximum tasks per thread: several balance the load. */
  private static final int TASKS_PER_THREAD = 4;

  /** Bytes of coefficients drawn at a time: they fit into a core's own cache. */
  private static final long DRAWN_BYTES = 1 << 20;

  private final KernelsByField kernels;
  private final TaskPool workers;
  private final CoefficientWriter drawing;
  private final ScratchPool scratchPool;

  public CpuProducts(
      KernelsByField kernels,
      TaskPool workers,
      CoefficientWriter drawing,
      ScratchPool scratchPool) {
    this.kernels = kernels;
    this.workers = workers;
    this.drawing = drawing;
    this.scratchPool = scratchPool;
  }

  @Override
  public void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    CodingPreconditions.requireProduct(coefficients, sources, products);
    HeldMemory.runWithoutCallbacks(
        () -> multiplyHeld(field, coefficients, sources, products),
        coefficients.memory(),
        sources.data(),
        products.data());
  }

  private void multiplyHeld(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    ProductKernel kernel = kernels.forField(field);
    ByteMatrices blocks = NativeRows.input(sources);
    ByteMatrices out = NativeRows.output(products);
    try {
      switch (coefficients) {
        case ByteMatrices given -> multiplyGiven(kernel, given, blocks, out);
        case RandomCoefficients draws -> multiplyDrawn(kernel, draws, blocks, out);
      }
    } finally {
      Reference.reachabilityFence(blocks);
      Reference.reachabilityFence(out);
    }
    NativeRows.copyOut(out, products);
  }

  private void multiplyGiven(
      ProductKernel kernel, ByteMatrices given, ByteMatrices sources, ByteMatrices products) {
    ByteMatrices coefficients = NativeRows.input(given);
    try {
      split(kernel, coefficients, sources, products);
    } finally {
      Reference.reachabilityFence(coefficients);
    }
  }

  /** Multiplies some matrices at a time, or some rows of large ones. */
  private void multiplyDrawn(
      ProductKernel kernel, RandomCoefficients draws, ByteMatrices sources, ByteMatrices products) {
    long count = draws.count();
    int m = draws.rows();
    int n = draws.columns();
    int rowsAtOnce = Math.clamp(DRAWN_BYTES / Math.max(1, n), 1, Math.max(1, m));
    long rowsBytes = (long) rowsAtOnce * n;
    long matricesAtOnce = Math.clamp(DRAWN_BYTES / Math.max(1, rowsBytes), 1, Math.max(1, count));
    try (Scratch scratch = scratchPool.take(matricesAtOnce * rowsBytes)) {
      for (long g = 0; g < count; g += matricesAtOnce) {
        long matrices = Math.min(matricesAtOnce, count - g);
        for (int row = 0; row < m; row += rowsAtOnce) {
          int rows = Math.min(rowsAtOnce, m - row);
          ByteMatrices drawn = ByteMatrices.packed(scratch.segment(), matrices, rows, n);
          drawing.write(draws.matrices(g, matrices).rows(row, rows), drawn);
          split(
              kernel,
              drawn,
              sources.matrices(g, matrices),
              products.matrices(g, matrices).rows(row, rows));
        }
      }
    }
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
        workers.threads() == 1
            ? 1
            : Math.clamp(work / MIN_TASK_WORK, 1, workers.threads() * TASKS_PER_THREAD);
    long perMatrix = Math.ceilDiv(wanted, Math.max(1, count));
    int columnTiles =
        (int) Math.max(Math.clamp(k / MIN_COLUMNS, 1, perMatrix), Math.ceilDiv(k, MAX_COLUMNS));
    int rowTiles = (int) Math.clamp(m / MIN_ROWS, 1, (perMatrix + columnTiles - 1) / columnTiles);
    int tileColumns =
        Math.ceilDiv(Math.ceilDiv(k, columnTiles), NativeRows.ALIGNMENT) * NativeRows.ALIGNMENT;
    int tileRows = Math.ceilDiv(m, rowTiles);
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
}

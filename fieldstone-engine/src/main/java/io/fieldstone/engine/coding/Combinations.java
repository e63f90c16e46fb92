package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * Computes solved source blocks. A block that was received uncoded is copied; each coded one is
 * computed with one product, or a few if there are many coefficients. Memory is reused from call to
 * call. For one thread at a time.
 */
public final class Combinations implements AutoCloseable {

  /** The maximum bytes of coefficients and blocks of one product. */
  private static final long WORK_BYTES = 64 << 20;

  /** Provides source blocks as combinations of stored blocks. */
  public interface Solutions {
    /**
     * Writes the combination of source block {@code source}: one coefficient for each row of the
     * store.
     */
    void write(int source, MemorySegment combination);
  }

  private final Scratch coefficients = new Scratch();
  private final Scratch products = new Scratch();

  /** Creates an instance without scratch memory. */
  public Combinations() {}

  /**
   * Computes source blocks {@code first}, {@code first + 1}, … into the rows of {@code
   * destination}.
   *
   * @param store the received blocks
   * @param matrix the number of the matrix in the store
   * @param solutions the combinations, {@code store.rows()} coefficients each
   * @param first the source block of row 0
   * @param destination one matrix of m×{@code store.columns()} bytes, overwritten
   */
  public void write(
      ResidentBlocks store, long matrix, Solutions solutions, int first, ByteMatrices destination) {
    int width = store.rows();
    int batchRows =
        Math.clamp(WORK_BYTES / (width + store.columns()), 1, Math.max(1, destination.rows()));
    ByteMatrices rows = coefficients.matrix(batchRows, width);
    int[] targets = new int[batchRows];
    int pending = 0;
    for (int row = 0; row < destination.rows(); row++) {
      solutions.write(first + row, rows.row(0, pending));
      int unit = VectorScan.unitIndex(rows.data(), rows.offset(0, pending), width);
      if (unit >= 0) {
        store.read(matrix, unit, destination.row(0, row));
        continue;
      }
      targets[pending++] = row;
      if (pending == batchRows) {
        multiply(store, matrix, rows, targets, pending, destination);
        pending = 0;
      }
    }
    if (pending > 0) {
      multiply(store, matrix, rows, targets, pending, destination);
    }
  }

  private void multiply(
      ResidentBlocks store,
      long matrix,
      ByteMatrices rows,
      int[] targets,
      int count,
      ByteMatrices destination) {
    int width = 0;
    for (int i = 0; i < count; i++) {
      width = Math.max(width, VectorScan.support(rows.data(), rows.offset(0, i), rows.columns()));
    }
    ByteMatrices used = ByteMatrices.strided(rows.data(), count, width, rows.stride());
    if (targets[count - 1] - targets[0] == count - 1) {
      store.multiply(matrix, used, destination.rows(targets[0], count));
      return;
    }
    ByteMatrices blocks = products.matrix(count, store.columns());
    store.multiply(matrix, used, blocks);
    for (int i = 0; i < count; i++) {
      destination.row(0, targets[i]).copyFrom(blocks.row(0, i));
    }
  }

  /** Frees the scratch memory. Idempotent. */
  @Override
  public void close() {
    coefficients.close();
    products.close();
  }
}

package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.RowKernel;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Inverts lower-triangular matrices on the GPU: all diagonal blocks at once, then pairs of
 * neighbours by two products, doubling the block size. {@code substitution.cu}, kernel 2.
 */
final class TriangleKernel {

  /** The rows of a diagonal block, few enough for one thread block without long waits. */
  private static final int DIAGONAL_ROWS = 64;

  private static final int WARP = 32;
  private static final int VECTOR = 16;

  private final GridStrideKernel diagonal;
  private final RowKernel.Selection products;

  /**
   * @param products selects row-major product kernels
   */
  TriangleKernel(KernelModules modules, RowKernel.Selection products) {
    this.products = products;
    this.diagonal =
        modules.kernel(
            "substitution",
            "substitution_diagonal",
            WARP * (DIAGONAL_ROWS / WARP) * (DIAGONAL_ROWS / VECTOR),
            0,
            1);
  }

  /**
   * Returns the scratch memory for {@code count} matrices: flags, and a product of two blocks each.
   */
  long scratchBytes(long count, int n) {
    return Math.addExact(flagBytes(count), Math.multiplyExact(count, productBytes(n)));
  }

  private static long flagBytes(long count) {
    return Math.ceilDiv(count * Integer.BYTES, VECTOR) * VECTOR;
  }

  /** Returns the size of the products of a level: at most n/2h of h×h bytes, h &lt; n. */
  private static long productBytes(int n) {
    return (long) n * n / 2;
  }

  /**
   * Enqueues inversions.
   *
   * @param lower n×n matrices without zeros on the diagonal; entries above it are not read
   * @param inverses matrices of the same shape, zero above the diagonal
   * @param scratch the address of {@link #scratchBytes}
   */
  void invert(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices lower,
      DeviceMatrices inverses,
      long scratch) {
    int n = lower.rows();
    slot.arguments()
        .int64(field.address())
        .int32(field.polynomial())
        .int32(n)
        .int32(DIAGONAL_ROWS)
        .int32(0)
        .int64(lower.count())
        .matrices(lower)
        .matrices(inverses)
        .int64(scratch);
    diagonal.launchPlane(slot, Math.ceilDiv(n, DIAGONAL_ROWS), lower.count());
    long blocks = scratch + flagBytes(lower.count());
    for (long h = DIAGONAL_ROWS; h < n; h *= 2) {
      joinNeighbours(slot, field, lower, inverses, (int) h, blocks);
    }
  }

  /** Enqueues inv([A 0; B C]) = [A⁻¹ 0; C⁻¹·B·A⁻¹ C⁻¹] for all pairs of h×h diagonal blocks. */
  private void joinNeighbours(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices lower,
      DeviceMatrices inverses,
      int h,
      long scratch) {
    int n = lower.rows();
    int wholePairs = n / (2 * h);
    int restRows = n - 2 * h * wholePairs - h;
    if (wholePairs > lower.count()) {
      for (long g = 0; g < lower.count(); g++) {
        Pairs matrixPairs =
            new Pairs(
                diagonalOf(lower.matrices(g, 1), h, wholePairs),
                diagonalOf(inverses.matrices(g, 1), h, wholePairs),
                h);
        join(slot, field, matrixPairs, scratch);
      }
    } else {
      for (int pair = 0; pair < wholePairs; pair++) {
        join(slot, field, pair(lower, inverses, 2 * h * pair, h, h), scratch);
      }
    }
    if (restRows > 0) {
      join(slot, field, pair(lower, inverses, 2 * h * wholePairs, h, restRows), scratch);
    }
  }

  /**
   * Pairs of diagonal blocks, one per matrix: an h×h block, and below it one with the remaining
   * rows of the matrix.
   */
  private record Pairs(DeviceMatrices lower, DeviceMatrices inverses, int h) {

    int below() {
      return lower.rows() - h;
    }
  }

  private static Pairs pair(
      DeviceMatrices lower, DeviceMatrices inverses, int origin, int h, int below) {
    return new Pairs(
        lower.rows(origin, h + below).columns(origin, h + below),
        inverses.rows(origin, h + below).columns(origin, h + below),
        h);
  }

  /** Returns the 2h×2h diagonal blocks of a matrix as matrices. */
  private static DeviceMatrices diagonalOf(DeviceMatrices matrix, int h, int count) {
    return new DeviceMatrices(
        matrix.address(), count, 2 * h, 2 * h, matrix.stride(), 2 * h * (matrix.stride() + 1));
  }

  private void join(StreamSlot slot, FieldTables field, Pairs pairs, long scratch) {
    int h = pairs.h();
    int below = pairs.below();
    DeviceMatrices inverses = pairs.inverses();
    RowProduct product = products.forRows(below);
    DeviceMatrices first = DeviceMatrices.packed(scratch, inverses.count(), below, h);
    DeviceMatrices corner = pairs.lower().rows(h, below).columns(0, h);
    product.multiply(slot, field, corner, inverses.rows(0, h).columns(0, h), first, h, false);
    product.multiply(
        slot,
        field,
        inverses.rows(h, below).columns(h, below),
        first,
        inverses.rows(h, below).columns(0, h),
        below,
        false);
  }
}

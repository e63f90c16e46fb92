package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.RowKernel;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Inverts lower-triangular matrices on the GPU: the diagonal blocks all at once, then, from each
 * two neighbours, a block twice as high by two products. {@code substitution.cu}, plan 4.
 */
final class TriangleKernel {

  /** Rows of a diagonal block: as many as a block of threads inverts with little waiting. */
  private static final int DIAGONAL_ROWS = 64;

  private static final int WARP = 32;
  private static final int VECTOR = 16;

  private final GridStrideKernel diagonal;
  private final RowKernel.Selection products;

  /**
   * @param products multiplies plain rows
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

  /** Scratch memory to invert {@code count} matrices: flags, and a product of two blocks each. */
  long scratchBytes(long count, int n) {
    return Math.addExact(flagBytes(count), Math.multiplyExact(count, productBytes(n)));
  }

  private static long flagBytes(long count) {
    return Math.ceilDiv(count * Integer.BYTES, VECTOR) * VECTOR;
  }

  /** The products of a level: at most n/2h of h×h bytes, h &lt; n. */
  private static long productBytes(int n) {
    return (long) n * n / 2;
  }

  /**
   * Asks for inverses.
   *
   * @param lower n×n each, no zero on a diagonal; what is above the diagonal is not read
   * @param inverses of the same shape, zero above the diagonal
   * @param scratch address of {@link #scratchBytes}
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

  /** inv([A 0; B C]) = [A⁻¹ 0; C⁻¹·B·A⁻¹ C⁻¹], for all pairs of h×h blocks of the diagonal. */
  private void joinNeighbours(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices lower,
      DeviceMatrices inverses,
      int h,
      long scratch) {
    int n = lower.rows();
    int whole = n / (2 * h);
    int rest = n - 2 * h * whole - h;
    if (whole > lower.count()) {
      for (long g = 0; g < lower.count(); g++) {
        Pairs ofMatrix =
            new Pairs(
                diagonalOf(lower.matrices(g, 1), h, whole),
                diagonalOf(inverses.matrices(g, 1), h, whole),
                h);
        join(slot, field, ofMatrix, scratch);
      }
    } else {
      for (int pair = 0; pair < whole; pair++) {
        join(slot, field, pair(lower, inverses, 2 * h * pair, h, h), scratch);
      }
    }
    if (rest > 0) {
      join(slot, field, pair(lower, inverses, 2 * h * whole, h, rest), scratch);
    }
  }

  /**
   * Pairs of diagonal blocks, one a matrix: an h×h block, and below it one of as many rows as are
   * left of the matrix.
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

  /** The 2h×2h blocks on the diagonal of a matrix, as matrices of their own. */
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

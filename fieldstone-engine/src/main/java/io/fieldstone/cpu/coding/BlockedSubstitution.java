package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Forward substitution by products, a panel of rows at a time. With T the diagonal block of a panel
 * of rows, L the entries left of it, and X the rows solved so far, the panel is T⁻¹·(C + L·X): two
 * products, of which L·X is nearly all the work.
 */
public final class BlockedSubstitution implements SubstitutionKernel {

  /** Rows of a panel: enough for efficient products, few enough that T⁻¹ is cheap. */
  private static final int PANEL = 16;

  /** Rows of a panel if there are {@value #LARGE} rows or more, which products read again. */
  private static final int LARGE_PANEL = 32;

  private static final int LARGE = 512;

  private final Gf256 field;
  private final ProductKernel kernel;
  private final ScratchPool scratchPool;

  public BlockedSubstitution(Gf256 field, ProductKernel kernel, ScratchPool scratchPool) {
    this.field = field;
    this.kernel = kernel;
    this.scratchPool = scratchPool;
  }

  @Override
  public void solve(int n, int columns, Rows lower, RightSide right, Rows solution) {
    int size = n < LARGE ? PANEL : LARGE_PANEL;
    long stride = ByteMatrices.paddedStride(columns);
    Optional<InversionKernel> inversion = kernel.inversion(n * (double) (size * size));
    long inversionBytes = inversion.map(faster -> faster.scratchBytes(size)).orElse(0L);
    try (Scratch scratch = scratchPool.take(size * (stride + 2 * size) + inversionBytes)) {
      Rows panel = Rows.of(scratch.segment(), 0, stride);
      Rows inverse = new Rows(panel.at(size), size);
      Rows triangle = inverse.from(size, 0);
      MemorySegment rest = MEMORY.asSlice(triangle.at(size), inversionBytes);
      for (int row = 0; row < n; row += size) {
        int rows = Math.min(size, n - row);
        for (int i = 0; i < rows; i++) {
          MemorySegment.copy(MEMORY, right.at(row + i), MEMORY, panel.at(i), columns);
        }
        if (row > 0) {
          kernel.multiply(rows, row, columns, lower.from(row, 0), solution, panel, true);
        }
        Rows diagonal = lower.from(row, row);
        if (inversion.isEmpty()
            || !inversion.get().invert(rows, lowerPart(rows, diagonal, triangle), inverse, rest)) {
          invert(rows, diagonal, inverse);
        }
        kernel.multiply(rows, rows, columns, inverse, panel, solution.from(row, 0), false);
      }
    }
  }

  /** Copies a matrix without its entries above the diagonal. */
  private static Rows lowerPart(int n, Rows matrix, Rows copy) {
    MEMORY.asSlice(copy.address(), n * copy.stride()).fill((byte) 0);
    for (int row = 0; row < n; row++) {
      MemorySegment.copy(MEMORY, matrix.at(row), MEMORY, copy.at(row), row + 1L);
    }
    return copy;
  }

  /** Inverts a lower triangle column by column, by substitution of unit vectors. */
  private void invert(int n, Rows lower, Rows inverse) {
    for (int column = 0; column < n; column++) {
      for (int row = 0; row < n; row++) {
        int rest = row == column ? 1 : 0;
        for (int i = column; i < row; i++) {
          rest ^= field.multiply(byteAt(lower.at(row) + i), byteAt(inverse.at(i) + column));
        }
        int entry = row < column ? 0 : field.divide(rest, byteAt(lower.at(row) + row));
        MEMORY.set(JAVA_BYTE, inverse.at(row) + column, (byte) entry);
      }
    }
  }

  private static int byteAt(long at) {
    return MEMORY.get(JAVA_BYTE, at) & 0xFF;
  }
}

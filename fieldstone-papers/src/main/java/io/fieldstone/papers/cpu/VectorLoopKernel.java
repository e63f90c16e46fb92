package io.fieldstone.papers.cpu;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.XOR;

import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.coding.ScalarKernels;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Shifts and adds 16 bytes at a time: the loop in SSE2 that Nuclei, Sec. IV-D, compares a GPU with.
 * A vector is doubled once per bit of the coefficient; where the top bit of a byte was set, the
 * polynomial is subtracted. The triple loop is that of {@link ScalarKernels}.
 */
final class VectorLoopKernel implements ProductKernel {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_128;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Bytes of a vector, as of a register of SSE2. */
  private static final int V = SPECIES.length();

  private final byte reduction;
  private final ProductKernel tail;

  VectorLoopKernel(Gf256 field) {
    this.reduction = (byte) field.polynomial();
    this.tail = LoopKernels.bytes(field);
  }

  @Override
  public void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate) {
    int whole = columns - columns % V;
    for (int i = 0; i < m; i++) {
      ScalarKernels.clearUnless(accumulate, products, i, whole);
      for (int j = 0; j < n; j++) {
        int factor = MEMORY.get(JAVA_BYTE, coefficients.at(i) + j) & 0xFF;
        addProduct(factor, whole, sources.at(j), products.at(i));
      }
    }
    if (whole < columns) {
      tail.multiply(
          m,
          n,
          columns - whole,
          coefficients,
          sources.from(0, whole),
          products.from(0, whole),
          accumulate);
    }
  }

  private void addProduct(int factor, int columns, long from, long to) {
    ByteVector polynomial = ByteVector.broadcast(SPECIES, reduction);
    for (int c = 0; c < columns; c += V) {
      ByteVector multiples = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + c, ORDER);
      ByteVector sum = ByteVector.fromMemorySegment(SPECIES, MEMORY, to + c, ORDER);
      for (int bits = factor; bits != 0; bits >>>= 1) {
        if ((bits & 1) != 0) {
          sum = sum.lanewise(XOR, multiples);
        }
        multiples =
            multiples.add(multiples).lanewise(XOR, polynomial, multiples.compare(LT, (byte) 0));
      }
      sum.intoMemorySegment(MEMORY, to + c, ORDER);
    }
  }
}

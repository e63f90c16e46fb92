package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.util.Optional;

/**
 * Products by the C kernels of {@code products.c}: affine transforms over GF(2) where the processor
 * has them, else lane shuffles.
 */
public final class NativeProductKernel implements ProductKernel {

  static final String NAME = "products";

  private static final int FACTORS = 256;

  /** Bytes of the 8×8 matrix over GF(2) of a multiplication. */
  private static final int AFFINE_BYTES = 8;

  private static final int NIBBLES = 16;

  /** Maximum multiply-accumulates of a call that may hold up the garbage collector: 10 µs. */
  private static final long MAX_SHORT_WORK = 1 << 18;

  /** Short calls do without a change of the thread's state. */
  private static final class ShortCall {
    static final MethodHandle CALL =
        Linker.nativeLinker()
            .downcallHandle(
                FunctionDescriptor.ofVoid(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT),
                Linker.Option.critical(false));
  }

  private final MemorySegment function;

  /** Keeps the tables alive. */
  private final MemorySegment tables;

  private final InversionKernel inversion;
  private final MemorySegment reduction;

  private NativeProductKernel(NativeLibrary library, NativeLevel level, MemorySegment tables) {
    this.function = library.function(NAME, level);
    this.tables = tables;
    this.inversion = new NativeInversionKernel(library, level, tables);
    this.reduction = library.function("reduce", level);
  }

  /** Makes the kernel of the highest level; empty if there is none. */
  static Optional<ProductKernel> of(NativeLibrary library, Gf256 field) {
    return library.levels(NAME).stream().findFirst().map(level -> of(library, level, field));
  }

  /** Makes the kernel of a level of the library. */
  static ProductKernel of(NativeLibrary library, NativeLevel level, Gf256 field) {
    return new NativeProductKernel(library, level, tables(field, level));
  }

  /** Returns a human-readable description of the kernel of the highest level, which exists. */
  public static String describe(NativeLibrary library) {
    NativeLevel level = library.levels(NAME).getFirst();
    return (level.hasAffineTransforms() ? "affine transforms by " : "lane shuffles by ")
        + level.title();
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
    try {
      if ((long) m * Math.max(1, n) * columns <= MAX_SHORT_WORK) {
        ShortCall.CALL.invokeExact(
            function,
            tables.address(),
            (long) m,
            (long) n,
            (long) columns,
            coefficients.address(),
            coefficients.stride(),
            sources.address(),
            sources.stride(),
            products.address(),
            products.stride(),
            accumulate ? 1 : 0);
      } else {
        long _ =
            NativeCall.call(
                function,
                tables.address(),
                m,
                n,
                columns,
                coefficients.address(),
                coefficients.stride(),
                sources.address(),
                sources.stride(),
                products.address(),
                products.stride(),
                accumulate ? 1 : 0);
      }
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    } finally {
      Reference.reachabilityFence(tables);
    }
  }

  @Override
  public Optional<InversionKernel> inversion(double work) {
    return Optional.of(inversion);
  }

  @Override
  public Optional<BasisReduction> reduction(BasisReduction.Parts parts, Arena arena) {
    return parts.stripWidth() == NativeReduction.STRIP_COLUMNS
        ? Optional.of(new NativeReduction(reduction, tables, parts, arena))
        : Optional.empty();
  }

  /** Returns the tables of all factors, and behind them their reciprocals. */
  private static MemorySegment tables(Gf256 field, NativeLevel level) {
    boolean affine = level.hasAffineTransforms();
    int bytes = affine ? AFFINE_BYTES : 2 * NIBBLES;
    MemorySegment tables =
        Arena.ofAuto().allocate((long) FACTORS * bytes + FACTORS, NativeRows.ALIGNMENT);
    for (int factor = 0; factor < FACTORS; factor++) {
      if (factor > 0) {
        tables.set(JAVA_BYTE, (long) FACTORS * bytes + factor, (byte) field.inverse(factor));
      }
      MemorySegment table = tables.asSlice((long) factor * bytes, bytes);
      if (affine) {
        writeMatrix(field, factor, table);
      } else {
        for (int nibble = 0; nibble < NIBBLES; nibble++) {
          table.set(JAVA_BYTE, nibble, (byte) field.multiply(factor, nibble));
          table.set(JAVA_BYTE, NIBBLES + nibble, (byte) field.multiply(factor, nibble << 4));
        }
      }
    }
    return tables;
  }

  /**
   * Writes the matrix of x → factor·x. Row i, the bits of x that bit i of the product is the sum
   * of, is byte 7 − i.
   */
  private static void writeMatrix(Gf256 field, int factor, MemorySegment matrix) {
    for (int row = 0; row < 8; row++) {
      int bits = 0;
      for (int column = 0; column < 8; column++) {
        bits |= (field.multiply(factor, 1 << column) >> row & 1) << column;
      }
      matrix.set(JAVA_BYTE, 7 - row, (byte) bits);
    }
  }
}

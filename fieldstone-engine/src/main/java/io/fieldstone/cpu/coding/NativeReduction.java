package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.memory.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/** Reduces vectors by the C kernel of {@code bases.h}: one call for each vector. */
final class NativeReduction implements BasisReduction {

  /** FS_STRIP_COLUMNS of fieldstone.h. */
  static final int STRIP_COLUMNS = 64;

  /** A call takes 0.1 µs for 128 columns, so it may hold up the garbage collector. */
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT),
              Linker.Option.critical(false));

  // Numbers of 64 bits in fs_basis of fieldstone.h.
  private static final int START = 8;
  private static final int PIVOTS_END = 9;
  private static final int ANY_FACTORS = 10;
  private static final int PIVOTS = 11;

  private final MemorySegment function;

  /** Those of {@link NativeProductKernel}. */
  private final MemorySegment tables;

  /** The address of an fs_basis. */
  private final long basis;

  NativeReduction(MemorySegment function, MemorySegment tables, Parts parts, Arena arena) {
    this.function = function;
    this.tables = tables;
    this.basis = arena.allocate(JAVA_LONG, PIVOTS + PANEL).address();
    long[] fields = {
      parts.width(),
      parts.received().stride(),
      parts.vector().address(),
      parts.settled().address(),
      parts.received().address(),
      parts.factors().address(),
      parts.strip().address(),
      parts.reduced().address()
    };
    for (int i = 0; i < fields.length; i++) {
      set(i, fields[i]);
    }
  }

  @Override
  public void begin(int start, int pivotsEnd) {
    set(START, start);
    set(PIVOTS_END, pivotsEnd);
    set(ANY_FACTORS, 0);
  }

  @Override
  public boolean anyFactors() {
    return MEMORY.get(JAVA_LONG, basis + (long) ANY_FACTORS * Long.BYTES) != 0;
  }

  @Override
  public int reduce(int pending, boolean keep) {
    try {
      int pivot =
          (int) CALL.invokeExact(function, tables.address(), basis, (long) pending, keep ? 1 : 0);
      if (keep && pivot != Basis.NOT_INNOVATIVE) {
        set(PIVOTS + pending, pivot);
      }
      return pivot;
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    } finally {
      Reference.reachabilityFence(tables);
    }
  }

  private void set(int field, long value) {
    MEMORY.set(JAVA_LONG, basis + (long) field * Long.BYTES, value);
  }
}

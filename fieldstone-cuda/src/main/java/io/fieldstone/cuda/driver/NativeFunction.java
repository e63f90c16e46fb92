package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A C function of the driver that returns a {@code CUresult}.
 *
 * <p>A method handle exists per signature and takes the function's address as an argument. So the
 * handles are constants, which the JIT compiler inlines, although each driver has its own
 * functions. Pointers and {@code size_t} are passed as {@code long}: on the supported 64-bit
 * systems they use the same registers, and a {@code long} needs no checks and no object.
 *
 * @param name the exported name
 * @param address the entry point
 */
record NativeFunction(String name, MemorySegment address) {

  private static final MethodHandle NO_ARGUMENTS = handle();
  private static final MethodHandle INT = handle(JAVA_INT);
  private static final MethodHandle LONG = handle(JAVA_LONG);
  private static final MethodHandle INT_LONG = handle(JAVA_INT, JAVA_LONG);
  private static final MethodHandle LONG_INT = handle(JAVA_LONG, JAVA_INT);
  private static final MethodHandle LONG_LONG = handle(JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LONG_INT_INT = handle(JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle LONG_INT_LONG = handle(JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle LONG_LONG_INT = handle(JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle LONG_LONG_LONG = handle(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LONG_INT_LONG_LONG =
      handle(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LONG_LONG_INT_LONG =
      handle(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle FOUR_LONGS = handle(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SIX_LONGS =
      handle(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LAUNCH =
      handle(
          JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
          JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static MethodHandle handle(MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, arguments));
  }

  int call() {
    try {
      return (int) NO_ARGUMENTS.invokeExact(address);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(int a) {
    try {
      return (int) INT.invokeExact(address, a);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a) {
    try {
      return (int) LONG.invokeExact(address, a);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(int a, long b) {
    try {
      return (int) INT_LONG.invokeExact(address, a, b);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, int b) {
    try {
      return (int) LONG_INT.invokeExact(address, a, b);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b) {
    try {
      return (int) LONG_LONG.invokeExact(address, a, b);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, int b, int c) {
    try {
      return (int) LONG_INT_INT.invokeExact(address, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, int b, long c) {
    try {
      return (int) LONG_INT_LONG.invokeExact(address, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b, int c) {
    try {
      return (int) LONG_LONG_INT.invokeExact(address, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b, long c) {
    try {
      return (int) LONG_LONG_LONG.invokeExact(address, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, int b, long c, long d) {
    try {
      return (int) LONG_INT_LONG_LONG.invokeExact(address, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b, int c, long d) {
    try {
      return (int) LONG_LONG_INT_LONG.invokeExact(address, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b, long c, long d) {
    try {
      return (int) FOUR_LONGS.invokeExact(address, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, long b, long c, long d, long e, long f) {
    try {
      return (int) SIX_LONGS.invokeExact(address, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  int call(long a, int b, int c, int d, int e, int f, int g, int h, long i, long j, long k) {
    try {
      return (int) LAUNCH.invokeExact(address, a, b, c, d, e, f, g, h, i, j, k);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  /** C code does not throw, and primitive arguments always match the signature. */
  private static AssertionError unexpected(Throwable thrown) {
    return new AssertionError(thrown);
  }
}

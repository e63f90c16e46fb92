package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Collections;

/**
 * Calls functions of C, all by one type: the JVM makes classes for each type that it links, which
 * takes about 10 ms. Thread-safe.
 *
 * <p>Arguments are integers and addresses in 64 bits; those that a function does not declare are
 * zero. By the calling conventions of 64-bit systems, a function reads from a register, or from 8
 * bytes of the stack, the low bits that it declares (System V ABI for AMD64, AAPCS64). So narrower
 * and additional arguments do no harm. Apple packs narrow arguments on the stack, so a function for
 * its systems may have eight.
 */
public final class NativeCall {

  private static final int MAX_ARGUMENTS = 11;

  /** A constant, so that calls are compiled inline; its first argument is the address. */
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(
                  JAVA_LONG,
                  Collections.nCopies(MAX_ARGUMENTS, JAVA_LONG).toArray(MemoryLayout[]::new)));

  private NativeCall() {}

  /**
   * Calls a function. The caller keeps memory open whose address is an argument.
   *
   * @param arguments at most 11
   * @return the result; its upper bits are undefined if the function declares fewer, and all are if
   *     it returns nothing
   */
  public static long call(MemorySegment function, long... arguments) {
    long[] all = Arrays.copyOf(arguments, MAX_ARGUMENTS);
    try {
      return (long)
          CALL.invokeExact(
              function, all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8],
              all[9], all[10]);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Returns what a call of a function threw. Functions throw nothing; the JVM may throw errors and
   * exceptions that are not checked.
   *
   * @throws Error if it is one
   */
  public static RuntimeException unexpected(Throwable e) {
    if (e instanceof RuntimeException exception) {
      return exception;
    }
    throw e instanceof Error error ? error : new AssertionError(e);
  }
}

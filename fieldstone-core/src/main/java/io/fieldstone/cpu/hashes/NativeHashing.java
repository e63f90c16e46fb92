package io.fieldstone.cpu.hashes;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Hashes by the C kernels of {@code sha256.c}: a message in each lane of vectors, or two at once by
 * the processor's SHA extensions. Memory on the heap is hashed by the JDK.
 */
final class NativeHashing implements Hashing {

  /** Name in {@code fs_NAME_LEVEL}. */
  static final String NAME = "sha256";

  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.ofVoid(
                  ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

  private final MemorySegment function;
  private final int extensions;

  /**
   * Makes the kernel of a level.
   *
   * @param extensions whether it may use the processor's SHA extensions
   */
  NativeHashing(NativeLibrary library, NativeLevel level, boolean extensions) {
    this.function = library.function(NAME, level);
    this.extensions = extensions ? 1 : 0;
  }

  /** Makes the kernel of the highest level; empty if there is none that the JDK does not equal. */
  static Optional<Hashing> of(NativeLibrary library) {
    boolean hasExtensions = hasExtensions(library);
    return library.levels(NAME).stream()
        .findFirst()
        .filter(level -> hasExtensions || level != NativeLevel.NEON_PMULL)
        .map(level -> new NativeHashing(library, level, hasExtensions));
  }

  /** Returns whether the processor has instructions for SHA-256. */
  static boolean hasExtensions(NativeLibrary library) {
    return library.symbol("fs_sha256_extensions").map(NativeHashing::call).orElse(false);
  }

  private static boolean call(MemorySegment function) {
    MethodHandle handle =
        Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(JAVA_INT));
    try {
      return (int) handle.invokeExact() != 0;
    } catch (Throwable e) {
      throw NativeLibrary.unexpected(e);
    }
  }

  @Override
  public void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    Hashing.requireValid(prefix, messages, pitch, count, bytes, hashes);
    if (!messages.isNative() || !hashes.isNative()) {
      Hashing.jdk().sha256(prefix, messages, pitch, count, bytes, hashes);
      return;
    }
    try {
      CALL.invokeExact(function, messages, pitch, (long) count, bytes, prefix, hashes, extensions);
    } catch (Throwable e) {
      throw NativeLibrary.unexpected(e);
    }
  }
}

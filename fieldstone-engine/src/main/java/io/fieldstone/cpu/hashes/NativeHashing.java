package io.fieldstone.cpu.hashes;

import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Hashes by the C kernels of {@code sha256.c}: a message in each lane of vectors, or two at once by
 * the processor's SHA extensions. Memory on the heap is hashed by the JDK.
 */
final class NativeHashing implements Hashing {

  /** Name in {@code fs_NAME_LEVEL}. */
  static final String NAME = "sha256";

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
    return library
        .symbol("fs_sha256_extensions")
        .map(it -> (int) NativeCall.call(it) != 0)
        .orElse(false);
  }

  @Override
  public void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    Hashing.requireValid(prefix, messages, pitch, count, bytes, hashes);
    if (!messages.isNative() || !hashes.isNative()) {
      Hashing.jdk().sha256(prefix, messages, pitch, count, bytes, hashes);
      return;
    }
    HeldMemory.runWithoutCallbacks(
        () -> {
          long _ =
              NativeCall.call(
                  function,
                  messages.address(),
                  pitch,
                  count,
                  bytes,
                  prefix,
                  hashes.address(),
                  extensions);
        },
        messages,
        hashes);
  }
}

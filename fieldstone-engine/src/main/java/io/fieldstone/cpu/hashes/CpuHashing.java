package io.fieldstone.cpu.hashes;

import io.fieldstone.concurrent.Deferred;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;

/**
 * Hashes by the JDK until there is enough work to pay for loading the native kernels; then by
 * these, if there are any.
 */
public final class CpuHashing implements Hashing {

  /** The bytes that the JDK hashes in the time of loading, before its loop is compiled. */
  private static final double LOAD_THRESHOLD = 1 << 24;

  private final Deferred<Hashing> kernels =
      new Deferred<>(
          Hashing.jdk(),
          () -> NativeHashing.of(NativeLibrary.get()).orElseGet(Hashing::jdk),
          LOAD_THRESHOLD);

  @Override
  public void expect(long bytes) {
    kernels.expect((double) bytes);
  }

  @Override
  public void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    kernels.current((double) count * bytes).sha256(prefix, messages, pitch, count, bytes, hashes);
  }
}

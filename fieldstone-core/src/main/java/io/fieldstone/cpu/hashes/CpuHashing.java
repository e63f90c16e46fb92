package io.fieldstone.cpu.hashes;

import io.fieldstone.concurrent.Deferred;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

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

  /**
   * Whether enough bytes are going to be hashed: then callers wait until the kernels are loaded.
   */
  private final AtomicBoolean isExpected = new AtomicBoolean();

  /** Creates the implementation, which {@link java.util.ServiceLoader} does. */
  public CpuHashing() {}

  @Override
  public void expect(long bytes) {
    if (bytes >= LOAD_THRESHOLD && !isExpected.getAndSet(true)) {
      Thread.ofPlatform().daemon().name("fieldstone-load-hashing").start(this::load);
    }
  }

  private void load() {
    try {
      Hashing _ = kernels.faster();
    } catch (RuntimeException | LinkageError e) {
      // The first caller that hashes meets it again.
    }
  }

  @Override
  public void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    Hashing hashing = isExpected.get() ? kernels.faster() : kernels.current((double) count * bytes);
    hashing.sha256(prefix, messages, pitch, count, bytes, hashes);
  }
}

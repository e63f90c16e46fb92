package io.fieldstone.cuda;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.util.List;

/**
 * Opens the GPUs of a test by name, {@code fake:0}, {@code fake:1}, …, so that engines of several
 * can be opened through {@code Engine.open}. It lists no engines.
 */
public final class FakeGpusProvider implements EngineProvider {

  private static final String FAMILY = "fake:";
  private static final ThreadLocal<FakeGpu> GPUS = new ThreadLocal<>();

  /** Creates the provider for {@link java.util.ServiceLoader}. */
  public FakeGpusProvider() {}

  /** Makes GPUs available to this thread. */
  static void offer(FakeGpu gpus) {
    GPUS.set(gpus);
  }

  /** Reverts {@link #offer}. */
  static void withdraw() {
    GPUS.remove();
  }

  @Override
  public int preference() {
    return Integer.MIN_VALUE;
  }

  @Override
  public List<EngineStatus> engines() {
    return List.of();
  }

  @Override
  public boolean canOpen(String spec) {
    return spec.startsWith(FAMILY) && GPUS.get() != null && !spec.contains("+");
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return GPUS.get().provider().open("cuda:" + spec.substring(FAMILY.length()), options);
  }
}

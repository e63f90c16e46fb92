package io.fieldstone.cuda.execution;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.Optional;

/**
 * The engine on the cores, for what is not worth the way to a GPU or not for one. It is opened when
 * there is something for it to do. Thread-safe.
 */
public final class CpuFallback implements AutoCloseable {

  private final String spec;
  private final EngineOptions options;
  private Optional<Engine> engine = Optional.empty();
  private boolean isClosed;

  /**
   * @param spec of the GPU's engine, for messages
   * @param options of both engines
   */
  public CpuFallback(String spec, EngineOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /**
   * The engine, which stays this object's.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized Engine engine() {
    if (isClosed) {
      throw new IllegalStateException("engine " + spec + " is closed");
    }
    Engine opened = engine.orElseGet(() -> Engine.open("cpu", options));
    engine = Optional.of(opened);
    return opened;
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    engine.ifPresent(Engine::close);
  }
}

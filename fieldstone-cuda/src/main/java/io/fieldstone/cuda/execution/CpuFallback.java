package io.fieldstone.cuda.execution;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.Optional;

/**
 * The CPU engine for operations that a GPU does not support or would run slower. It is opened at
 * its first use. Thread-safe.
 */
public final class CpuFallback implements AutoCloseable {

  private final String spec;
  private final EngineOptions options;
  private Optional<Engine> engine = Optional.empty();
  private boolean isClosed;

  /**
   * @param spec the name of the GPU engine, for messages
   * @param options the options of both engines
   */
  public CpuFallback(String spec, EngineOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /**
   * Returns the engine, which must not be closed by the caller.
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

  /** Closes the engine if it is open. Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    engine.ifPresent(Engine::close);
  }
}

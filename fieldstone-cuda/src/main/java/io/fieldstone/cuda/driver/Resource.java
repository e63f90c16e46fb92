package io.fieldstone.cuda.driver;

import java.util.concurrent.atomic.AtomicBoolean;

/** An object of the driver that lives until it or its context is closed. */
abstract sealed class Resource implements AutoCloseable
    permits DeviceBuffer, PinnedBuffer, Stream, Event, Module {

  private final Context context;
  private final AtomicBoolean closed = new AtomicBoolean();

  Resource(Context context) {
    this.context = context;
  }

  /**
   * Frees the object. Idempotent, also after the context is closed.
   *
   * @throws IllegalStateException if a native call uses the memory; it then stays open
   * @throws CudaException if the driver reports an error other than a lost context
   */
  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        context.free(this);
      } catch (IllegalStateException inUse) {
        closed.set(false);
        throw inUse;
      }
    }
  }

  /** Returns the context that owns this object. */
  final Context context() {
    return context;
  }

  /** Frees the object; called once, with the context current. */
  abstract void free(DriverCalls calls);

  /**
   * Makes the context current on this thread.
   *
   * @throws IllegalStateException if this object is closed
   */
  final DriverCalls enter() {
    requireOpen();
    return context.enter();
  }

  final void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("this " + getClass().getSimpleName() + " is closed");
    }
  }
}

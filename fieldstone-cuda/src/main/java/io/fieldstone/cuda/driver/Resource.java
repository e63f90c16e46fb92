package io.fieldstone.cuda.driver;

import java.util.concurrent.atomic.AtomicBoolean;

/** Something the driver holds for a context until it is closed, or the context is. */
abstract sealed class Resource implements AutoCloseable
    permits DeviceBuffer, PinnedBuffer, Stream, Event, Module, Graph {

  private final Context context;
  private final AtomicBoolean closed = new AtomicBoolean();

  Resource(Context context) {
    this.context = context;
  }

  /**
   * Gives it back to the driver. Closing again does nothing, and so does closing after the context.
   *
   * @throws IllegalStateException if it is memory that a native call is using; it stays open
   * @throws CudaException if the driver reports an error, other than that the context is lost
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

  /** The context that it belongs to. */
  final Context context() {
    return context;
  }

  /** Hands it to the driver to free; called once, with the context current. */
  abstract void free(DriverCalls calls);

  /**
   * Makes the context current on this thread.
   *
   * @throws IllegalStateException if this is closed
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

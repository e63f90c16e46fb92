package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A point in a stream's work, set by {@link Stream#record}. An event that was never recorded counts
 * as reached. Thread-safe.
 */
public final class Event extends Resource {

  private final long handle;

  Event(Context context, long handle) {
    super(context);
    this.handle = handle;
  }

  /**
   * Waits until the preceding work has completed.
   *
   * @throws CudaException if the driver reports an error, also of that work
   */
  public void synchronize() {
    enter().eventSynchronize(handle);
  }

  /**
   * Returns whether the preceding work has completed.
   *
   * @throws CudaException if the driver reports an error, also of that work
   */
  public boolean isDone() {
    return enter().eventQuery(handle);
  }

  /**
   * Returns the milliseconds since an earlier event, with a resolution of half a microsecond. Both
   * must be timing events of one context, recorded and reached.
   *
   * @throws CudaException if an event violates these conditions
   */
  public float millisSince(Event earlier) {
    DriverCalls calls = enter();
    earlier.requireOpen();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_FLOAT);
      calls.eventElapsedTime(out.address(), earlier.handle, handle);
      return out.get(ValueLayout.JAVA_FLOAT, 0);
    }
  }

  long handle() {
    requireOpen();
    return handle;
  }

  @Override
  void free(DriverCalls calls) {
    calls.eventDestroy(handle);
  }
}

package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A point in a stream's work, set by {@link Stream#record}. One that was never recorded counts as
 * reached. Any thread may use it.
 */
public final class Event extends Resource {

  private final long handle;

  Event(Context context, long handle) {
    super(context);
    this.handle = handle;
  }

  /**
   * Waits until the work before it is done.
   *
   * @throws CudaException if the driver reports an error, perhaps of that work
   */
  public void synchronize() {
    enter().eventSynchronize(handle);
  }

  /**
   * Whether the work before it is done.
   *
   * @throws CudaException if the driver reports an error, perhaps of that work
   */
  public boolean isDone() {
    return enter().eventQuery(handle);
  }

  /**
   * Milliseconds from an earlier event to this, to about half a microsecond. Both are timing events
   * of one context, recorded and reached.
   *
   * @throws CudaException if they are not
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

package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The stream slots of an engine, created on demand and reused. Thread-safe. */
public final class StreamPool implements AutoCloseable {

  private static final ScratchLayout NO_SCRATCH = new ScratchLayout();

  private final Context context;
  private final String spec;
  private final PhaseListener listener;
  private final ConcurrentLinkedDeque<StreamSlot> idle = new ConcurrentLinkedDeque<>();

  /**
   * Creates an empty pool.
   *
   * @param spec the name of the engine, for phase listeners
   */
  StreamPool(Context context, String spec, PhaseListener listener) {
    this.context = context;
    this.spec = spec;
    this.listener = listener;
  }

  /** Uses slots. */
  public interface Use<T> {
    T apply(List<StreamSlot> slots);
  }

  /**
   * Runs {@code use} with slots that have the scratch memory. {@code use} must leave no work in the
   * slots; if it throws, they are drained.
   *
   * @throws OutOfDeviceMemoryException if device memory is insufficient; {@code use} is not called
   * @throws StreamFailure if the driver reports an error during {@code use}
   */
  public <T> T use(int count, ScratchLayout scratch, Use<T> use) {
    List<StreamSlot> slots = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        slots.add(acquire());
      }
      slots.forEach(slot -> slot.setOnlySlot(count == 1));
      reserve(slots, scratch);
      beginPhases(slots);
      T result = run(slots, use);
      slots.forEach(slot -> slot.trace().report());
      return result;
    } finally {
      slots.forEach(this::release);
    }
  }

  private void beginPhases(List<StreamSlot> slots) {
    if (listener.equals(PhaseListener.NONE)) {
      return;
    }
    for (int i = 0; i < slots.size(); i++) {
      slots.get(i).trace().start("%s stream %d".formatted(spec, i + 1));
    }
  }

  private static <T> T run(List<StreamSlot> slots, Use<T> use) {
    boolean isDone = false;
    try {
      T result = use.apply(slots);
      isDone = true;
      return result;
    } catch (CudaException e) {
      throw new StreamFailure(
          slots.stream().map(StreamSlot::lastKernel).distinct().collect(Collectors.joining(", ")),
          e);
    } finally {
      if (!isDone) {
        // The GPU must not write to the caller's memory after this method returns.
        slots.forEach(StreamSlot::drain);
      }
    }
  }

  /** Runs {@code use} with one slot, as {@link #use}. */
  public void useOne(ScratchLayout scratch, Consumer<StreamSlot> use) {
    use(
        1,
        scratch,
        slots -> {
          use.accept(slots.getFirst());
          return slots;
        });
  }

  /** Runs {@code use} with one slot without scratch memory. */
  public void useOne(Consumer<StreamSlot> use) {
    useOne(NO_SCRATCH, use);
  }

  private StreamSlot acquire() {
    StreamSlot slot = idle.poll();
    return slot == null ? new StreamSlot(context, listener) : slot;
  }

  private void release(StreamSlot slot) {
    slot.trace().discard();
    slot.shrink();
    idle.push(slot);
  }

  private void reserve(List<StreamSlot> slots, ScratchLayout scratch) {
    try {
      slots.forEach(slot -> slot.reserve(scratch));
    } catch (OutOfDeviceMemoryException e) {
      freeIdle();
      slots.forEach(slot -> slot.reserve(scratch));
    }
  }

  /** Closes the idle slots. */
  void freeIdle() {
    for (StreamSlot slot = idle.poll(); slot != null; slot = idle.poll()) {
      slot.close();
    }
  }

  /** Closes all slots; none may be in use. */
  @Override
  public void close() {
    freeIdle();
  }
}

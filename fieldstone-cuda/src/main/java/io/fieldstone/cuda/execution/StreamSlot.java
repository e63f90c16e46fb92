package io.fieldstone.cuda.execution;

import io.fieldstone.concurrent.SpinThenPark;
import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.engine.memory.PhaseListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A stream with scratch memory on the device and on the host, used for one call at a time. For one
 * thread at a time.
 */
public final class StreamSlot implements AutoCloseable {

  /**
   * Scratch memory above this fraction of the device memory (1/8) is freed after a call. Less is
   * kept, because allocating gigabytes takes tens of milliseconds.
   */
  private static final int KEPT_MEMORY_DIVISOR = 8;

  /**
   * The spin time before sleeping in the driver. A wake-up takes tens of microseconds, or about a
   * millisecond on virtual machines: as long as the transfer of a piece.
   */
  private static final long SPIN_NS = 1_000_000;

  private final Context context;
  private final Stream stream;
  private final Event event;
  private final StreamTrace trace;
  private final Arena arena = Arena.ofShared();
  private final KernelArguments arguments =
      new KernelArguments(arena.allocate(KernelArguments.BYTES, Long.BYTES));
  private Optional<DeviceBuffer> device = Optional.empty();
  private Optional<PinnedBuffer> pinned = Optional.empty();
  private boolean isOnlySlot;
  private Optional<Function> lastKernel = Optional.empty();

  StreamSlot(Context context, PhaseListener listener) {
    this.context = context;
    this.stream = context.stream();
    this.event = context.event();
    this.trace = new StreamTrace(listener, context, stream);
  }

  public Stream stream() {
    return stream;
  }

  /**
   * Ensures the capacity of the scratch memory; growing loses its content.
   *
   * @throws io.fieldstone.cuda.driver.OutOfDeviceMemoryException if device memory is insufficient
   */
  void reserve(ScratchLayout scratch) {
    if (deviceBytes() < scratch.deviceBytes()) {
      freeDevice();
      device = Optional.of(context.allocate(scratch.deviceBytes()));
    }
    long pinnedBytes = pinned.map(buffer -> buffer.segment().byteSize()).orElse(0L);
    if (pinnedBytes < scratch.pinnedBytes()) {
      freePinned();
      pinned = Optional.of(context.allocatePinned(scratch.pinnedBytes()));
    }
  }

  private long deviceBytes() {
    return device.map(DeviceBuffer::bytes).orElse(0L);
  }

  /** Returns the device address of an offset from {@link ScratchLayout#device}. */
  public long device(long offset) {
    return device.map(DeviceBuffer::address).orElse(0L) + offset;
  }

  /** Returns pinned memory at an offset from {@link ScratchLayout#pinned}. */
  public MemorySegment pinned(long offset, long bytes) {
    return pinned.orElseThrow().segment().asSlice(offset, bytes);
  }

  /** Starts the arguments of a launch. */
  public KernelArguments arguments() {
    return arguments.reset();
  }

  /** Launches a kernel with the current {@link #arguments}. */
  public void launch(Function kernel, LaunchShape shape) {
    lastKernel = Optional.of(kernel);
    try (StreamTrace.Open _ = phase("compute", 0)) {
      stream.launch(kernel, shape, arguments.struct());
    }
  }

  /** Returns the recorder of phases. */
  StreamTrace trace() {
    return trace;
  }

  /**
   * Starts a phase for the listener; closing it ends the phase after the work enqueued until then.
   * A nested phase belongs to the outer one. A launch outside of any phase is reported as {@code
   * compute}.
   *
   * @param bytes the bytes that the phase processes; zero if unknown
   */
  public StreamTrace.Open phase(String name, long bytes) {
    return trace.open(name, bytes);
  }

  /** Returns the name of the kernel that was launched last, for messages. */
  String lastKernel() {
    return lastKernel.map(Function::name).orElse("no kernel");
  }

  /** Sets whether the call uses no other slot. */
  void setOnlySlot(boolean isOnly) {
    this.isOnlySlot = isOnly;
  }

  /** Marks the current end of the stream, for {@link #await}. */
  public void mark() {
    if (!isOnlySlot) {
      stream.record(event);
    }
  }

  /**
   * Waits for the work before the last {@link #mark}. The thread first polls, outside of the
   * driver, whose locks other threads need. Then it sleeps if the call has several slots. With one
   * slot it waits in the driver, which returns earlier.
   */
  public void await() {
    if (!SpinThenPark.spin(this::isDone, SPIN_NS)) {
      if (isOnlySlot) {
        stream.synchronize();
      } else {
        event.synchronize();
      }
    }
  }

  /** Returns whether the work before the last {@link #mark} has completed. Thread-safe. */
  public boolean isDone() {
    return isOnlySlot ? stream.isIdle() : event.isDone();
  }

  /** Waits until the stream is idle; driver errors are ignored. */
  public void drain() {
    try {
      stream.synchronize();
    } catch (CudaException e) {
      // The first failure is already being thrown; after this one the stream is idle as well.
    }
  }

  /** Frees scratch memory above the limit. */
  void shrink() {
    if (deviceBytes() > context.device().memoryBytes() / KEPT_MEMORY_DIVISOR) {
      freeDevice();
    }
  }

  void freeDevice() {
    device.ifPresent(DeviceBuffer::close);
    device = Optional.empty();
  }

  private void freePinned() {
    pinned.ifPresent(PinnedBuffer::close);
    pinned = Optional.empty();
  }

  @Override
  public void close() {
    freeDevice();
    freePinned();
    trace.close();
    event.close();
    stream.close();
    arena.close();
  }
}

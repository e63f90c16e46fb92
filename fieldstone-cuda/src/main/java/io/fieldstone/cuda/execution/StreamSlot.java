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
 * A stream with scratch memory on both sides of the bus, for the length of a call. For one thread
 * at a time.
 */
public final class StreamSlot implements AutoCloseable {

  /**
   * Scratch larger than this part of the GPU goes back to it after the call. Less is kept, because
   * gigabytes take tens of milliseconds to be had again.
   */
  private static final int KEPT_MEMORY_DIVISOR = 8;

  /**
   * What the driver has put to sleep is awake again after tens of microseconds, and after about a
   * millisecond where processors are virtual: as long as a piece takes on the bus, or longer.
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
   * Makes sure of scratch of a size; what was in it before is lost if it was smaller.
   *
   * @throws io.fieldstone.cuda.driver.OutOfDeviceMemoryException if the GPU has not so much
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

  /** Address of scratch on the GPU, {@code offset} as a {@link ScratchLayout} gave it. */
  public long device(long offset) {
    return device.map(DeviceBuffer::address).orElse(0L) + offset;
  }

  /** Scratch in pinned host memory. */
  public MemorySegment pinned(long offset, long bytes) {
    return pinned.orElseThrow().segment().asSlice(offset, bytes);
  }

  /** Begins the arguments of a launch. */
  public KernelArguments arguments() {
    return arguments.begin();
  }

  /** Launches a kernel with what was written to {@link #arguments} last. */
  public void launch(Function kernel, LaunchShape shape) {
    lastKernel = Optional.of(kernel);
    try (StreamTrace.Open _ = phase("compute", 0)) {
      stream.launch(kernel, shape, arguments.struct());
    }
  }

  /** What it was busy with, for who listens. */
  StreamTrace trace() {
    return trace;
  }

  /**
   * Begins a phase, for who listens; it ends with what the stream has been given when it is closed.
   * One within another is part of that. What is launched outside of any is called {@code compute}.
   *
   * @param bytes that it works on; zero if they are not counted
   */
  public StreamTrace.Open phase(String name, long bytes) {
    return trace.open(name, bytes);
  }

  /** The last kernel that was launched here, for messages. */
  String lastKernel() {
    return lastKernel.map(Function::name).orElse("no kernel");
  }

  /** Says whether its call has no other lane. */
  void setOnlySlot(boolean isOnly) {
    this.isOnlySlot = isOnly;
  }

  /** Marks what has been asked for so far, for {@link #await}. */
  public void mark() {
    if (!isOnlySlot) {
      stream.record(event);
    }
  }

  /**
   * Waits for what was asked for before the last {@link #mark}. At first it looks again and again,
   * outside of the driver, which other threads need for other GPUs; then, of several lanes, each
   * has time to sleep while others are at work. Who waits for the only one wants to know soonest.
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

  /** Whether what was asked for before the last {@link #mark} is done. Any thread may ask. */
  public boolean isDone() {
    return isOnlySlot ? stream.isIdle() : event.isDone();
  }

  /** Waits until nothing is under way, whatever has gone wrong before. */
  public void drain() {
    try {
      stream.synchronize();
    } catch (CudaException e) {
      // The failure that led here is thrown already; after this one nothing runs either.
    }
  }

  /** Frees scratch that is too large to keep. */
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

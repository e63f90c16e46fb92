package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.MemoryInfo;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An open GPU with the resources that the ports of an engine share. Thread-safe.
 *
 * <p>When the GPU loses its context, because of a kernel or hardware failure, all objects are
 * closed and later calls report the reason. Pinned memory of the engine is closed too, unless a
 * call of another thread uses it; other host memory is not affected.
 */
public final class Gpu implements AutoCloseable {

  /** The first major compute capability with binary tensor cores. */
  private static final int BINARY_TENSOR_CORES_MAJOR = 8;

  private final String spec;
  private final Context context;
  private final KernelModules modules;
  private final ParallelMemcpy copies;
  private final StreamPool streams;
  private final JobRunner jobs;
  private final UsageGuard usage = new UsageGuard();
  private final AtomicBoolean released = new AtomicBoolean();

  /**
   * Opens a device.
   *
   * @param spec the name of the engine, for messages
   * @param loader loads the compiled kernels
   * @param options the number of copying host threads, and the phase listener
   */
  public Gpu(String spec, Device device, KernelModules.Loader loader, EngineOptions options) {
    this.spec = spec;
    this.context = device.open();
    try {
      this.modules = new KernelModules(context, loader);
      this.streams = new StreamPool(context, spec, options.phases());
      this.jobs = new JobRunner(streams);
      this.copies = new ParallelMemcpy(options.threads());
    } catch (RuntimeException | Error e) {
      context.close();
      throw e;
    }
  }

  public Context context() {
    return context;
  }

  public KernelModules modules() {
    return modules;
  }

  /** Returns the host threads that copy memory. */
  public ParallelMemcpy copies() {
    return copies;
  }

  /** Returns whether the GPU has binary tensor cores. */
  public boolean hasBinaryTensorCores() {
    return context.device().major() >= BINARY_TENSOR_CORES_MAJOR;
  }

  public StreamPool streams() {
    return streams;
  }

  public JobRunner jobs() {
    return jobs;
  }

  /**
   * Runs a call of a port.
   *
   * @param operation describes the call, for messages
   * @param memory the caller's memory, kept open during the call
   * @throws IllegalStateException if the engine is closed
   * @throws EngineFailedException if the GPU fails; after most failures the engine is closed
   * @throws EngineMemoryError if device memory is insufficient even for the smallest pieces
   */
  public <T> T call(Supplier<String> operation, Supplier<T> work, MemorySegment... memory) {
    List<T> result = new ArrayList<>(1);
    run(operation, () -> result.add(work.get()), memory);
    return result.getFirst();
  }

  /** Runs a call of a port that has no result, as {@link #call} does. */
  public void run(Supplier<String> operation, Runnable work, MemorySegment... memory) {
    usage.enter();
    // A failure of leaving is suppressed by one of the call.
    try (Exit _ = this::leave) {
      runEntered(operation, work, memory);
    }
  }

  /** The end of a call. */
  private interface Exit extends AutoCloseable {
    @Override
    void close();
  }

  private void leave() {
    if (usage.leave()) {
      release();
    }
  }

  private void runEntered(Supplier<String> operation, Runnable work, MemorySegment... memory) {
    try {
      HeldMemory.run(work, memory);
    } catch (OutOfDeviceMemoryException e) {
      throw outOfMemory(operation.get(), e);
    } catch (StreamFailure e) {
      String failedOperation = operation.get() + ", " + e.getMessage();
      if (e.failure() instanceof OutOfDeviceMemoryException full) {
        throw outOfMemory(failedOperation, full);
      }
      throw failed(failedOperation, e.failure());
    } catch (CudaException e) {
      throw failed(operation.get(), e);
    }
  }

  private IllegalStateException failed(String operation, CudaException e) {
    String reason = "%s: %s".formatted(operation, e.getMessage());
    if (e.isSticky()) {
      reason = "engine %s was closed after a failure of the GPU: %s".formatted(spec, reason);
      usage.close(reason);
    }
    return new EngineFailedException(reason, e);
  }

  private OutOfMemoryError outOfMemory(String operation, OutOfDeviceMemoryException e) {
    String free;
    try {
      MemoryInfo memory = context.memory();
      free = "%d of the GPU's %d bytes are free".formatted(memory.freeBytes(), memory.totalBytes());
    } catch (CudaException unknown) {
      free = "the free memory is unknown";
    }
    return new EngineMemoryError(
        "engine %s has not enough memory to %s: %s; %s"
            .formatted(spec, operation, e.getMessage(), free),
        e);
  }

  /**
   * Checks that the engine is open.
   *
   * @throws IllegalStateException if the engine is closed
   */
  public void requireOpen() {
    run(() -> "open", () -> {});
  }

  /** Allocates uninitialized memory; scratch memory of idle slots is freed for it if necessary. */
  public DeviceBuffer reserve(long bytes) {
    try {
      return context.allocate(bytes);
    } catch (OutOfDeviceMemoryException e) {
      streams.freeIdle();
      return context.allocate(bytes);
    }
  }

  /**
   * Makes an object that owns uninitialized memory, which is freed if that fails.
   *
   * @param maker makes the object
   */
  public <T> T withReserved(long bytes, Function<DeviceBuffer, T> maker) {
    DeviceBuffer buffer = reserve(bytes);
    try {
      return maker.apply(buffer);
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /** Allocates zeroed memory. */
  public DeviceBuffer allocate(long bytes) {
    long size = Math.max(1, bytes);
    return withReserved(
        size,
        buffer -> {
          streams.useOne(slot -> {
            slot.stream().fill(buffer.address(), 0, size);
            slot.stream().synchronize();
          });
          return buffer;
        });
  }

  /** Waits for running calls, then frees all resources. Idempotent. */
  @Override
  public void close() {
    usage.close("engine " + spec + " is closed");
    usage.awaitUnused();
    release();
  }

  private void release() {
    if (released.compareAndSet(false, true)) {
      copies.close();
      streams.close();
      context.close();
    }
  }
}

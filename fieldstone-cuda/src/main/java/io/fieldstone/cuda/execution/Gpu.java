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
import java.util.function.Supplier;

/**
 * An open GPU: what the ports of an engine share. Thread-safe.
 *
 * <p>When the GPU loses its context, because a kernel failed or the hardware did, everything is
 * closed and later calls say why. Memory of the host is never lost.
 */
public final class Gpu implements AutoCloseable {

  /** The first compute capability with products of bits on tensor cores. */
  private static final int BINARY_TENSOR_CORES_MAJOR = 8;

  private final String spec;
  private final Context context;
  private final KernelModules modules;
  private final ParallelMemcpy copies;
  private final StreamPool streams;
  private final JobRunner runner;
  private final UsageGuard usage = new UsageGuard();
  private final AtomicBoolean released = new AtomicBoolean();

  /**
   * Opens a device.
   *
   * @param spec the engine's name, for messages
   * @param loader has the compiled kernels
   * @param options threads of the host that help with copies, and who listens
   */
  public Gpu(String spec, Device device, KernelModules.Loader loader, EngineOptions options) {
    this.spec = spec;
    this.context = device.open();
    try {
      this.modules = new KernelModules(context, loader);
      this.streams = new StreamPool(context, spec, options.phases());
      this.runner = new JobRunner(streams);
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

  /** Threads of the host that help with copies. */
  public ParallelMemcpy copies() {
    return copies;
  }

  /** Whether it has tensor cores that multiply bits and count ones. */
  public boolean hasBinaryTensorCores() {
    return context.device().major() >= BINARY_TENSOR_CORES_MAJOR;
  }

  public StreamPool streams() {
    return streams;
  }

  /**
   * Does the work of a call of a port.
   *
   * @param what it does, for messages
   * @param memory of the caller, which stays open until the work is done
   * @throws IllegalStateException if the engine is closed
   * @throws EngineFailedException if the GPU failed; after most failures the engine is closed
   * @throws EngineMemoryError if the GPU's memory is short, in whatever small pieces the work is
   *     done
   */
  public <T> T call(Supplier<String> what, Supplier<T> work, MemorySegment... memory) {
    usage.enter();
    try {
      List<T> result = new ArrayList<>(1);
      HeldMemory.run(() -> result.add(work.get()), memory);
      return result.getFirst();
    } catch (OutOfDeviceMemoryException e) {
      throw outOfMemory(what.get(), e);
    } catch (StreamFailure e) {
      String where = what.get() + ", " + e.getMessage();
      if (e.failure() instanceof OutOfDeviceMemoryException full) {
        throw outOfMemory(where, full);
      }
      throw failed(where, e.failure());
    } catch (CudaException e) {
      throw failed(what.get(), e);
    } finally {
      if (usage.leave()) {
        release();
      }
    }
  }

  private IllegalStateException failed(String what, CudaException e) {
    String why = "%s: %s".formatted(what, e.getMessage());
    if (e.isSticky()) {
      why = "engine %s was closed after a failure of the GPU: %s".formatted(spec, why);
      usage.close(why);
    }
    return new EngineFailedException(why, e);
  }

  private OutOfMemoryError outOfMemory(String what, OutOfDeviceMemoryException e) {
    String free;
    try {
      MemoryInfo memory = context.memory();
      free = "%d of the GPU's %d bytes are free".formatted(memory.freeBytes(), memory.totalBytes());
    } catch (CudaException unknown) {
      free = "the driver does not say how much is free";
    }
    return new EngineMemoryError(
        "engine %s has not enough memory to %s: %s; %s".formatted(spec, what, e.getMessage(), free),
        e);
  }

  /**
   * @throws IllegalStateException if the engine is closed
   */
  public void requireOpen() {
    call(() -> "open", () -> this);
  }

  /** Memory of any content; that of idle lanes is freed for it if need be. */
  public DeviceBuffer reserve(long bytes) {
    try {
      return context.allocate(bytes);
    } catch (OutOfDeviceMemoryException e) {
      streams.freeIdle();
      return context.allocate(bytes);
    }
  }

  /** Zeroed memory. */
  public DeviceBuffer allocate(long bytes) {
    long least = Math.max(1, bytes);
    DeviceBuffer buffer = reserve(least);
    streams.useOne(slot -> {
      slot.stream().fill(buffer.address(), 0, least);
      slot.stream().synchronize();
    });
    return buffer;
  }

  /** Runs a job on bytes in lanes; its memory belongs to a caller who waits. */
  public void run(PieceJob<?> job) {
    runner.run(job);
  }

  /** Waits for calls under way, then frees everything. Idempotent. */
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

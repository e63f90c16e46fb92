package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A queue of device work that runs in order: copies, kernels and waits for events.
 *
 * <p>Every call enqueues work and returns; only {@link #synchronize} waits. Host memory must be
 * native and stay alive and unmodified until the work has completed. It should be page-locked
 * ({@link Context#isPinned}): otherwise the driver copies through its own staging memory, several
 * times slower, and the caller waits. Device addresses are not checked: the driver may report an
 * invalid one in a later call, as a sticky error.
 *
 * <p>Thread-safe: calls are serialized. They allocate no memory.
 */
public final class Stream extends Resource {

  /** The maximum row stride of the driver's 2D copies, on every device. */
  private static final long MAX_STRIDE = Integer.MAX_VALUE;

  private final MemorySegment parameters = Arena.ofAuto().allocate(JAVA_LONG);
  private final Copy2D copy2D = new Copy2D(Arena.ofAuto());
  private final long handle;

  Stream(Context context, long handle) {
    super(context);
    this.handle = handle;
  }

  /**
   * Enqueues a copy to the device.
   *
   * @param from the native memory to copy
   * @throws CudaException if the driver reports an error
   */
  public synchronized void upload(MemorySegment from, long toAddress) {
    requireReadable(from);
    DriverCalls calls = enter();
    if (from.byteSize() > 0) {
      try {
        calls.copyHostToDevice(toAddress, from.address(), from.byteSize(), handle);
      } finally {
        Reference.reachabilityFence(from);
      }
    }
  }

  /**
   * Enqueues a copy from the device.
   *
   * @param to the native memory to fill
   * @throws CudaException if the driver reports an error
   */
  public synchronized void download(long fromAddress, MemorySegment to) {
    requireWritable(to);
    DriverCalls calls = enter();
    if (to.byteSize() > 0) {
      try {
        calls.copyDeviceToHost(to.address(), fromAddress, to.byteSize(), handle);
      } finally {
        Reference.reachabilityFence(to);
      }
    }
  }

  /**
   * Enqueues a copy on the device between disjoint ranges.
   *
   * @throws CudaException if the driver reports an error
   */
  public synchronized void copy(long fromAddress, long toAddress, long bytes) {
    requireSize("bytes", bytes);
    DriverCalls calls = enter();
    if (bytes > 0) {
      calls.copyDeviceToDevice(toAddress, fromAddress, bytes, handle);
    }
  }

  /**
   * Enqueues a copy to this device from another, or from this one. It is direct after {@link
   * Context#enablePeerAccess}, else it goes through the host.
   *
   * @param from the context of the source memory
   * @throws IllegalArgumentException if {@code from} belongs to another driver
   * @throws CudaException if the driver reports an error
   */
  public synchronized void copyFrom(Context from, long fromAddress, long toAddress, long bytes) {
    requireSize("bytes", bytes);
    long source = from.handleFor(context());
    DriverCalls calls = enter();
    if (bytes > 0) {
      calls.copyFromPeer(toAddress, context().handleFor(from), fromAddress, source, bytes, handle);
    }
  }

  /**
   * Enqueues a copy of rows to the device; bytes between rows are not changed.
   *
   * @param from native memory; row r begins at byte {@code r * fromStride}
   * @param fromStride the distance of rows in bytes, at least {@code rowBytes}
   * @param toAddress the device address of row 0
   * @param toStride the distance of rows on the device
   * @throws IllegalArgumentException if {@code from} is smaller than the rows
   * @throws CudaException if the driver reports an error
   */
  public synchronized void upload2D(
      MemorySegment from,
      long fromStride,
      long toAddress,
      long toStride,
      long rowBytes,
      long rows) {
    requireReadable(from);
    requireRows(from, fromStride, rowBytes, rows);
    try {
      copyRows(
          Copy2D.HOST,
          from.address(),
          fromStride,
          Copy2D.DEVICE,
          toAddress,
          toStride,
          rowBytes,
          rows);
    } finally {
      Reference.reachabilityFence(from);
    }
  }

  /**
   * Enqueues a copy of rows from the device, as {@link #upload2D}.
   *
   * @throws IllegalArgumentException if {@code to} is smaller than the rows
   * @throws CudaException if the driver reports an error
   */
  public synchronized void download2D(
      long fromAddress,
      long fromStride,
      MemorySegment to,
      long toStride,
      long rowBytes,
      long rows) {
    requireWritable(to);
    requireRows(to, toStride, rowBytes, rows);
    try {
      copyRows(
          Copy2D.DEVICE,
          fromAddress,
          fromStride,
          Copy2D.HOST,
          to.address(),
          toStride,
          rowBytes,
          rows);
    } finally {
      Reference.reachabilityFence(to);
    }
  }

  /**
   * Enqueues a copy of rows on the device between disjoint ranges, as {@link #upload2D}.
   *
   * @throws CudaException if the driver reports an error
   */
  public synchronized void copy2D(
      long fromAddress, long fromStride, long toAddress, long toStride, long rowBytes, long rows) {
    copyRows(
        Copy2D.DEVICE, fromAddress, fromStride, Copy2D.DEVICE, toAddress, toStride, rowBytes, rows);
  }

  private void copyRows(
      int fromType,
      long from,
      long fromStride,
      int toType,
      long to,
      long toStride,
      long rowBytes,
      long rows) {
    requireSize("rowBytes", rowBytes);
    requireSize("rows", rows);
    requireStride("fromStride", fromStride, rowBytes, rows);
    requireStride("toStride", toStride, rowBytes, rows);
    DriverCalls calls = enter();
    if (rowBytes == 0 || rows == 0) {
      return;
    }
    boolean packed = fromStride == rowBytes && toStride == rowBytes;
    if (rows == 1 || packed) {
      copyBytes(calls, fromType, from, toType, to, rowBytes * rows);
    } else if (fromStride <= MAX_STRIDE && toStride <= MAX_STRIDE) {
      calls.copy2D(
          copy2D.write(fromType, from, fromStride, toType, to, toStride, rowBytes, rows), handle);
    } else {
      for (long row = 0; row < rows; row++) {
        copyBytes(calls, fromType, from + row * fromStride, toType, to + row * toStride, rowBytes);
      }
    }
  }

  private void copyBytes(
      DriverCalls calls, int fromType, long from, int toType, long to, long bytes) {
    if (fromType == Copy2D.HOST) {
      calls.copyHostToDevice(to, from, bytes, handle);
    } else if (toType == Copy2D.HOST) {
      calls.copyDeviceToHost(to, from, bytes, handle);
    } else {
      calls.copyDeviceToDevice(to, from, bytes, handle);
    }
  }

  /**
   * Enqueues filling device memory with a byte.
   *
   * @param value 0 … 255
   * @throws CudaException if the driver reports an error
   */
  public synchronized void fill(long address, int value, long bytes) {
    if (value < 0 || value > 255) {
      throw new IllegalArgumentException("value " + value + " is not in 0…255");
    }
    requireSize("bytes", bytes);
    DriverCalls calls = enter();
    if (bytes > 0) {
      calls.setBytes(address, value, bytes, handle);
    }
  }

  /**
   * Enqueues a kernel launch.
   *
   * @param function a kernel that is loaded on this device
   * @param arguments native memory with the one struct that the kernel takes by value; read before
   *     this method returns. The driver reads the size of the kernel's parameter.
   * @throws CudaException if the driver reports an error, also of earlier work
   */
  public synchronized void launch(Function function, LaunchShape shape, MemorySegment arguments) {
    requireReadable(arguments);
    if (!context().isSameAs(function.context())) {
      throw new IllegalArgumentException(
          function.name()
              + " is loaded on "
              + function.context().device()
              + ", this stream belongs to "
              + context().device());
    }
    DriverCalls calls = enter();
    parameters.set(JAVA_LONG, 0, arguments.address());
    try {
      calls.launchKernel(function.handle(), shape, handle, parameters.address());
    } finally {
      Reference.reachabilityFence(arguments);
    }
  }

  /**
   * Enqueues the recording of an event.
   *
   * @param event an event of the same context
   * @throws CudaException if the driver reports an error
   */
  public synchronized void record(Event event) {
    enter().eventRecord(event.handle(), handle);
  }

  /**
   * Makes later work of this stream wait for an event, without blocking the caller.
   *
   * @param event a recorded event of any device
   * @throws CudaException if the driver reports an error
   */
  public synchronized void await(Event event) {
    enter().streamWaitEvent(handle, event.handle(), 0);
  }

  /**
   * Waits until all enqueued work has completed.
   *
   * @throws CudaException if the driver reports an error, also of that work
   */
  public void synchronize() {
    enter().streamSynchronize(handle);
  }

  /**
   * Returns whether all enqueued work has completed.
   *
   * @throws CudaException if the driver reports an error, also of that work
   */
  public boolean isIdle() {
    return enter().streamQuery(handle);
  }

  @Override
  void free(DriverCalls calls) {
    calls.streamDestroy(handle);
  }

  private static void requireReadable(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException("heap memory: a device copies native memory only");
    }
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the memory has been freed");
    }
    if (!memory.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the memory is confined to another thread");
    }
  }

  private static void requireWritable(MemorySegment memory) {
    requireReadable(memory);
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory is read-only");
    }
  }

  private static void requireSize(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " " + value + " is negative");
    }
  }

  private static void requireStride(String name, long stride, long rowBytes, long rows) {
    if (stride < rowBytes && rows > 1) {
      throw new IllegalArgumentException(
          name + " " + stride + " is less than " + rowBytes + " bytes of a row");
    }
  }

  private static void requireRows(MemorySegment memory, long stride, long rowBytes, long rows) {
    requireSize("rowBytes", rowBytes);
    requireSize("rows", rows);
    if (rows > 0 && rowBytes > 0) {
      long end = Math.addExact(Math.multiplyExact(rows - 1, stride), rowBytes);
      if (end > memory.byteSize()) {
        throw new IllegalArgumentException(
            rows
                + " rows of "
                + rowBytes
                + " bytes, "
                + stride
                + " apart, end at byte "
                + end
                + " of "
                + memory.byteSize());
      }
    }
  }
}

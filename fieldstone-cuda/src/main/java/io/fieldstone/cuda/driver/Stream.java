package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Work for a device in the order in which it is given: copies, kernels, waits for events.
 *
 * <p>Every call puts work into the stream and returns; only {@link #synchronize} waits. Memory of
 * the host is native, stays alive and untouched until the work is done, and should be page-locked
 * ({@link Context#isPinned}): else the driver copies it through memory of its own, several times
 * slower, and the caller waits. Device addresses are taken as given: the driver may report a wrong
 * one at some later call, as a sticky error.
 *
 * <p>Any thread may use it; calls of several threads enter it one after another. It allocates
 * nothing.
 */
public final class Stream extends Resource {

  /** {@code CU_STREAM_CAPTURE_MODE_THREAD_LOCAL}: what other threads do does not matter. */
  private static final int THREAD_LOCAL = 1;

  /** Bytes from a row to the next that the driver's 2D copies step over, on every device. */
  private static final long MAX_STRIDE = Integer.MAX_VALUE;

  private final MemorySegment parameters = Arena.ofAuto().allocate(JAVA_LONG);
  private final Copy2D copy2D = new Copy2D(Arena.ofAuto());
  private final long handle;

  Stream(Context context, long handle) {
    super(context);
    this.handle = handle;
  }

  /**
   * Copies to the device.
   *
   * @param from native memory, all of it
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
   * Copies from the device.
   *
   * @param to native memory, all of it
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
   * Copies on the device, between places that do not overlap.
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
   * Copies to this device from another, or from this: by the way that {@link
   * Context#enablePeerAccess} has found, or through the host.
   *
   * @param from the context that the bytes are of
   * @throws IllegalArgumentException if that is another driver's
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
   * Copies rows to the device; what lies between rows stays as it was.
   *
   * @param from native memory; row r begins at byte {@code r * fromStride}
   * @param fromStride bytes from a row to the next, at least {@code rowBytes}
   * @param toAddress where row 0 goes
   * @param toStride as {@code fromStride}
   * @throws IllegalArgumentException if {@code from} does not hold the rows
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
   * Copies rows from the device, as {@link #upload2D} does to it.
   *
   * @throws IllegalArgumentException if {@code to} does not hold the rows
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
   * Copies rows on the device, as {@link #upload2D} does to it, between places that do not overlap.
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
   * Sets bytes on the device.
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
   * Launches a kernel.
   *
   * @param function a kernel of this device
   * @param arguments native memory, laid out as the one struct that the kernel takes by value; read
   *     before this returns. The driver reads as much as the kernel takes, whatever the size.
   * @throws CudaException if the driver reports an error, perhaps of work given to it earlier
   */
  public synchronized void launch(Function function, LaunchShape shape, MemorySegment arguments) {
    requireReadable(arguments);
    if (!context().isSameAs(function.context())) {
      throw new IllegalArgumentException(
          function.name()
              + " is loaded on "
              + function.context().device()
              + ", this stream is of "
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
   * Sets the event to this point of the stream.
   *
   * @param event of the same context
   * @throws CudaException if the driver reports an error
   */
  public synchronized void record(Event event) {
    enter().eventRecord(event.handle(), handle);
  }

  /**
   * Lets work given from now on wait for the event, on the device; the caller goes on.
   *
   * @param event of any device, recorded
   * @throws CudaException if the driver reports an error
   */
  public synchronized void await(Event event) {
    enter().streamWaitEvent(handle, event.handle(), 0);
  }

  /**
   * Waits until all the work given so far is done.
   *
   * @throws CudaException if the driver reports an error, perhaps of that work
   */
  public void synchronize() {
    enter().streamSynchronize(handle);
  }

  /**
   * Whether all the work given so far is done.
   *
   * @throws CudaException if the driver reports an error, perhaps of that work
   */
  public boolean isIdle() {
    return enter().streamQuery(handle);
  }

  /**
   * Captures what {@code work} puts into this stream, and into others that it joins to it by
   * events, instead of doing it. The work waits for nothing, allocates nothing, and copies only
   * page-locked memory.
   *
   * @throws CudaException if the driver reports an error
   */
  public synchronized Graph capture(Runnable work) {
    DriverCalls calls = enter();
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment out = scratch.allocate(JAVA_LONG);
      calls.streamBeginCapture(handle, THREAD_LOCAL);
      try {
        work.run();
        enter();
      } catch (RuntimeException | Error failed) {
        abandonCapture(calls, out, failed);
        throw failed;
      }
      calls.streamEndCapture(handle, out.address());
      return instantiate(calls, out.get(JAVA_LONG, 0), out);
    }
  }

  /** Ends a capture that failed, so that the stream can be used again. */
  private void abandonCapture(DriverCalls calls, MemorySegment out, Throwable failed) {
    cleanUp(
        failed,
        () -> {
          calls.streamEndCapture(handle, out.address());
          calls.graphDestroy(out.get(JAVA_LONG, 0));
        });
  }

  /** Makes what was captured ready to launch; the capture itself is not needed after that. */
  private Graph instantiate(DriverCalls calls, long captured, MemorySegment out) {
    try {
      calls.graphInstantiate(out.address(), captured, 0L);
    } catch (CudaException failed) {
      cleanUp(failed, () -> calls.graphDestroy(captured));
      throw failed;
    }
    Graph graph = context().register(new Graph(context(), out.get(JAVA_LONG, 0)));
    try {
      calls.graphDestroy(captured);
    } catch (CudaException failed) {
      cleanUp(failed, graph::close);
      throw failed;
    }
    return graph;
  }

  /** Cleans up after a failure; what fails too is told with it, unless the context is lost. */
  private static void cleanUp(Throwable failed, Runnable cleaning) {
    try {
      cleaning.run();
    } catch (CudaException alsoFailed) {
      if (!alsoFailed.isSticky()) {
        failed.addSuppressed(alsoFailed);
      }
    }
  }

  long handle() {
    requireOpen();
    return handle;
  }

  @Override
  void free(DriverCalls calls) {
    calls.streamDestroy(handle);
  }

  private static void requireReadable(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException("memory of the heap: a device copies native memory only");
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
          name + " " + stride + " is less than the " + rowBytes + " bytes of a row");
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

package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A device open for work; everything the device holds for us is made here.
 *
 * <p>Any thread may use it: each call makes it current on the thread that calls, so one thread may
 * use several devices in turn. Closing it waits for the device and closes what was made here and is
 * still open. It must not be closed while another thread is in a call.
 */
public final class Context implements AutoCloseable {

  /** {@code CU_STREAM_NON_BLOCKING}: a stream that has nothing to do with the default stream. */
  private static final int NON_BLOCKING = 1;

  /** {@code CU_EVENT_BLOCKING_SYNC}: who waits for it sleeps. */
  private static final int BLOCKING_SYNC = 1;

  /** {@code CU_EVENT_DISABLE_TIMING}: cheaper to record and to wait for. */
  private static final int DISABLE_TIMING = 2;

  /** {@code CU_MEMHOSTALLOC_PORTABLE}: pinned for every context, not only this. */
  private static final int PORTABLE = 1;

  /** {@code CU_POINTER_ATTRIBUTE_MEMORY_TYPE}. */
  private static final int MEMORY_TYPE = 2;

  /** {@code CU_POINTER_ATTRIBUTE_BUFFER_ID}: one number for each allocation of the process. */
  private static final int BUFFER_ID = 7;

  private final Device device;
  private final DriverCalls calls;
  private final int deviceHandle;
  private final long handle;
  private final Set<Resource> resources = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whether there is a way to the contexts that were asked about, by their handles. */
  private final Map<Long, Boolean> peerAccess = new ConcurrentHashMap<>();

  Context(Device device, DriverCalls calls, int deviceHandle, long handle) {
    this.device = device;
    this.calls = calls;
    this.deviceHandle = deviceHandle;
    this.handle = handle;
  }

  /** The device. */
  public Device device() {
    return device;
  }

  /**
   * Memory on the device.
   *
   * @param bytes at least 1
   * @throws OutOfDeviceMemoryException if the device has not as much in one piece
   * @throws CudaException if the driver reports another error
   */
  public DeviceBuffer allocate(long bytes) {
    requirePositive(bytes);
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.memAlloc(out.address(), bytes);
      return register(new DeviceBuffer(this, out.get(JAVA_LONG, 0), bytes));
    }
  }

  /**
   * Page-locked memory on the host, for this device and every other one.
   *
   * @param bytes at least 1
   * @throws OutOfDeviceMemoryException if the host cannot lock as much
   * @throws CudaException if the driver reports another error
   */
  public PinnedBuffer allocatePinned(long bytes) {
    requirePositive(bytes);
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.memHostAlloc(out.address(), bytes, PORTABLE);
      return register(new PinnedBuffer(this, out.get(JAVA_LONG, 0), bytes));
    }
  }

  /**
   * Whether all of the memory is page-locked in one piece, by whomever: only then does a copy from
   * or to it go on while the caller does. Empty memory and memory of the heap are not.
   *
   * @throws CudaException if the driver reports an error
   */
  public boolean isPinned(MemorySegment memory) {
    if (!memory.isNative() || memory.byteSize() == 0) {
      return false;
    }
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      long first = memory.address();
      long last = first + memory.byteSize() - 1;
      if (!isPinned(first, out) || !isPinned(last, out)) {
        return false;
      }
      calls.pointerGetAttribute(out.address(), BUFFER_ID, first);
      long buffer = out.get(JAVA_LONG, 0);
      calls.pointerGetAttribute(out.address(), BUFFER_ID, last);
      return buffer == out.get(JAVA_LONG, 0);
    }
  }

  private boolean isPinned(long address, MemorySegment out) {
    return calls.pointerGetAttribute(out.address(), MEMORY_TYPE, address)
        && out.get(JAVA_INT, 0) == Copy2D.HOST;
  }

  /**
   * A stream of work, ordered in itself and with no other.
   *
   * @throws CudaException if the driver reports an error
   */
  public Stream stream() {
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.streamCreate(out.address(), NON_BLOCKING);
      return register(new Stream(this, out.get(JAVA_LONG, 0)));
    }
  }

  /**
   * An event to wait for; who waits leaves the core to others.
   *
   * @throws CudaException if the driver reports an error
   */
  public Event event() {
    return event(BLOCKING_SYNC | DISABLE_TIMING);
  }

  /**
   * An event that keeps the time; who waits for it spins, so that the wait is short.
   *
   * @throws CudaException if the driver reports an error
   */
  public Event timingEvent() {
    return event(0);
  }

  private Event event(int flags) {
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.eventCreate(out.address(), flags);
      return register(new Event(this, out.get(JAVA_LONG, 0)));
    }
  }

  /**
   * Kernels, put on the device.
   *
   * @param image a fatbin, a cubin or PTX; read before this returns
   * @throws CudaException if the image has nothing that this device and driver can run, or another
   *     error
   */
  public Module load(MemorySegment image) {
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      calls.moduleLoadData(out.address(), terminated(image, arena).address());
      return register(new Module(this, out.get(JAVA_LONG, 0)));
    } catch (CudaException refused) {
      throw explained(refused);
    }
  }

  /** The image in native memory, with the zero behind it that ends PTX. */
  private static MemorySegment terminated(MemorySegment image, Arena arena) {
    MemorySegment copy = arena.allocate(image.byteSize() + 1, Long.BYTES);
    copy.copyFrom(image);
    copy.set(JAVA_BYTE, image.byteSize(), (byte) 0);
    return copy;
  }

  private CudaException explained(CudaException refused) {
    String why =
        switch (refused.error().code()) {
          case CudaError.NO_BINARY_FOR_GPU ->
              "the kernels are for GPUs of compute capability 7.5 and later, and this is " + device;
          case CudaError.UNSUPPORTED_PTX_VERSION ->
              "there is no machine code for "
                  + device
                  + ", and the driver is older than the kernels' PTX: a newer driver will run them";
          case CudaError.JIT_COMPILER_NOT_FOUND ->
              "there is no machine code for "
                  + device
                  + ", and the driver's compiler (libnvidia-ptxjitcompiler.so.1) is not installed";
          default -> "";
        };
    return why.isEmpty() ? refused : new CudaException(refused.error(), refused.call(), why);
  }

  /**
   * The device's memory now.
   *
   * @throws CudaException if the driver reports an error
   */
  public MemoryInfo memory() {
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(JAVA_LONG);
      MemorySegment total = arena.allocate(JAVA_LONG);
      calls.memGetInfo(free.address(), total.address());
      return new MemoryInfo(free.get(JAVA_LONG, 0), total.get(JAVA_LONG, 0));
    }
  }

  /**
   * Waits until the device has done all the work of this context.
   *
   * @throws CudaException if the driver reports an error, perhaps of that work
   */
  public void synchronize() {
    enter();
    calls.contextSynchronize();
  }

  /**
   * Lets this device read another's memory without a detour, by a link between them or the bus, if
   * there is such a way. Copies from one to the other are right without it, by way of the host. To
   * ask again costs nothing.
   *
   * @param peer another device's, of the same driver
   * @return whether there is
   * @throws CudaException if the driver reports an error
   */
  public boolean enablePeerAccess(Context peer) {
    requireSameDriver(peer);
    Boolean known = peerAccess.get(peer.handle);
    if (known != null) {
      return known;
    }
    boolean reaches = tryPeerAccess(peer);
    peerAccess.put(peer.handle, reaches);
    return reaches;
  }

  private boolean tryPeerAccess(Context peer) {
    enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      calls.deviceCanAccessPeer(out.address(), deviceHandle, peer.deviceHandle);
      return out.get(JAVA_INT, 0) != 0 && calls.contextEnablePeerAccess(peer.handle, 0);
    }
  }

  /** Whether both are of one driver, so that memory can be copied from one to the other. */
  public boolean isOfSameDriverAs(Context other) {
    return calls.isSameLibraryAs(other.calls);
  }

  private void requireSameDriver(Context other) {
    if (!isOfSameDriverAs(other)) {
      throw new IllegalArgumentException(other.device() + " is another driver's");
    }
  }

  /** How many buffers, streams, events, modules and graphs made here are not closed. */
  public int openResources() {
    return resources.size();
  }

  /**
   * Waits for the device, then closes what is open and the context. Closing again does nothing.
   *
   * @throws CudaException if the driver reports an error, other than that the context is lost
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Optional<RuntimeException> failure = attempt(this::finishWork);
    for (Resource resource : Set.copyOf(resources)) {
      failure = combined(failure, attempt(resource::close));
    }
    failure = combined(failure, attempt(() -> calls.primaryContextRelease(deviceHandle)));
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void finishWork() {
    calls.contextSetCurrent(handle);
    calls.contextSynchronize();
  }

  /** Runs a step of closing, and gives back what went wrong unless it is that nothing is left. */
  private static Optional<RuntimeException> attempt(Runnable step) {
    try {
      step.run();
      return Optional.empty();
    } catch (CudaException failed) {
      return failed.isSticky() ? Optional.empty() : Optional.of(failed);
    } catch (IllegalStateException inUse) {
      return Optional.of(inUse);
    }
  }

  private static Optional<RuntimeException> combined(
      Optional<RuntimeException> first, Optional<RuntimeException> second) {
    if (first.isPresent() && second.isPresent()) {
      first.get().addSuppressed(second.get());
    }
    return first.or(() -> second);
  }

  /**
   * Makes it current on this thread, which costs the driver some nanoseconds and nothing of ours to
   * remember: another library may have made its own current since.
   */
  DriverCalls enter() {
    if (closed.get()) {
      throw new IllegalStateException("the context of " + device.name() + " is closed");
    }
    calls.contextSetCurrent(handle);
    return calls;
  }

  /**
   * Frees a resource that is being closed, also while the context itself is.
   *
   * @throws IllegalStateException if it is in use, and then it stays as it was
   */
  void free(Resource resource) {
    Optional<RuntimeException> failure =
        attempt(() -> {
          calls.contextSetCurrent(handle);
          resource.free(calls);
        });
    if (failure.filter(IllegalStateException.class::isInstance).isEmpty()) {
      resources.remove(resource);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** What the driver calls it; {@code other} is of the same driver. */
  long handleFor(Context other) {
    requireSameDriver(other);
    return handle;
  }

  /** Whether both work with the same context of the driver, so that streams and kernels mix. */
  boolean isSameAs(Context other) {
    return isOfSameDriverAs(other) && handle == other.handle;
  }

  <R extends Resource> R register(R resource) {
    resources.add(resource);
    return resource;
  }

  private static void requirePositive(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(bytes + " bytes: at least 1");
    }
  }
}

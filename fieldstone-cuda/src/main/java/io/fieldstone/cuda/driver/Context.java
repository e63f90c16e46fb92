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
 * An open device: creates its memory, streams, events and modules.
 *
 * <p>Thread-safe. Each call makes the context current on the calling thread, so one thread may use
 * several devices in turn. Closing waits for the device and closes all open resources of this
 * context. The context must not be closed while another thread is in a call.
 */
public final class Context implements AutoCloseable {

  /** {@code CU_STREAM_NON_BLOCKING}: does not synchronize with the default stream. */
  private static final int NON_BLOCKING = 1;

  /** {@code CU_EVENT_BLOCKING_SYNC}: a waiting thread sleeps. */
  private static final int BLOCKING_SYNC = 1;

  /** {@code CU_EVENT_DISABLE_TIMING}: recording and waiting are cheaper. */
  private static final int DISABLE_TIMING = 2;

  /** {@code CU_MEMHOSTALLOC_PORTABLE}: pinned for every context, not only this. */
  private static final int PORTABLE = 1;

  /** {@code CU_MEMHOSTREGISTER_DEVICEMAP}: kernels access it. */
  private static final int DEVICE_MAP = 2;

  /** {@code CU_POINTER_ATTRIBUTE_MEMORY_TYPE}. */
  private static final int MEMORY_TYPE = 2;

  /** {@code CU_POINTER_ATTRIBUTE_BUFFER_ID}: a unique number per allocation of the process. */
  private static final int BUFFER_ID = 7;

  private final Device device;
  private final DriverCalls calls;
  private final int deviceHandle;
  private final long handle;
  private final Set<Resource> resources = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean released = new AtomicBoolean();

  /** Peer access to other contexts, by handle, as far as it was requested. */
  private final Map<Long, Boolean> peerAccess = new ConcurrentHashMap<>();

  Context(Device device, DriverCalls calls, int deviceHandle, long handle) {
    this.device = device;
    this.calls = calls;
    this.deviceHandle = deviceHandle;
    this.handle = handle;
  }

  /** Returns the device. */
  public Device device() {
    return device;
  }

  /**
   * Allocates device memory of undefined content.
   *
   * @param bytes at least 1
   * @throws OutOfDeviceMemoryException if the device lacks so large a contiguous block
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
   * Allocates page-locked host memory for all devices.
   *
   * @param bytes at least 1
   * @throws OutOfDeviceMemoryException if the host cannot lock the memory
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
   * Pins memory for all devices.
   *
   * @param owner frees the memory; closed with the buffer
   * @return the memory, or empty if the driver cannot pin it
   */
  public Optional<PinnedBuffer> pin(MemorySegment memory, Arena owner) {
    enter();
    boolean isPinned =
        device.attribute(DeviceAttribute.USES_ADDRESSES_OF_REGISTERED_MEMORY) == 1
            && calls.memHostRegister(memory.address(), memory.byteSize(), PORTABLE | DEVICE_MAP);
    return isPinned
        ? Optional.of(register(new PinnedBuffer(this, memory, owner)))
        : Optional.empty();
  }

  /**
   * Returns whether all of the memory belongs to one page-locked allocation. Only then do its
   * copies run asynchronously. Empty and heap memory are not pinned.
   *
   * @throws CudaException if the driver reports an error
   */
  public boolean isPinned(MemorySegment memory) {
    if (!memory.isNative() || memory.byteSize() == 0) {
      return false;
    }
    if (PinnedBuffer.isOfPages(memory)) {
      return true;
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
   * Creates a stream: its work is ordered, but not relative to other streams.
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
   * Creates an event without timing; a thread that waits for it sleeps.
   *
   * @throws CudaException if the driver reports an error
   */
  public Event event() {
    return event(BLOCKING_SYNC | DISABLE_TIMING);
  }

  /**
   * Creates an event with timing; a thread that waits for it spins.
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
   * Loads kernels onto the device.
   *
   * @param image a fatbin, a cubin or PTX; read before this method returns
   * @throws CudaException if the image has no code for this device and driver, or another error
   *     occurs
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

  /** Returns a native copy with the trailing zero that terminates PTX. */
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
              "the kernels need compute capability 7.5 or later, and this is " + device;
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
   * Returns the current memory usage of the device.
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
   * Waits until the device has completed all work of this context.
   *
   * @throws CudaException if the driver reports an error, also of earlier work
   */
  public void synchronize() {
    enter();
    calls.contextSynchronize();
  }

  /**
   * Enables direct reads of another device's memory, over a link or the bus, if the hardware has
   * such a path. Copies between the devices work without it, through the host. Repeated calls are
   * cheap.
   *
   * @param peer the context of another device of the same driver
   * @return whether direct access is enabled
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

  /**
   * Returns whether both contexts use the same driver, so that memory can be copied between them.
   */
  public boolean isOfSameDriverAs(Context other) {
    return calls.isSameLibraryAs(other.calls);
  }

  private void requireSameDriver(Context other) {
    if (!isOfSameDriverAs(other)) {
      throw new IllegalArgumentException(other.device() + " belongs to another driver");
    }
  }

  /** Returns the number of open buffers, streams, events and modules of this context. */
  public int openResources() {
    return resources.size();
  }

  /**
   * Waits for the device, then closes all open resources and the context. Idempotent. The driver's
   * context, and with it memory that is in use, lives until the last resource is closed.
   *
   * @throws CudaException if the driver reports an error other than a lost context
   * @throws IllegalStateException if a native call uses pinned memory
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
    failure = combined(failure, attempt(this::releaseIfUnused));
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void releaseIfUnused() {
    if (closed.get() && resources.isEmpty() && released.compareAndSet(false, true)) {
      calls.primaryContextRelease(deviceHandle);
    }
  }

  private void finishWork() {
    calls.contextSetCurrent(handle);
    calls.contextSynchronize();
  }

  /** Runs a step of closing and returns its failure, unless the context is lost. */
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
   * Makes the context current on this thread. This takes nanoseconds, so it is not cached: another
   * library may have changed the current context.
   */
  DriverCalls enter() {
    if (closed.get()) {
      throw new IllegalStateException("the context of " + device.name() + " is closed");
    }
    calls.contextSetCurrent(handle);
    return calls;
  }

  /**
   * Frees a resource that is being closed, also while the context is closing.
   *
   * @throws IllegalStateException if the resource is in use; it then stays open
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
    failure = combined(failure, attempt(this::releaseIfUnused));
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Returns the driver's handle, for {@code other} of the same driver. */
  long handleFor(Context other) {
    requireSameDriver(other);
    return handle;
  }

  /**
   * Returns whether both share the driver's context, so that kernels of one run in streams of the
   * other.
   */
  boolean isSameAs(Context other) {
    return isOfSameDriverAs(other) && handle == other.handle;
  }

  <R extends Resource> R register(R resource) {
    resources.add(resource);
    return resource;
  }

  private static void requirePositive(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes " + bytes + " is less than 1");
    }
  }
}

package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code libcuda} in pure Java, for tests without a GPU: its functions are upcall stubs, device
 * memory is host memory, and kernels are {@link FakeKernel}s registered by name.
 *
 * <p>It is stricter than the driver: it checks every handle and its context, checks every address
 * of a copy against the allocations, fills new memory with garbage, and records unfreed resources.
 * Streams run their work immediately. With {@link #lazy} they run it only when a thread waits, and
 * one item per query, which reveals missing waits. Any call can be made to fail.
 *
 * <p>Methods with the prefix {@code cu} are the functions of the driver, found by reflection;
 * pointers are {@code long}. Thread-safe: calls are serialized.
 */
public final class FakeDriver implements AutoCloseable {

  private static final int SUCCESS = 0;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int INVALID_DEVICE = 101;
  private static final int INVALID_CONTEXT = 201;
  private static final int INVALID_HANDLE = 400;
  private static final int NOT_FOUND = 500;
  private static final int NOT_READY = 600;
  private static final int CONTEXT_IS_DESTROYED = 709;
  private static final int LAUNCH_FAILED = 719;
  private static final int UNKNOWN = 999;

  private static final Map<Integer, String> ERRORS =
      Map.ofEntries(
          Map.entry(1, "CUDA_ERROR_INVALID_VALUE"),
          Map.entry(2, "CUDA_ERROR_OUT_OF_MEMORY"),
          Map.entry(4, "CUDA_ERROR_DEINITIALIZED"),
          Map.entry(100, "CUDA_ERROR_NO_DEVICE"),
          Map.entry(201, "CUDA_ERROR_INVALID_CONTEXT"),
          Map.entry(209, "CUDA_ERROR_NO_BINARY_FOR_GPU"),
          Map.entry(221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"),
          Map.entry(222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
          Map.entry(400, "CUDA_ERROR_INVALID_HANDLE"),
          Map.entry(500, "CUDA_ERROR_NOT_FOUND"),
          Map.entry(600, "CUDA_ERROR_NOT_READY"),
          Map.entry(700, "CUDA_ERROR_ILLEGAL_ADDRESS"),
          Map.entry(704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"),
          Map.entry(709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"),
          Map.entry(719, "CUDA_ERROR_LAUNCH_FAILED"),
          Map.entry(803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
          Map.entry(999, "CUDA_ERROR_UNKNOWN"));

  /** The functions that need no context. */
  private static final Set<String> FREE =
      Set.of(
          "cuDriverGetVersion",
          "cuInit",
          "cuGetErrorName",
          "cuGetErrorString",
          "cuDeviceGetCount",
          "cuDeviceGet",
          "cuDeviceGetName",
          "cuDeviceTotalMem_v2",
          "cuDeviceGetAttribute",
          "cuDeviceCanAccessPeer",
          "cuDevicePrimaryCtxRetain",
          "cuDevicePrimaryCtxRelease_v2",
          "cuCtxSetCurrent");

  /** The attributes of an H200. */
  private static final Map<Integer, Integer> ATTRIBUTES =
      Map.ofEntries(
          Map.entry(1, 1024),
          Map.entry(8, 49_152),
          Map.entry(11, Integer.MAX_VALUE),
          Map.entry(13, 1_980_000),
          Map.entry(16, 132),
          Map.entry(18, 0),
          Map.entry(37, 6144),
          Map.entry(38, 62_914_560),
          Map.entry(39, 2048),
          Map.entry(40, 3),
          Map.entry(75, 9),
          Map.entry(76, 0),
          Map.entry(81, 233_472),
          Map.entry(91, 1),
          Map.entry(97, 232_448));

  private static final int SHARED_BYTES = 49_152;
  private static final int MAX_SHARED_BYTES = 232_448;
  private static final byte RUBBISH = (byte) 0xA5;

  private final Arena arena = Arena.ofShared();
  private final Map<String, MemorySegment> symbols = new HashMap<>();
  private final List<FakeDevice> devices = new ArrayList<>();
  private final ThreadLocal<Long> current = ThreadLocal.withInitial(() -> 0L);
  private final Map<Long, Thing> things = new HashMap<>();
  private final TreeMap<Long, Memory> memories = new TreeMap<>();
  private final Map<String, Kernel> kernels = new HashMap<>();
  private final Map<String, Failure> failures = new HashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();
  private final Map<Integer, Integer> attributes = new HashMap<>(ATTRIBUTES);
  private final Map<Integer, MemorySegment> errorTexts = new HashMap<>();
  private final List<String> swept = new ArrayList<>();
  private final List<Throwable> defects = new ArrayList<>();
  private Optional<Throwable> kernelFailure = Optional.empty();
  private int version = 13_000;
  private long memoryBytes = 1L << 30;
  private long nextHandle = 0x1000;
  private long clock;
  private boolean lazy;
  private boolean canReach = true;

  /** Creates a driver with a number of devices, each an H200 with 1 GiB. */
  public FakeDriver(int deviceCount) {
    for (int ordinal = 0; ordinal < deviceCount; ordinal++) {
      devices.add(new FakeDevice(ordinal));
    }
    for (Method method : FakeDriver.class.getDeclaredMethods()) {
      if (method.getName().startsWith("cu")) {
        symbols.put(method.getName(), stub(method));
      }
    }
  }

  /** Returns the result of {@link Driver#of}. */
  public DriverStatus status() {
    return Driver.of(symbols());
  }

  /** Returns the working driver. */
  public Driver driver() {
    return switch (status()) {
      case DriverStatus.Present(Driver driver) -> driver;
      case DriverStatus.Missing(String why) -> throw new AssertionError(why);
    };
  }

  /** Returns its functions. */
  public SymbolLookup symbols() {
    return name -> Optional.ofNullable(symbols.get(name));
  }

  /** Removes a function. */
  public synchronized FakeDriver without(String symbol) {
    assert symbols.containsKey(symbol) : symbol;
    symbols.remove(symbol);
    return this;
  }

  /** Sets the CUDA version, such as 12080. */
  public synchronized FakeDriver withVersion(int version) {
    this.version = version;
    return this;
  }

  /** Sets the memory of each device. */
  public synchronized FakeDriver withMemory(long bytes) {
    memoryBytes = bytes;
    return this;
  }

  /** Overrides a {@link DeviceAttribute} of all devices. */
  public synchronized FakeDriver withAttribute(DeviceAttribute attribute, int value) {
    attributes.put(attribute.number(), value);
    return this;
  }

  /** Disables peer access between devices. */
  public synchronized FakeDriver apart() {
    canReach = false;
    return this;
  }

  /** Makes streams run work only when a thread waits for them. */
  public synchronized FakeDriver lazy() {
    lazy = true;
    return this;
  }

  /**
   * Registers a kernel.
   *
   * @param argumentBytes the size of its struct
   */
  public synchronized FakeDriver kernel(String name, long argumentBytes, FakeKernel kernel) {
    kernels.put(name, new Kernel(name, argumentBytes, kernel));
    return this;
  }

  /** Makes the nth next call of a function, counted from 1, return an error without effect. */
  public synchronized void fail(String symbol, int nth, int code) {
    fail(symbol, nth, code, false);
  }

  /** As {@link #fail}, and all later calls on every device fail with the same error. */
  public synchronized void loseAt(String symbol, int nth, int code) {
    fail(symbol, nth, code, true);
  }

  private void fail(String symbol, int nth, int code, boolean loses) {
    assert symbols.containsKey(symbol) : symbol;
    failures.put(symbol, new Failure(calls.getOrDefault(symbol, 0) + nth, code, loses));
  }

  /** Makes all later calls on a device fail, as after an invalid access of a kernel. */
  public synchronized void lose(int ordinal, int code) {
    devices.get(ordinal).lost = code;
  }

  /** Returns the number of calls of each called function. */
  public synchronized Map<String, Integer> calls() {
    return new TreeMap<>(calls);
  }

  /** Returns the resources that were not freed, or only by the end of their context. */
  public synchronized List<String> leaks() {
    List<String> leaks = new ArrayList<>(swept);
    things.values().stream()
        .filter(thing -> !(thing instanceof FakeFunction)) // it goes with its module
        .map(Thing::toString)
        .forEach(leaks::add);
    memories.values().stream().map(Memory::toString).forEach(leaks::add);
    for (FakeDevice device : devices) {
      if (device.retained > 0) {
        leaks.add("primary context of device " + device.ordinal);
      }
    }
    return leaks;
  }

  /** Returns the last exception of a kernel; its launch has lost the context. */
  public synchronized Optional<Throwable> kernelFailure() {
    return kernelFailure;
  }

  /** Fails if the fake itself went wrong. */
  @Override
  public synchronized void close() {
    arena.close();
    memories.values().forEach(memory -> memory.arena.close());
    if (!defects.isEmpty()) {
      throw new AssertionError("the fake driver is broken", defects.getFirst());
    }
  }

  // How a call comes in.

  private MemorySegment stub(Method method) {
    try {
      MethodHandle target = MethodHandles.lookup().unreflect(method).bindTo(this);
      MethodType type = target.type();
      MethodHandle enter =
          MethodHandles.lookup()
              .findVirtual(
                  FakeDriver.class,
                  "enter",
                  MethodType.methodType(
                      int.class, String.class, MethodHandle.class, Object[].class))
              .bindTo(this);
      MethodHandle entry =
          MethodHandles.insertArguments(enter, 0, method.getName(), target)
              .asCollector(Object[].class, type.parameterCount())
              .asType(type);
      MemoryLayout[] arguments =
          Arrays.stream(method.getParameterTypes())
              .map(parameter -> parameter == int.class ? JAVA_INT : JAVA_LONG)
              .toArray(MemoryLayout[]::new);
      return Linker.nativeLinker()
          .upcallStub(entry, FunctionDescriptor.of(JAVA_INT, arguments), arena);
    } catch (ReflectiveOperationException broken) {
      throw new AssertionError(broken);
    }
  }

  /** An exception must not leave an upcall, for then the JVM ends. */
  @SuppressWarnings("unused") // through the method handle above
  private synchronized int enter(String symbol, MethodHandle target, Object[] arguments) {
    try {
      int count = calls.merge(symbol, 1, Integer::sum);
      Failure failure = failures.get(symbol);
      if (failure != null && failure.call == count) {
        if (failure.loses) {
          devices.forEach(device -> device.lost = failure.code);
        }
        return failure.code;
      }
      if (!FREE.contains(symbol)) {
        Optional<FakeContext> context = contextOfThread();
        if (context.isEmpty()) {
          return current.get() == 0 ? INVALID_CONTEXT : CONTEXT_IS_DESTROYED;
        }
        if (context.get().device.lost != SUCCESS) {
          return context.get().device.lost;
        }
      }
      return (int) target.invokeWithArguments(arguments);
    } catch (Refused refused) {
      return refused.code;
    } catch (Throwable defect) {
      defects.add(defect);
      return UNKNOWN;
    }
  }

  private Optional<FakeContext> contextOfThread() {
    long handle = current.get();
    for (FakeDevice device : devices) {
      if (device.retained > 0 && device.context.handle == handle) {
        return Optional.of(device.context);
      }
    }
    return Optional.empty();
  }

  private FakeContext context() {
    return contextOfThread().orElseThrow();
  }

  // The driver and its devices.

  int cuDriverGetVersion(long out) {
    return give(out, version);
  }

  int cuInit(int flags) {
    return devices.isEmpty() ? 100 : flags == 0 ? SUCCESS : INVALID_VALUE;
  }

  int cuGetErrorName(int code, long out) {
    return giveText(code, out, ERRORS.get(code));
  }

  int cuGetErrorString(int code, long out) {
    return giveText(
        code | 1 << 20, out, ERRORS.containsKey(code) ? "what the driver says of " + code : null);
  }

  private int giveText(int key, long out, String text) {
    if (text == null) {
      return INVALID_VALUE;
    }
    MemorySegment string = errorTexts.computeIfAbsent(key, unused -> arena.allocateFrom(text));
    return give(out, string.address());
  }

  int cuDeviceGetCount(long out) {
    return give(out, devices.size());
  }

  int cuDeviceGet(long out, int ordinal) {
    return give(out, device(ordinal + FakeDevice.HANDLE).ordinal + FakeDevice.HANDLE);
  }

  int cuDeviceGetName(long name, int length, int device) {
    String text = "Fake H200 number " + device(device).ordinal;
    FakeKernel.memory(name, length).setString(0, text);
    return SUCCESS;
  }

  int cuDeviceTotalMem_v2(long out, int device) {
    device(device);
    return give(out, memoryBytes);
  }

  int cuDeviceGetAttribute(long out, int attribute, int device) {
    device(device);
    if (!attributes.containsKey(attribute)) {
      return INVALID_VALUE;
    }
    return give(out, attributes.get(attribute));
  }

  int cuDeviceCanAccessPeer(long out, int device, int peer) {
    return give(out, canReach && device(device) != device(peer) ? 1 : 0);
  }

  int cuCtxEnablePeerAccess(long peer, int flags) {
    FakeDevice other = deviceOf(peer);
    if (flags != 0 || other.context == context()) {
      return INVALID_VALUE;
    }
    return context().peers.add(peer) ? SUCCESS : 704;
  }

  private FakeDevice deviceOf(long context) {
    return devices.stream()
        .filter(device -> device.retained > 0 && device.context.handle == context)
        .findFirst()
        .orElseThrow(() -> new Refused(INVALID_CONTEXT));
  }

  private FakeDevice device(int handle) {
    int ordinal = handle - FakeDevice.HANDLE;
    if (ordinal < 0 || ordinal >= devices.size()) {
      throw new Refused(INVALID_DEVICE);
    }
    return devices.get(ordinal);
  }

  int cuDevicePrimaryCtxRetain(long out, int handle) {
    FakeDevice device = device(handle);
    if (device.retained++ == 0) {
      device.context = new FakeContext(device, nextHandle++, new HashSet<>());
    }
    return give(out, device.context.handle);
  }

  int cuDevicePrimaryCtxRelease_v2(int handle) {
    FakeDevice device = device(handle);
    if (device.retained == 0) {
      return INVALID_CONTEXT;
    }
    if (--device.retained == 0) {
      things.values().removeIf(thing -> sweep(thing.context == device.context, thing));
      memories.values().removeIf(memory -> sweep(memory.context == device.context, memory));
    }
    return SUCCESS;
  }

  private boolean sweep(boolean mine, Object thing) {
    if (mine && !(thing instanceof FakeFunction)) {
      swept.add(thing.toString());
    }
    return mine;
  }

  int cuCtxSetCurrent(long handle) {
    current.set(handle);
    return handle == 0 || contextOfThread().isPresent() ? SUCCESS : CONTEXT_IS_DESTROYED;
  }

  int cuCtxSynchronize() {
    finishAll(context());
    return SUCCESS;
  }

  // Memory.

  int cuMemGetInfo_v2(long free, long total) {
    give(total, memoryBytes);
    return give(free, memoryBytes - usedBytes(context()));
  }

  private long usedBytes(FakeContext context) {
    return memories.values().stream()
        .filter(memory -> memory.onDevice && memory.context == context)
        .mapToLong(memory -> memory.bytes)
        .sum();
  }

  int cuMemAlloc_v2(long out, long bytes) {
    if (bytes > memoryBytes - usedBytes(context())) {
      return OUT_OF_MEMORY;
    }
    return give(out, allocate(bytes, 256, true));
  }

  int cuMemHostAlloc(long out, long bytes, int flags) {
    if (flags != 1) {
      return INVALID_VALUE;
    }
    return give(out, allocate(bytes, 4096, false));
  }

  private long allocate(long bytes, long alignment, boolean onDevice) {
    if (bytes <= 0) {
      throw new Refused(INVALID_VALUE);
    }
    Arena own = Arena.ofShared();
    MemorySegment segment = own.allocate(bytes, alignment).fill(RUBBISH);
    var memory = new Memory(context(), segment.address(), bytes, onDevice, nextHandle++, own);
    memories.put(memory.address, memory);
    return memory.address;
  }

  int cuMemFree_v2(long address) {
    return free(address, true);
  }

  int cuMemFreeHost(long address) {
    return free(address, false);
  }

  int cuMemHostRegister_v2(long address, long bytes, int flags) {
    if (flags != 3 || address % 4096 != 0) {
      return INVALID_VALUE;
    }
    memories.put(
        address, new Memory(context(), address, bytes, false, nextHandle++, Arena.ofShared()));
    return SUCCESS;
  }

  int cuMemHostUnregister(long address) {
    return free(address, false);
  }

  private int free(long address, boolean onDevice) {
    Memory memory = memories.get(address);
    if (memory == null || memory.onDevice != onDevice) {
      return INVALID_VALUE;
    }
    finishAll(memory.context);
    memories.remove(address);
    memory.arena.close();
    return SUCCESS;
  }

  int cuPointerGetAttribute(long out, int attribute, long address) {
    Optional<Memory> memory = memoryAt(address, 1);
    if (memory.isEmpty()) {
      return INVALID_VALUE;
    }
    return switch (attribute) {
      case 2 -> give(out, memory.get().onDevice ? 2 : 1);
      case 7 -> give(out, memory.get().id);
      default -> INVALID_VALUE;
    };
  }

  private Optional<Memory> memoryAt(long address, long bytes) {
    return Optional.ofNullable(memories.floorEntry(address))
        .map(Map.Entry::getValue)
        .filter(memory -> address + bytes <= memory.address + memory.bytes);
  }

  private boolean isPinned(long address, long bytes) {
    return memoryAt(address, bytes).filter(memory -> !memory.onDevice).isPresent();
  }

  private void requireDevice(long address, long bytes) {
    requireDevice(address, bytes, context());
  }

  private void requireDevice(long address, long bytes, FakeContext context) {
    if (memoryAt(address, bytes)
        .filter(memory -> memory.onDevice && memory.context == context)
        .isEmpty()) {
      throw new Refused(INVALID_VALUE);
    }
  }

  // Copies: one row after the other.

  int cuMemcpyHtoDAsync_v2(long to, long from, long bytes, long stream) {
    upload(from, bytes, to, bytes, bytes, 1, stream);
    return SUCCESS;
  }

  int cuMemcpyDtoHAsync_v2(long to, long from, long bytes, long stream) {
    download(from, bytes, to, bytes, bytes, 1, stream);
    return SUCCESS;
  }

  int cuMemcpyDtoDAsync_v2(long to, long from, long bytes, long stream) {
    copy(from, bytes, to, bytes, bytes, 1, stream);
    return SUCCESS;
  }

  int cuMemcpyPeerAsync(
      long to, long toContext, long from, long fromContext, long bytes, long stream) {
    requireDevice(to, bytes, deviceOf(toContext).context);
    requireDevice(from, bytes, deviceOf(fromContext).context);
    add(stream(stream), () -> rows(from, bytes, to, bytes, bytes, 1));
    return SUCCESS;
  }

  /** Reads CUDA_MEMCPY2D by its offsets in cuda.h, on its own. */
  int cuMemcpy2DAsync_v2(long description, long stream) {
    MemorySegment struct = FakeKernel.memory(description, 128);
    boolean fromHost = struct.get(JAVA_INT, 16) == 1;
    boolean toHost = struct.get(JAVA_INT, 72) == 1;
    long from = struct.get(JAVA_LONG, fromHost ? 24 : 32);
    long fromPitch = struct.get(JAVA_LONG, 48);
    long to = struct.get(JAVA_LONG, toHost ? 80 : 88);
    long toPitch = struct.get(JAVA_LONG, 104);
    long width = struct.get(JAVA_LONG, 112);
    long height = struct.get(JAVA_LONG, 120);
    boolean origin =
        struct.get(JAVA_LONG, 0) == 0
            && struct.get(JAVA_LONG, 8) == 0
            && struct.get(JAVA_LONG, 56) == 0
            && struct.get(JAVA_LONG, 64) == 0;
    boolean steps =
        width <= fromPitch
            && width <= toPitch
            && fromPitch <= Integer.MAX_VALUE
            && toPitch <= Integer.MAX_VALUE;
    if (!origin || !steps || fromHost && toHost) {
      return INVALID_VALUE;
    }
    if (fromHost) {
      upload(from, fromPitch, to, toPitch, width, height, stream);
    } else if (toHost) {
      download(from, fromPitch, to, toPitch, width, height, stream);
    } else {
      copy(from, fromPitch, to, toPitch, width, height, stream);
    }
    return SUCCESS;
  }

  /** Pageable memory is read before the call returns, page-locked memory when its turn comes. */
  private void upload(
      long from, long fromPitch, long to, long toPitch, long width, long height, long stream) {
    requireDevice(to, (height - 1) * toPitch + width);
    long spanBytes = (height - 1) * fromPitch + width;
    FakeStream target = stream(stream);
    if (isPinned(from, spanBytes)) {
      add(target, () -> rows(from, fromPitch, to, toPitch, width, height));
    } else {
      byte[] staged = FakeKernel.memory(from, spanBytes).toArray(JAVA_BYTE);
      add(
          target,
          () -> {
            try (Arena scratch = Arena.ofConfined()) {
              MemorySegment copy = scratch.allocateFrom(JAVA_BYTE, staged);
              rows(copy.address(), fromPitch, to, toPitch, width, height);
            }
          });
    }
  }

  /** Pageable memory is written before the call returns. */
  private void download(
      long from, long fromPitch, long to, long toPitch, long width, long height, long stream) {
    requireDevice(from, (height - 1) * fromPitch + width);
    FakeStream source = stream(stream);
    add(source, () -> rows(from, fromPitch, to, toPitch, width, height));
    if (!isPinned(to, (height - 1) * toPitch + width)) {
      finish(source, source.given);
    }
  }

  private void copy(
      long from, long fromPitch, long to, long toPitch, long width, long height, long stream) {
    requireDevice(from, (height - 1) * fromPitch + width);
    requireDevice(to, (height - 1) * toPitch + width);
    add(stream(stream), () -> rows(from, fromPitch, to, toPitch, width, height));
  }

  private static void rows(
      long from, long fromPitch, long to, long toPitch, long width, long height) {
    for (long row = 0; row < height; row++) {
      FakeKernel.memory(to + row * toPitch, width)
          .copyFrom(FakeKernel.memory(from + row * fromPitch, width));
    }
  }

  int cuMemsetD8Async(long to, int value, long bytes, long stream) {
    requireDevice(to, bytes);
    add(stream(stream), () -> FakeKernel.memory(to, bytes).fill((byte) value));
    return SUCCESS;
  }

  // Streams and events.

  int cuStreamCreate(long out, int flags) {
    return flags == 1 ? give(out, keep(new FakeStream(context()))) : INVALID_VALUE;
  }

  int cuStreamDestroy_v2(long handle) {
    FakeStream stream = stream(handle);
    finish(stream, stream.given);
    things.remove(handle);
    return SUCCESS;
  }

  int cuStreamSynchronize(long handle) {
    FakeStream stream = stream(handle);
    finish(stream, stream.given);
    return stream.context.device.lost;
  }

  int cuStreamQuery(long handle) {
    FakeStream stream = stream(handle);
    if (stream.work.isEmpty()) {
      return stream.context.device.lost;
    }
    workABit(stream);
    return NOT_READY;
  }

  /** Runs the next item of work, so that polling makes progress. */
  private void workABit(FakeStream stream) {
    finish(stream, stream.given - stream.work.size() + 1);
  }

  int cuStreamWaitEvent(long handle, long eventHandle, int flags) {
    FakeStream stream = stream(handle);
    FakeEvent event = thing(eventHandle, FakeEvent.class);
    if (event.stream != null) {
      FakeStream other = event.stream;
      long position = event.position;
      add(stream, () -> finish(other, position));
    }
    return flags == 0 ? SUCCESS : INVALID_VALUE;
  }

  int cuEventCreate(long out, int flags) {
    return give(out, keep(new FakeEvent(context(), (flags & 2) == 0)));
  }

  int cuEventDestroy_v2(long handle) {
    thing(handle, FakeEvent.class);
    things.remove(handle);
    return SUCCESS;
  }

  int cuEventRecord(long handle, long streamHandle) {
    FakeEvent event = own(handle, FakeEvent.class);
    FakeStream stream = stream(streamHandle);
    add(stream, () -> event.millis = ++clock);
    event.stream = stream;
    event.position = stream.given;
    return SUCCESS;
  }

  int cuEventSynchronize(long handle) {
    FakeEvent event = thing(handle, FakeEvent.class);
    if (event.stream != null) {
      finish(event.stream, event.position);
    }
    return event.context.device.lost;
  }

  int cuEventQuery(long handle) {
    FakeEvent event = thing(handle, FakeEvent.class);
    if (event.isReached()) {
      return event.context.device.lost;
    }
    workABit(event.stream);
    return NOT_READY;
  }

  int cuEventElapsedTime_v2(long out, long startHandle, long endHandle) {
    FakeEvent start = thing(startHandle, FakeEvent.class);
    FakeEvent end = thing(endHandle, FakeEvent.class);
    if (!start.timing || !end.timing || start.stream == null || end.stream == null) {
      return INVALID_HANDLE;
    }
    if (!start.isReached() || !end.isReached()) {
      return NOT_READY;
    }
    FakeKernel.memory(out, 4).set(JAVA_FLOAT, 0, (float) (end.millis - start.millis));
    return SUCCESS;
  }

  private FakeStream stream(long handle) {
    return own(handle, FakeStream.class);
  }

  /** Enqueues work in a stream. */
  private void add(FakeStream stream, Runnable work) {
    stream.work.add(work);
    stream.given++;
    if (!lazy) {
      finish(stream, stream.given);
    }
  }

  /** Runs a stream's work up to a position. */
  private void finish(FakeStream stream, long position) {
    while (stream.given - stream.work.size() < position) {
      Runnable work = stream.work.remove();
      if (stream.context.device.lost == SUCCESS) {
        work.run();
      }
    }
  }

  private void finishAll(FakeContext context) {
    for (Thing thing : List.copyOf(things.values())) {
      if (thing instanceof FakeStream stream && stream.context == context) {
        finish(stream, stream.given);
      }
    }
  }

  // Modules and kernels.

  int cuModuleLoadData(long out, long image) {
    return image == 0 ? INVALID_VALUE : give(out, keep(new FakeModule(context())));
  }

  int cuModuleUnload(long handle) {
    FakeModule module = own(handle, FakeModule.class);
    things.remove(handle);
    things.values().removeIf(thing -> thing instanceof FakeFunction f && f.module == module);
    return SUCCESS;
  }

  int cuModuleGetFunction(long out, long handle, long name) {
    FakeModule module = own(handle, FakeModule.class);
    Kernel kernel = kernels.get(FakeKernel.memory(name, 4096).getString(0));
    if (kernel == null) {
      return NOT_FOUND;
    }
    long function =
        module.functions.computeIfAbsent(
            kernel.name, unused -> keep(new FakeFunction(module, kernel)));
    return give(out, function);
  }

  int cuFuncSetAttribute(long handle, int attribute, int value) {
    FakeFunction function = own(handle, FakeFunction.class);
    if (attribute != 8 || value < 0 || value > MAX_SHARED_BYTES) {
      return INVALID_VALUE;
    }
    function.sharedBytes = value;
    return SUCCESS;
  }

  int cuFuncGetAttribute(long out, int attribute, long handle) {
    own(handle, FakeFunction.class);
    return attribute == 4 ? give(out, 32) : INVALID_VALUE;
  }

  int cuOccupancyMaxActiveBlocksPerMultiprocessor(
      long out, long handle, int blockSize, long sharedBytes) {
    own(handle, FakeFunction.class);
    long byThreads = 2048 / blockSize;
    return give(out, (int) Math.min(byThreads, 233_472 / (sharedBytes + 1024)));
  }

  int cuLaunchKernel(
      long handle,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long streamHandle,
      long parameters,
      long extra) {
    FakeFunction function = own(handle, FakeFunction.class);
    FakeStream stream = stream(streamHandle);
    if (blockZ != 1 || extra != 0 || sharedBytes > function.sharedBytes) {
      return INVALID_VALUE;
    }
    var shape = new LaunchShape(gridX, gridY, gridZ, blockX, blockY, sharedBytes);
    Kernel kernel = function.kernel;
    long argument = FakeKernel.memory(parameters, 8).get(JAVA_LONG, 0);
    byte[] copied = FakeKernel.memory(argument, kernel.argumentBytes).toArray(JAVA_BYTE);
    add(stream, () -> run(kernel, shape, copied, stream.context.device));
    return SUCCESS;
  }

  private void run(Kernel kernel, LaunchShape shape, byte[] arguments, FakeDevice device) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment struct = scratch.allocate(arguments.length, 16);
      struct.copyFrom(MemorySegment.ofArray(arguments));
      kernel.function.run(shape, struct);
    } catch (RuntimeException | AssertionError astray) {
      kernelFailure = Optional.of(astray);
      device.lost = LAUNCH_FAILED;
    }
  }

  // Handles.

  private long keep(Thing thing) {
    long handle = nextHandle++;
    things.put(handle, thing);
    return handle;
  }

  private <T extends Thing> T thing(long handle, Class<T> type) {
    Thing thing = things.get(handle);
    if (!type.isInstance(thing)) {
      throw new Refused(INVALID_HANDLE);
    }
    return type.cast(thing);
  }

  /** Returns an object of the current context. */
  private <T extends Thing> T own(long handle, Class<T> type) {
    T thing = thing(handle, type);
    if (thing.context != context()) {
      throw new Refused(INVALID_CONTEXT);
    }
    return thing;
  }

  private static int give(long out, int value) {
    FakeKernel.memory(out, 4).set(JAVA_INT, 0, value);
    return SUCCESS;
  }

  private static int give(long out, long value) {
    FakeKernel.memory(out, 8).set(JAVA_LONG, 0, value);
    return SUCCESS;
  }

  private record Failure(int call, int code, boolean loses) {}

  private record Kernel(String name, long argumentBytes, FakeKernel function) {}

  /** A call that returns an error. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    Refused(int code) {
      super("CUresult " + code, null, false, false);
      this.code = code;
    }
  }

  private static final class FakeDevice {
    /** A CUdevice is not always its ordinal. */
    private static final int HANDLE = 70;

    private final int ordinal;
    private int retained;
    private int lost;
    private FakeContext context;

    FakeDevice(int ordinal) {
      this.ordinal = ordinal;
    }
  }

  private record FakeContext(FakeDevice device, long handle, Set<Long> peers) {}

  private record Memory(
      FakeContext context, long address, long bytes, boolean onDevice, long id, Arena arena) {
    @Override
    public String toString() {
      return bytes + " bytes " + (onDevice ? "on the device" : "page-locked");
    }
  }

  private abstract static class Thing {
    final FakeContext context;

    Thing(FakeContext context) {
      this.context = context;
    }

    @Override
    public String toString() {
      return getClass().getSimpleName();
    }
  }

  private static final class FakeStream extends Thing {
    private final Deque<Runnable> work = new ArrayDeque<>();
    private long given;

    FakeStream(FakeContext context) {
      super(context);
    }
  }

  private static final class FakeEvent extends Thing {
    private final boolean timing;
    private FakeStream stream;
    private long position;
    private long millis;

    FakeEvent(FakeContext context, boolean timing) {
      super(context);
      this.timing = timing;
    }

    boolean isReached() {
      return stream == null || stream.given - stream.work.size() >= position;
    }
  }

  private static final class FakeModule extends Thing {
    private final Map<String, Long> functions = new HashMap<>();

    FakeModule(FakeContext context) {
      super(context);
    }
  }

  private static final class FakeFunction extends Thing {
    private final FakeModule module;
    private final Kernel kernel;
    private int sharedBytes = SHARED_BYTES;

    FakeFunction(FakeModule module, Kernel kernel) {
      super(module.context);
      this.module = module;
      this.kernel = kernel;
    }
  }
}

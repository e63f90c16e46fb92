package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fieldstone.cuda.transfer.PinnedPages;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests failures of the driver: each of its calls in turn, memory, kernels, whole devices. */
class FailureTest {
  private static final int UNKNOWN = 999;
  private static final int ILLEGAL_ADDRESS = 700;

  private final FakeDriver fake = new FakeDriver(2).kernel(Proof.NAME, Proof.BYTES, Proof::fake);
  private final Driver driver = fake.driver();

  @AfterEach
  void close() {
    fake.close();
  }

  /** Uses every operation of a context. */
  private static void useAllCalls(Driver driver) {
    try (Arena arena = Arena.ofConfined();
        Context context = driver.devices().getFirst().open();
        io.fieldstone.cuda.driver.Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(100);
        DeviceBuffer other = context.allocate(100);
        PinnedBuffer pinned = context.allocatePinned(100);
        Event start = context.timingEvent();
        Event end = context.timingEvent();
        Module module = context.load(Proof.image())) {
      context.memory();
      context.isPinned(pinned.segment());
      Function function = module.function(Proof.NAME);
      function.allowSharedBytes(function.registers() + 100_000);
      function.blocksPerMultiprocessor(32, 0);
      MemorySegment struct = Proof.packed(buffer.address(), other.address(), 100, 1).struct(arena);
      stream.record(start);
      stream.fill(buffer.address(), 0, 100);
      stream.upload(pinned.segment(), buffer.address());
      stream.launch(function, LaunchShape.of(1, 32), struct);
      stream.copy(buffer.address(), other.address(), 100);
      stream.copyFrom(context, other.address(), buffer.address(), 100);
      stream.copy2D(buffer.address(), 10, other.address(), 9, 5, 3);
      stream.download(buffer.address(), pinned.segment());
      stream.record(end);
      stream.await(end);
      end.synchronize();
      stream.isIdle();
      end.isDone();
      end.millisSince(start);
      stream.synchronize();
      context.synchronize();
    }
  }

  static Stream<Arguments> everyCall() {
    try (var fake = new FakeDriver(1).kernel(Proof.NAME, Proof.BYTES, Proof::fake)) {
      Driver driver = fake.driver();
      Map<String, Integer> before = fake.calls();
      useAllCalls(driver);
      assertThat(fake.leaks()).isEmpty();
      List<Arguments> calls = new ArrayList<>();
      fake.calls()
          .forEach((symbol, count) ->
              IntStream.rangeClosed(1, count - before.getOrDefault(symbol, 0))
                  .forEach(nth -> calls.add(Arguments.of(symbol, nth))));
      return calls.stream();
    }
  }

  @ParameterizedTest(name = "{0} the {1}th time")
  @MethodSource("everyCall")
  void failsOnceWithoutLeaks(String symbol, int nth) {
    fake.fail(symbol, nth, UNKNOWN);
    Throwable thrown = catchThrowable(() -> useAllCalls(driver));
    assertThat(thrown).isInstanceOf(CudaException.class);
    CudaException failed = (CudaException) thrown;
    assertThat(failed.call()).isEqualTo(symbol);
    assertThat(failed.error().code()).isEqualTo(UNKNOWN);
    assertThat(failed.error().name()).isEqualTo("CUDA_ERROR_UNKNOWN");
    assertThat(failed).hasMessageContaining(symbol).hasMessageContaining("999");
    assertThat(failed.isSticky()).isFalse();
    assertThat(failed.getSuppressed()).isEmpty();
    boolean frees = symbol.matches(".*(Free|Destroy|Unload|Release|SetCurrent).*");
    assertThat(fake.leaks()).as(symbol).hasSizeLessThanOrEqualTo(frees ? 1 : 0);
    if (!symbol.contains("Release")) {
      useAllCalls(driver);
    }
  }

  @ParameterizedTest(name = "{0} the {1}th time")
  @MethodSource("everyCall")
  void losesTheContextAndClosesQuietly(String symbol, int nth) {
    fake.loseAt(symbol, nth, ILLEGAL_ADDRESS);
    Throwable thrown = catchThrowable(() -> useAllCalls(driver));
    // Failures found only on close are not reported.
    if (thrown != null) {
      assertThat(thrown).isInstanceOf(CudaException.class);
      assertThat(((CudaException) thrown).isSticky()).isTrue();
      assertThat(thrown.getSuppressed()).isEmpty();
    }
    assertThat(fake.leaks()).doesNotContain("primary context of device 1");
  }

  @Test
  void hasTooLittleMemory() {
    fake.withMemory(1000);
    try (Context context = driver.devices().getFirst().open();
        DeviceBuffer buffer = context.allocate(600)) {
      assertThat(buffer.bytes()).isEqualTo(600);
      assertThatExceptionOfType(OutOfDeviceMemoryException.class)
          .isThrownBy(() -> context.allocate(500))
          .satisfies(failed -> assertThat(failed.requestedBytes()).isEqualTo(500))
          .withMessage(
              "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): what the driver says of 2;"
                  + " 500 bytes were requested");
      assertThat(context.memory()).isEqualTo(new MemoryInfo(400, 1000));
      fake.fail("cuMemHostAlloc", 1, 2);
      assertThatExceptionOfType(OutOfDeviceMemoryException.class)
          .isThrownBy(() -> context.allocatePinned(77))
          .withMessageContaining("77 bytes");
      assertThat(context.openResources()).isEqualTo(1);
      fake.fail("cuMemHostRegister_v2", 1, 2);
      try (PinnedBuffer allocated = PinnedPages.allocate(context, PinnedPages.MIN_BYTES)) {
        assertThat(allocated.isOfPages()).as("registered").isFalse();
        assertThat(context.isPinned(allocated.segment())).isTrue();
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> context.allocate(0))
          .withMessageContaining("bytes 0 is less than 1");
      assertThatIllegalArgumentException().isThrownBy(() -> context.allocatePinned(-1));
    }
    assertThat(fake.leaks()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "209, 'need compute capability 7.5 or later, and this is cuda:0 Fake H200 number 0'",
    "222, a newer driver will run them",
    "221, libnvidia-ptxjitcompiler.so.1",
    "200, cuModuleLoadData",
  })
  void givesTheReasonForMissingKernels(int code, String words) {
    fake.fail("cuModuleLoadData", 1, code);
    try (Context context = driver.devices().getFirst().open()) {
      assertThatExceptionOfType(CudaException.class)
          .isThrownBy(() -> context.load(Proof.image()))
          .withMessageContaining(words)
          .satisfies(refused -> assertThat(refused.error().code()).isEqualTo(code));
    }
    assertThat(fake.leaks()).isEmpty();
  }

  @Test
  void losesADeviceWhenAKernelGoesAstrayAndKeepsTheOther() {
    var astray = new IllegalStateException("a kernel gone astray");
    fake.kernel(
        Proof.NAME,
        Proof.BYTES,
        (shape, arguments) -> {
          throw astray;
        });
    try (Context context = driver.devices().get(0).open();
        Context sound = driver.devices().get(1).open();
        io.fieldstone.cuda.driver.Stream stream = context.stream();
        Event event = context.event();
        Module module = context.load(Proof.image());
        Arena arena = Arena.ofConfined()) {
      DeviceBuffer buffer = context.allocate(10);
      MemorySegment struct = Proof.packed(0, 0, 1, 0).struct(arena);
      stream.launch(module.function(Proof.NAME), LaunchShape.of(1, 1), struct);
      assertThat(fake.kernelFailure()).containsSame(astray);
      for (Runnable later :
          List.<Runnable>of(
              stream::synchronize,
              stream::isIdle,
              event::isDone,
              () -> stream.fill(buffer.address(), 0, 10),
              () -> context.allocate(1))) {
        assertThatExceptionOfType(CudaException.class)
            .isThrownBy(later::run)
            .matches(CudaException::isSticky)
            .withMessageContaining("CUDA_ERROR_LAUNCH_FAILED (719)");
      }
      buffer.close();
      assertThat(context.openResources()).isEqualTo(3);
      try (DeviceBuffer fine = sound.allocate(10)) {
        assertThat(fine.address()).isNotZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"4", "201", "214", "700", "702", "709", "715", "719"})
  void closesAllResourcesOfALostContext(int code) {
    Context context = driver.devices().getFirst().open();
    PinnedBuffer pinned = context.allocatePinned(10);
    io.fieldstone.cuda.driver.Stream stream = context.stream();
    context.allocate(10);
    fake.lose(0, code);
    pinned.close();
    context.close();
    stream.close();
    assertThat(context.openResources()).isZero();
  }

  @Test
  void closesAfterTheDriverHasGone() {
    Context context = driver.devices().getFirst().open();
    DeviceBuffer buffer = context.allocate(10);
    fake.fail("cuCtxSetCurrent", 1, 4);
    buffer.close();
    fake.fail("cuCtxSetCurrent", 1, 4);
    fake.fail("cuDevicePrimaryCtxRelease_v2", 1, 4);
    context.close();
  }

  @Test
  void reportsEveryFailureOfAClose() {
    Context context = driver.devices().getFirst().open();
    context.allocate(10);
    context.stream();
    fake.fail("cuMemFree_v2", 1, UNKNOWN);
    fake.fail("cuStreamDestroy_v2", 1, UNKNOWN);
    assertThatExceptionOfType(CudaException.class)
        .isThrownBy(context::close)
        .satisfies(first -> assertThat(first.getSuppressed()).hasSize(1));
    assertThat(context.openResources()).isZero();
    assertThat(fake.leaks()).doesNotContain("primary context of device 0");
  }

  /** C's qsort keeps the memory that it sorts, and calls Java to compare. */
  @Test
  void doesNotFreePinnedMemoryThatIsInUse() throws Throwable {
    Context context = driver.devices().getFirst().open();
    PinnedBuffer pinned = context.allocatePinned(2);
    var refusals = new ArrayList<Throwable>();
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle closing =
          MethodHandles.insertArguments(
              MethodHandles.lookup()
                  .findStatic(
                      FailureTest.class,
                      "closeInUse",
                      MethodType.methodType(
                          int.class, PinnedBuffer.class, List.class, long.class, long.class)),
              0,
              pinned,
              refusals);
      MemorySegment comparator =
          linker.upcallStub(closing, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), arena);
      linker
          .downcallHandle(
              linker.defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS))
          .invoke(pinned.segment(), 2L, 1L, comparator);
    }
    assertThat(refusals).hasSize(1);
    assertThat(refusals.getFirst()).isInstanceOf(IllegalStateException.class);
    assertThat(context.openResources()).isEqualTo(1);
    pinned.close();
    assertThat(context.openResources()).isZero();
    context.close();
    assertThat(fake.leaks()).isEmpty();
  }

  @Test
  void keepsTheDriversContextWhileMemoryIsInUse() {
    Context context = driver.devices().getFirst().open();
    PinnedBuffer pinned = context.allocatePinned(2);
    assertThatThrownBy(() -> HeldMemory.run(context::close, pinned.segment()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(fake.leaks()).contains("primary context of device 0");
    pinned.close();
    assertThat(fake.leaks()).isEmpty();
  }

  private static int closeInUse(PinnedBuffer pinned, List<Throwable> refusals, long a, long b) {
    try {
      pinned.close();
    } catch (IllegalStateException inUse) {
      refusals.add(inUse);
    }
    return 0;
  }

  @Test
  void copiesFromDeviceToDevice() {
    try (Context first = driver.devices().get(0).open();
        Context second = driver.devices().get(1).open();
        io.fieldstone.cuda.driver.Stream there = first.stream();
        io.fieldstone.cuda.driver.Stream here = second.stream();
        DeviceBuffer source = first.allocate(100);
        DeviceBuffer target = second.allocate(100);
        PinnedBuffer pinned = second.allocatePinned(100);
        FakeDriver another = new FakeDriver(1);
        Context foreign = another.driver().devices().getFirst().open()) {
      there.fill(source.address(), 7, 100);
      there.synchronize();
      assertThat(second.enablePeerAccess(first)).isTrue();
      assertThat(second.enablePeerAccess(first)).isTrue();
      here.copyFrom(first, source.address(), target.address(), 100);
      here.download(target.address(), pinned.segment());
      here.synchronize();
      assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
      assertThat(fake.calls()).containsEntry("cuCtxEnablePeerAccess", 1);
      assertThatIllegalArgumentException().isThrownBy(() -> second.enablePeerAccess(foreign));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> here.copyFrom(foreign, source.address(), target.address(), 1))
          .withMessageContaining("belongs to another driver");
    }
    assertThat(fake.leaks()).isEmpty();
  }

  /** Returns the driver's result when peer access is exhausted. */
  @ParameterizedTest
  @ValueSource(ints = {217, 711})
  void goesThroughTheHostWhereThereIsNoWay(int code) {
    fake.fail("cuCtxEnablePeerAccess", 1, code);
    try (Context first = driver.devices().get(0).open();
        Context second = driver.devices().get(1).open()) {
      assertThat(second.enablePeerAccess(first)).isFalse();
      assertThat(second.enablePeerAccess(first)).isFalse();
    }
    fake.apart();
    try (Context first = driver.devices().get(0).open();
        Context second = driver.devices().get(1).open()) {
      assertThat(second.enablePeerAccess(first)).isFalse();
    }
  }

  @Test
  void keepsKernelsAndEventsOnTheirDevice() {
    try (Context first = driver.devices().get(0).open();
        Context second = driver.devices().get(1).open();
        io.fieldstone.cuda.driver.Stream stream = second.stream();
        Event event = first.event();
        Arena arena = Arena.ofConfined()) {
      Module module = first.load(Proof.image());
      Function function = module.function(Proof.NAME);
      MemorySegment struct = arena.allocate(Proof.BYTES);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.launch(function, LaunchShape.of(1, 1), struct))
          .withMessageContaining("proof is loaded on cuda:0")
          .withMessageContaining("belongs to cuda:1");
      assertThatExceptionOfType(CudaException.class).isThrownBy(() -> stream.record(event));
      stream.await(event);
      module.close();
      assertThatThrownBy(function::registers)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Module is closed");
    }
    assertThat(fake.leaks()).isEmpty();
  }

  @Test
  void refusesShapesThatNoDeviceCanLaunch() {
    assertThat(LaunchShape.of(3, 64)).isEqualTo(new LaunchShape(3, 1, 1, 64, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchShape.of(0, 1))
        .withMessage("gridX 0 is not in 1…2147483647");
    assertThatIllegalArgumentException().isThrownBy(() -> new LaunchShape(1, 65_536, 1, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaunchShape(1, 1, 65_536, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> LaunchShape.of(1, 1025));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LaunchShape(1, 1, 1, 32, 33, 0))
        .withMessage("blockY 33 is not in 1…32");
    assertThatIllegalArgumentException().isThrownBy(() -> new LaunchShape(1, 1, 1, 1, -1));
  }
}

package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.cuda.transfer.PinnedPages;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the fake driver and NVIDIA's driver must pass. */
abstract class DriverContract {

  private static final int BYTES = 100_003;

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(7);
  private Context context;

  /** Returns the driver to test. */
  abstract Driver driver();

  /** Checks the driver after all resources are closed. */
  void lookBack() {}

  @BeforeEach
  void open() {
    context = driver().devices().getFirst().open();
  }

  @AfterEach
  void allResourcesAreClosed() {
    assertThat(context.openResources()).isZero();
    context.close();
    arena.close();
    lookBack();
  }

  @Test
  void describesDevices() {
    assertThat(driver().version()).isGreaterThanOrEqualTo(Driver.MIN_VERSION);
    Device device = driver().devices().getFirst();
    assertThat(device.ordinal()).isZero();
    assertThat(device.name()).isNotBlank();
    assertThat(device.major()).isGreaterThanOrEqualTo(7);
    assertThat(device.minor()).isBetween(0, 9);
    assertThat(device.multiprocessors()).isPositive();
    assertThat(device.memoryBytes()).isGreaterThan(1 << 20);
    for (DeviceAttribute attribute : DeviceAttribute.values()) {
      assertThat(device.attribute(attribute)).as(attribute.name()).isNotNegative();
    }
    assertThat(device.attribute(DeviceAttribute.MAX_THREADS_PER_BLOCK)).isEqualTo(1024);
    assertThat(device.attribute(DeviceAttribute.SHARED_BYTES_PER_BLOCK)).isEqualTo(48 * 1024);
    assertThat(device).hasToString(device.toString()).asString().contains(device.name());
  }

  @Test
  void reportsItsMemory() {
    MemoryInfo before = context.memory();
    assertThat(before.totalBytes()).isPositive();
    assertThat(before.freeBytes()).isBetween(1L, before.totalBytes());
    try (DeviceBuffer buffer = context.allocate(64 << 20)) {
      assertThat(buffer.bytes()).isEqualTo(64 << 20);
      assertThat(buffer.address() % 256).isZero();
      assertThat(context.memory().freeBytes()).isLessThan(before.freeBytes());
    }
  }

  @Test
  void copiesThereAndBack() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(BYTES);
        DeviceBuffer other = context.allocate(BYTES);
        PinnedBuffer pinned = context.allocatePinned(BYTES)) {
      MemorySegment sent = noise(BYTES);
      MemorySegment received = arena.allocate(BYTES);
      stream.upload(sent, buffer.address());
      stream.copy(buffer.address(), other.address(), BYTES);
      stream.download(other.address(), received);
      stream.download(other.address(), pinned.segment());
      stream.synchronize();
      assertThat(received.mismatch(sent)).isEqualTo(-1);
      assertThat(pinned.segment().mismatch(sent)).isEqualTo(-1);
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void uploadsPinnedMemory() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(BYTES);
        PinnedBuffer pinned = context.allocatePinned(BYTES)) {
      MemorySegment sent = noise(BYTES);
      pinned.segment().copyFrom(sent);
      stream.upload(pinned.segment(), buffer.address());
      assertThat(downloaded(stream, buffer.address(), BYTES).mismatch(sent)).isEqualTo(-1);
    }
  }

  @Test
  void fillsBytes() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(1000)) {
      stream.fill(buffer.address(), 0, 1000);
      stream.fill(buffer.address() + 1, 0xC3, 997);
      byte[] bytes = downloaded(stream, buffer.address(), 1000).toArray(JAVA_BYTE);
      for (int i = 0; i < 1000; i++) {
        assertThat(bytes[i]).isEqualTo((byte) (i >= 1 && i < 998 ? 0xC3 : 0));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.fill(buffer.address(), 256, 1))
          .withMessageContaining("256");
    }
  }

  @Test
  void copiesNothing() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(1)) {
      MemorySegment empty = arena.allocate(0);
      stream.upload(empty, buffer.address());
      stream.download(buffer.address(), empty);
      stream.copy(buffer.address(), buffer.address(), 0);
      stream.fill(buffer.address(), 0, 0);
      stream.upload2D(empty, 5, buffer.address(), 5, 5, 0);
      stream.download2D(buffer.address(), 5, empty, 5, 0, 9);
      stream.synchronize();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // rowBytes, rows, hostStride, deviceStride, hostOffset, deviceOffset
    "1, 1, 1, 1, 0, 0",
    "13, 7, 13, 13, 3, 5",
    "13, 7, 13, 16, 1, 0",
    "13, 7, 29, 13, 0, 7",
    "1, 301, 2, 3, 1, 1",
    "511, 33, 517, 513, 9, 11",
    "4096, 5, 4096, 4224, 1, 0",
    "77, 1, 5, 9, 3, 2", // one row has no stride
  })
  void copiesRowsThatLieAnyhow(
      int rowBytes, int rows, int hostStride, int deviceStride, int hostOffset, int deviceOffset) {
    int hostBytes = (rows - 1) * hostStride + rowBytes;
    int deviceBytes = (rows - 1) * deviceStride + rowBytes;
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(deviceOffset + deviceBytes + 9L);
        DeviceBuffer other = context.allocate(deviceBytes + 9L)) {
      MemorySegment sent = noise(hostOffset + hostBytes).asSlice(hostOffset);
      stream.fill(buffer.address(), 0x55, buffer.bytes());
      stream.upload2D(
          sent, hostStride, buffer.address() + deviceOffset, deviceStride, rowBytes, rows);

      MemorySegment expected = arena.allocate(buffer.bytes()).fill((byte) 0x55);
      rows(sent, hostStride, expected.asSlice(deviceOffset), deviceStride, rowBytes, rows);
      assertThat(downloaded(stream, buffer.address(), buffer.bytes()).mismatch(expected))
          .isEqualTo(-1);

      int otherStride = Math.max(rowBytes, deviceStride - 1);
      stream.copy2D(
          buffer.address() + deviceOffset,
          deviceStride,
          other.address(),
          otherStride,
          rowBytes,
          rows);
      MemorySegment received = arena.allocate(hostBytes).fill((byte) 0x33);
      stream.download2D(other.address(), otherStride, received, hostStride, rowBytes, rows);
      stream.synchronize();
      MemorySegment expectedRows = arena.allocate(hostBytes).fill((byte) 0x33);
      rows(sent, hostStride, expectedRows, hostStride, rowBytes, rows);
      assertThat(received.mismatch(expectedRows)).isEqualTo(-1);
    }
  }

  @Test
  void stepsOverMoreThanTwoGibibytes(@TempDir Path directory) throws IOException {
    long stride = 3L << 30;
    // A file that is nearly all hole takes no memory but for its two rows.
    try (Arena large = Arena.ofConfined();
        FileChannel file = FileChannel.open(directory.resolve("hole"), CREATE_NEW, READ, WRITE);
        Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(10)) {
      MemorySegment rows = file.map(MapMode.READ_WRITE, 0, stride + 5, large);
      rows.asSlice(0, 5).fill((byte) 1);
      rows.asSlice(stride, 5).fill((byte) 2);
      stream.upload2D(rows, stride, buffer.address(), 5, 5, 2);
      assertThat(downloaded(stream, buffer.address(), 10).toArray(JAVA_BYTE))
          .containsExactly(1, 1, 1, 1, 1, 2, 2, 2, 2, 2);
    }
  }

  @Test
  void refusesMemoryThatADeviceCannotCopy() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(100)) {
      long address = buffer.address();
      MemorySegment heap = MemorySegment.ofArray(new byte[8]);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.upload(heap, address))
          .withMessageContaining("heap");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.download(address, arena.allocate(8).asReadOnly()))
          .withMessageContaining("read-only");
      Arena closed = Arena.ofConfined();
      MemorySegment freed = closed.allocate(8);
      closed.close();
      assertThatThrownBy(() -> stream.upload(freed, address))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("freed");
      MemorySegment confined = arena.allocate(8);
      assertThatThrownBy(() -> onAnotherThread(() -> stream.upload(confined, address)))
          .hasRootCauseInstanceOf(WrongThreadException.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.upload2D(arena.allocate(19), 10, address, 10, 10, 2))
          .withMessageContaining("end at byte 20 of 19");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copy2D(address, 10, address + 50, 9, 10, 2))
          .withMessageContaining("toStride 9");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copy(address, address + 50, -1))
          .withMessageContaining("-1");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, PinnedPages.MIN_BYTES + 1})
  void recognisesPinnedMemory(long bytes) {
    try (PinnedBuffer pinned = PinnedPages.allocate(context, bytes);
        DeviceBuffer buffer = context.allocate(10)) {
      MemorySegment memory = pinned.segment();
      assertThat(memory.byteSize()).isEqualTo(bytes);
      assertThat(context.isPinned(memory)).isTrue();
      assertThat(context.isPinned(memory.asSlice(bytes - 1))).isTrue();
      assertThat(context.isPinned(memory.asSlice(3, 4_567))).isTrue();
      assertThat(context.isPinned(memory.asSlice(bytes))).as("empty").isFalse();
      assertThat(context.isPinned(arena.allocate(100))).as("pageable").isFalse();
      assertThat(context.isPinned(MemorySegment.ofArray(new byte[10]))).as("heap").isFalse();
      MemorySegment onDevice = MemorySegment.ofAddress(buffer.address()).reinterpret(10);
      assertThat(context.isPinned(onDevice)).as("on the device").isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, PinnedPages.MIN_BYTES + 1})
  void forgetsPinnedMemory(long bytes) {
    PinnedBuffer pinned = PinnedPages.allocate(context, bytes);
    MemorySegment memory = pinned.segment();
    pinned.close();
    assertThatThrownBy(() -> memory.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void copiesLargePinnedMemory() {
    try (Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(PinnedPages.MIN_BYTES);
        PinnedBuffer pinned = PinnedPages.allocate(context, PinnedPages.MIN_BYTES)) {
      MemorySegment memory = pinned.segment();
      assertThat(pinned.isOfPages()).isTrue();
      assertThat(memory.mismatch(arena.allocate(memory.byteSize()))).isEqualTo(-1);
      MemorySegment sent = noise((int) memory.byteSize());
      memory.copyFrom(sent);
      stream.upload(memory, buffer.address());
      stream.synchronize();
      memory.fill((byte) 0);
      stream.download(buffer.address(), memory);
      stream.synchronize();
      assertThat(memory.mismatch(sent)).isEqualTo(-1);
    }
  }

  @Test
  void launchesWithTheArgumentsOfTheMoment() {
    try (Module module = context.load(Proof.image());
        Stream stream = context.stream();
        DeviceBuffer from = context.allocate(4096);
        DeviceBuffer to = context.allocate(4096)) {
      Function function = module.function(Proof.NAME);
      assertThat(function.name()).isEqualTo(Proof.NAME);
      MemorySegment sent = noise(4096);
      stream.upload(sent, from.address());
      stream.fill(to.address(), 0, 4096);
      // 2 matrices of 3 rows of 5 bytes, and then the struct is changed under the stream.
      var proof =
          new Proof(from.address() + 1, 7, 100, to.address() + 3, 11, 200, 2, 3, 5, 0xA7, 1);
      MemorySegment struct = proof.struct(arena);
      stream.launch(function, new LaunchShape(3, 1, 1, 32, 1), struct);
      struct.fill((byte) 0);

      MemorySegment expected = arena.allocate(4096);
      for (int matrix = 0; matrix < 2; matrix++) {
        for (int row = 0; row < 3; row++) {
          for (int column = 0; column < 5; column++) {
            byte byteOf = sent.get(JAVA_BYTE, 1 + matrix * 100 + row * 7 + column);
            expected.set(JAVA_BYTE, 3 + matrix * 200 + row * 11 + column, (byte) (byteOf ^ 0xA7));
          }
        }
      }
      assertThat(downloaded(stream, to.address(), 4096).mismatch(expected)).isEqualTo(-1);
    }
  }

  @Test
  void launchesWithMuchSharedMemory() {
    int much = 64 * 1024;
    try (Module module = context.load(Proof.image());
        Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(100)) {
      Function function = module.function(Proof.NAME);
      assertThat(function.registers()).isPositive();
      assertThat(function.blocksPerMultiprocessor(1024, 0)).isBetween(1, 2);
      var shape = new LaunchShape(1, 1, 1, 64, much);
      long at = buffer.address();
      MemorySegment struct =
          new Proof(at, 100, 100, at, 100, 100, 1, 1, 100, 9, much).struct(arena);
      stream.fill(at, 1, 100);
      assertThatThrownBy(() -> stream.launch(function, shape, struct))
          .isInstanceOfSatisfying(
              CudaException.class,
              refused -> {
                assertThat(refused.error().code()).isEqualTo(1);
                assertThat(refused.call()).isEqualTo("cuLaunchKernel");
                assertThat(refused.isSticky()).isFalse();
              });
      function.allowSharedBytes(much);
      stream.launch(function, shape, struct);
      assertThat(downloaded(stream, at, 100).toArray(JAVA_BYTE)).containsOnly(8);
      assertThatThrownBy(() -> function.allowSharedBytes(Integer.MAX_VALUE))
          .isInstanceOf(CudaException.class);
    }
  }

  @Test
  void refusesAKernelThatIsNotThere() {
    try (Module module = context.load(Proof.image())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> module.function("no_such_kernel"))
          .withMessageContaining("no_such_kernel");
    }
  }

  @Test
  void waitsForEventsAcrossStreams() {
    try (Module module = context.load(Proof.image());
        Stream first = context.stream();
        Stream second = context.stream();
        Event done = context.event();
        PinnedBuffer sent = context.allocatePinned(BYTES);
        PinnedBuffer received = context.allocatePinned(BYTES);
        DeviceBuffer from = context.allocate(BYTES);
        DeviceBuffer to = context.allocate(BYTES)) {
      assertThat(done.isDone()).as("never recorded").isTrue();
      sent.segment().fill((byte) 0x0F);
      first.upload(sent.segment(), from.address());
      first.launch(
          module.function(Proof.NAME),
          new LaunchShape(8, 1, 1, 128, 1),
          Proof.packed(from.address(), to.address(), BYTES, 0xFF).struct(arena));
      first.record(done);
      second.await(done);
      second.download(to.address(), received.segment());
      second.record(done);
      done.synchronize();
      assertThat(done.isDone()).isTrue();
      assertThat(received.segment().toArray(JAVA_BYTE)).containsOnly(0xF0);
    }
  }

  @Test
  void keepsTheTime() {
    try (Stream stream = context.stream();
        Event start = context.timingEvent();
        Event end = context.timingEvent();
        Event other = context.event();
        DeviceBuffer buffer = context.allocate(16 << 20)) {
      stream.record(start);
      stream.fill(buffer.address(), 1, buffer.bytes());
      stream.record(end);
      stream.record(other);
      end.synchronize();
      assertThat(end.millisSince(start)).isPositive();
      other.synchronize();
      assertThatThrownBy(() -> other.millisSince(start)).isInstanceOf(CudaException.class);
    }
  }

  @Test
  void sharesAStreamBetweenThreads() throws Exception {
    int threads = 4;
    int rounds = 200;
    try (Module module = context.load(Proof.image());
        Stream stream = context.stream();
        DeviceBuffer buffer = context.allocate(64L * threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      Function function = module.function(Proof.NAME);
      stream.fill(buffer.address(), 0, buffer.bytes());
      List<Callable<Boolean>> work = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long mine = buffer.address() + 64L * thread;
        int value = thread + 1;
        work.add(() -> {
          try (Arena own = Arena.ofConfined();
              Event event = context.event();
              DeviceBuffer scratch = context.allocate(64)) {
            MemorySegment there = Proof.packed(mine, scratch.address(), 64, value).struct(own);
            MemorySegment back = Proof.packed(scratch.address(), mine, 64, 0x80).struct(own);
            for (int round = 0; round < rounds; round++) {
              stream.launch(function, new LaunchShape(1, 1, 1, 64, 1), there);
              stream.launch(function, new LaunchShape(1, 1, 1, 64, 1), back);
            }
            stream.record(event);
            event.synchronize();
          }
          return true;
        });
      }
      for (int repeat = 0; repeat < 3; repeat++) {
        for (Future<Boolean> done : pool.invokeAll(work)) {
          assertThat(done.get()).isTrue();
        }
      }
      // 600 XORs by value and by 0x80 cancel; an odd number would change the bytes.
      assertThat(downloaded(stream, buffer.address(), buffer.bytes()).toArray(JAVA_BYTE))
          .containsOnly(0);
    }
  }

  @Test
  void opensADeviceTwice() {
    try (Context second = driver().devices().getFirst().open();
        Stream stream = context.stream();
        DeviceBuffer theirs = second.allocate(10)) {
      stream.fill(theirs.address(), 6, 10);
      assertThat(downloaded(stream, theirs.address(), 10).toArray(JAVA_BYTE)).containsOnly(6);
      assertThat(second.openResources()).isEqualTo(1);
    }
  }

  @Test
  void usesSeveralDevicesFromOneThread() {
    List<Context> contexts = driver().devices().stream().map(Device::open).toList();
    List<DeviceBuffer> buffers = contexts.stream().map(each -> each.allocate(10)).toList();
    List<Stream> streams = contexts.stream().map(Context::stream).toList();
    for (int i = 0; i < contexts.size(); i++) {
      streams.get(i).fill(buffers.get(i).address(), i + 1, 10);
    }
    for (int i = 0; i < contexts.size(); i++) {
      assertThat(downloaded(streams.get(i), buffers.get(i).address(), 10).toArray(JAVA_BYTE))
          .containsOnly(i + 1);
    }
    contexts.forEach(Context::close);
    streams.forEach(Stream::close);
  }

  @Test
  void closesItsResources() {
    Context second = driver().devices().getFirst().open();
    DeviceBuffer buffer = second.allocate(10);
    PinnedBuffer pinned = second.allocatePinned(10);
    Stream stream = second.stream();
    Event event = second.event();
    Module module = second.load(Proof.image());
    assertThat(second.openResources()).isEqualTo(5);
    second.close();
    assertThat(second.openResources()).isZero();
    second.close();
    for (Resource each : List.of(buffer, pinned, stream, event, module)) {
      each.close();
    }
    assertThatThrownBy(buffer::address).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(stream::synchronize).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(event::isDone).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> second.allocate(1)).isInstanceOf(IllegalStateException.class);
    context.synchronize();
  }

  private MemorySegment downloaded(Stream stream, long address, long bytes) {
    MemorySegment to = arena.allocate(bytes);
    stream.download(address, to);
    stream.synchronize();
    return to;
  }

  private MemorySegment noise(int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return arena.allocateFrom(JAVA_BYTE, noise);
  }

  private static void rows(
      MemorySegment from, long fromStride, MemorySegment to, long toStride, long bytes, long rows) {
    for (long row = 0; row < rows; row++) {
      MemorySegment.copy(from, row * fromStride, to, row * toStride, bytes);
    }
  }

  private static void onAnotherThread(Runnable work) throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      thread.submit(work).get();
    }
  }
}

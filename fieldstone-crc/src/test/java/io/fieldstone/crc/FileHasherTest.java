package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.Timeline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileHasherTest {

  /** Small buffers, so that small files have many parts. */
  private static final long PART_BYTES = 4096;

  private static final int THREADS = 3;

  private static final CrcModel MODEL = CrcCatalogue.model("CRC-64/XZ");

  private final Engine engine = Engine.open("cpu");
  private final FileHasher hasher = hasher(MODEL);

  @TempDir Path directory;

  @AfterEach
  void close() {
    hasher.close();
    hasher.close();
    engine.close();
  }

  /** A change after the stamp could else have the time of the change before it. */
  @Test
  void aNewFileIsReadAfterAStepOfTheClock() throws Exception {
    Path file = Files.write(directory.resolve("new"), bytes(5000));
    Instant modified = Files.getLastModifiedTime(file).toInstant();
    AtomicReference<Instant> read = new AtomicReference<>(Instant.MAX);
    hasher.hash(
        file,
        _ ->
            read.accumulateAndGet(
                Instant.now(), (one, other) -> one.isBefore(other) ? one : other));
    assertThat(Duration.between(modified, read.get()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
  }

  /** Sizes around a part, around a range of parts, and many times the buffers. */
  @ParameterizedTest
  @ValueSource(strings = {"CRC-64/XZ", "CRC-32", "CRC-16/XMODEM", "CRC-7/MMC", "CRC-82/DARC"})
  void hashesFilesOfAnyLength(String name) throws IOException, InterruptedException {
    CrcModel model = CrcCatalogue.model(name);
    try (FileHasher any = hasher(model)) {
      for (int length :
          new int[] {0, 1, 4095, 4096, 4097, 8192, 12288, 65_536, 65_537, 300_001, 2_000_003}) {
        byte[] bytes = bytes(length);
        LongAdder progress = new LongAdder();
        Path file = Files.write(directory.resolve("file" + length), bytes);

        assertThat(any.hash(file, progress::add))
            .isEqualTo(new FileHash.Hashed(file, Crc.of(model).hash(bytes), length));
        assertThat(progress.sum()).isEqualTo(length);
        assertThat(any.hash(trickle(bytes), _ -> {})).isEqualTo(Crc.of(model).hash(bytes));
      }
    }
  }

  @Test
  @Timeout(60)
  void severalThreadsDivideAFile() throws IOException, InterruptedException {
    byte[] bytes = bytes(1 << 20);
    Path file = Files.write(directory.resolve("file"), bytes);

    assertThat(hasher.hash(file, waitForThreads(THREADS)).checksum())
        .isEqualTo(Crc.of(MODEL).hash(bytes));
  }

  @Test
  @Timeout(60)
  void severalThreadsDivideAStream() throws IOException, InterruptedException {
    byte[] bytes = bytes(1 << 20);

    assertThat(hasher.hash(trickle(bytes), waitForThreads(THREADS)))
        .isEqualTo(Crc.of(MODEL).hash(bytes));
  }

  @Test
  @Timeout(60)
  void severalThreadsDivideALargeFileAmongSmallOnes() throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    List<FileHash> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] bytes = bytes(i == 19 ? 1 << 20 : i);
      files.add(Files.write(directory.resolve("file" + i), bytes));
      expected.add(new FileHash.Hashed(files.get(i), Crc.of(MODEL).hash(bytes), bytes.length));
    }
    List<FileHash> results = new ArrayList<>();
    LongConsumer whole = waitForThreads(THREADS);

    hasher.hashAll(
        files,
        results::add,
        bytes -> {
          if (bytes == PART_BYTES) {
            whole.accept(bytes);
          }
        });

    assertThat(results).isEqualTo(expected);
  }

  @Test
  void aListenerReceivesReadingAndDividingOfEachPart() throws Exception {
    Path file = Files.write(directory.resolve("file"), bytes(100_000));
    Timeline timeline = new Timeline();
    try (FileHasher reporting = hasher.withPhaseListener(timeline)) {
      assertThat(reporting.hash(file, _ -> {})).isEqualTo(hasher.hash(file, _ -> {}));
    }
    assertThat(timeline.profile())
        .extracting(StageProfile::name)
        .containsExactly("read", "compute");
    assertThat(timeline.profile()).extracting(StageProfile::bytes).containsOnly(100_000L);
    assertThat(timeline.profile()).extracting(StageProfile::items).containsOnly(25L);
  }

  /** Makes a listener that blocks each thread until {@code threads} threads have called it. */
  private static LongConsumer waitForThreads(int threads) {
    CountDownLatch others = new CountDownLatch(threads);
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    return _ -> {
      if (seen.add(Thread.currentThread())) {
        others.countDown();
        try {
          others.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    };
  }

  @Test
  void aFileThatBecomesShorterIsAnError() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(1 << 20));

    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> hasher.hash(file, _ -> resize(file, 5000)))
        .withMessageStartingWith(file + ": became shorter while it was read")
        .withMessageContaining("5,000 instead of 1,048,576 bytes");
  }

  @Test
  void aFileThatBecomesShorterBehindBytesAlreadyReadIsAnError() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(1 << 20));
    AtomicLong read = new AtomicLong();

    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() ->
            hasher.hash(
                file,
                bytes -> {
                  if (read.addAndGet(bytes) == 1 << 20) {
                    resize(file, 5000);
                  }
                }))
        .withMessageStartingWith(file + ": became shorter while it was read");
  }

  @Test
  void aFileThatBecomesLongerIsAnError() throws IOException, InterruptedException {
    Path file = Files.write(directory.resolve("file"), bytes(1 << 20));
    List<FileHash> results = new ArrayList<>();

    hasher.hashAll(List.of(file), results::add, _ -> resize(file, (1 << 20) + 1));

    assertThat(results)
        .singleElement()
        .isInstanceOfSatisfying(
            FileHash.Unreadable.class,
            unreadable ->
                assertThat(unreadable.cause())
                    .hasMessageContaining("became longer while it was read")
                    .hasMessageContaining("1,048,577 instead of 1,048,576 bytes"));
  }

  /** Of one buffer, and of more. */
  @ParameterizedTest
  @ValueSource(ints = {100, 1_000_000})
  void aFileThatIsOverwrittenIsAnError(int bytes) throws IOException {
    Path file = Files.write(directory.resolve("overwritten"), new byte[bytes]);
    LongConsumer overwriting =
        _ -> {
          try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> hasher.hash(file, overwriting))
        .withMessageStartingWith(file + ": was written at 1970-01-01T00:00:00Z, while it was");
  }

  private static void resize(Path file, long bytes) {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** No thread reads afterwards, so the file can be closed and the buffers freed. */
  @Test
  void interruptionEndsAllThreads() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(1 << 20));
    Thread caller = Thread.currentThread();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    LongConsumer interrupt =
        _ -> {
          if (isFirst.getAndSet(false)) {
            caller.interrupt();
          }
        };

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> hasher.hash(file, interrupt));
    assertThat(Thread.interrupted()).isFalse();
    isFirst.set(true);
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> hasher.hashAll(List.of(file, file), _ -> {}, interrupt));
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void reportsFilesInOrderAndUnreadableFiles() throws InterruptedException, IOException {
    List<Path> files = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      contents.add(bytes(i * 400));
      files.add(Files.write(directory.resolve("file" + i), contents.get(i)));
    }
    files.set(20, directory.resolve("not there"));
    files.set(40, directory);
    List<FileHash> results = new ArrayList<>();
    LongAdder progress = new LongAdder();

    hasher.hashAll(files, results::add, progress::add);

    assertThat(results).extracting(FileHash::path).isEqualTo(files);
    for (int i = 0; i < files.size(); i++) {
      if (i == 20 || i == 40) {
        assertThat(results.get(i)).isInstanceOf(FileHash.Unreadable.class);
      } else {
        assertThat(results.get(i))
            .isEqualTo(
                new FileHash.Hashed(
                    files.get(i), Crc.of(MODEL).hash(contents.get(i)), contents.get(i).length));
      }
    }
    assertThat(progress.sum())
        .isEqualTo(
            results.stream()
                .mapToLong(each -> each instanceof FileHash.Hashed hashed ? hashed.length() : 0)
                .sum());
  }

  @Test
  void exceptionsOfListenersPass() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(100_000));
    List<Path> files = List.of(file, file, file, file);

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            hasher.hashAll(
                files,
                _ -> {
                  throw new IllegalArgumentException("enough");
                },
                _ -> {}))
        .withMessage("enough");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            hasher.hashAll(
                files,
                _ -> {},
                _ -> {
                  throw new IllegalArgumentException("too much");
                }))
        .withMessage("too much");
  }

  /** The first thread gets memory and waits until another has asked for some. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // no interruption ends it
  void aThreadWithoutMemoryEndsTheOthers() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(1 << 20));
    AtomicBoolean isFirst = new AtomicBoolean(true);
    CountDownLatch refused = new CountDownLatch(1);
    Engine scarce =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("allocateHost") && !isFirst.getAndSet(false)) {
                    refused.countDown();
                    throw new OutOfMemoryError("no buffer");
                  }
                  return method.invoke(engine, arguments);
                });
    try (FileHasher hasher =
        new FileHasher(Crc.of(MODEL), scarce, THREADS, PART_BYTES, PhaseListener.NONE)) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(
              () -> hasher.hash(file, _ -> assertThatNoException().isThrownBy(refused::await)))
          .withMessage("no buffer");
    }
  }

  @Test
  void usesTheMethodThatIsAskedFor() throws IOException, InterruptedException {
    byte[] bytes = bytes(50_000);
    Path file = Files.write(directory.resolve("file"), bytes);
    for (String method : Crc.methods(MODEL, engine)) {
      try (FileHasher named = new FileHasher(MODEL, engine, method, THREADS)) {
        assertThat(named.hash(file, _ -> {}).checksum()).isEqualTo(Crc.of(MODEL).hash(bytes));
      }
    }
    CrcModel wide = CrcCatalogue.model("CRC-82/DARC");
    try (FileHasher named = hasher(wide)) {
      assertThat(named.hash(file, _ -> {}).checksum()).isEqualTo(Crc.of(wide).hash(bytes));
    }
  }

  @Test
  void refusesThreadsOutOfRange() {
    for (int threads : new int[] {0, -1, FileHasher.MAX_THREADS + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new FileHasher(MODEL, engine, threads))
          .withMessageContaining(threads + " are not in 1…4096");
    }
  }

  @Test
  void aMissingFileIsAnError() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> hasher.hash(directory.resolve("not there"), _ -> {}));
  }

  private FileHasher hasher(CrcModel model) {
    return new FileHasher(Crc.of(model, engine), engine, THREADS, PART_BYTES, PhaseListener.NONE);
  }

  /** A stream that never gives as much as is asked for. */
  private static ReadableByteChannel trickle(byte[] bytes) {
    return Channels.newChannel(
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1000));
          }
        });
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}

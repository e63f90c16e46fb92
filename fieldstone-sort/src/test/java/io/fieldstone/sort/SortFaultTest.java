package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that several threads read and write when something goes wrong: no output remains. */
class SortFaultTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(4));
  private static final RecordFormat KEYS = RecordFormat.of(KeyType.U32);
  private static final int BYTES = 24 << 20;

  /** Memory with which the records are sorted at once; with less they are sorted by runs. */
  private static final long PLENTY = 1L << 30;

  private static final long LITTLE = 20 << 20;

  private static final String CALLER = "caller";

  @TempDir Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private Path input() throws IOException {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(5).nextBytes(bytes);
    return Files.write(directory.resolve("records.bin"), bytes);
  }

  private void assertOnlyTheInputIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(path -> path.getFileName().toString())).containsExactly("records.bin");
    }
  }

  private static Thread callerIn(ThreadGroup group) {
    return threadsIn(group).stream()
        .filter(thread -> thread.getName().equals(CALLER))
        .findFirst()
        .orElseThrow();
  }

  private static List<Thread> threadsIn(ThreadGroup group) {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    return List.of(Arrays.copyOf(threads, count));
  }

  /** The exception of a sort, and whether its thread was still interrupted. */
  private record Outcome(Throwable thrown, boolean isInterrupted) {}

  /** Sorts on another thread, and checks that all threads ended that were started for the sort. */
  private static Outcome failureOf(
      ThreadGroup group, FileSorter sorter, Path input, Path output, SortListener listener)
      throws Exception {
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Runnable sort =
        () -> {
          try {
            sorter.sort(input, output, listener);
          } catch (Exception | Error e) {
            outcome.set(new Outcome(e, Thread.interrupted()));
          }
          // Those of the engine wait for work.
          assertThat(threadsIn(group))
              .filteredOn(thread -> !thread.getName().startsWith("fieldstone-cpu-"))
              .containsExactly(Thread.currentThread());
        };
    FutureTask<Void> task = new FutureTask<>(sort, null);
    new Thread(group, task, CALLER).start();
    task.get();
    return Objects.requireNonNull(outcome.get(), "the sort did not fail");
  }

  private static long memory(Pass pass, boolean isInMemory) {
    assertThat(isInMemory ? pass != Pass.MERGE : pass != Pass.READ && pass != Pass.WRITE).isTrue();
    return isInMemory ? PLENTY : LITTLE;
  }

  /** The calling thread is interrupted while others read, sort, merge, write or verify. */
  @ParameterizedTest
  @CsvSource({
    "READ, true, 5",
    "SORT, true, 30",
    "WRITE, true, 1",
    "WRITE, true, 40",
    "VERIFY, true, 3",
    "SORT, false, 1",
    "MERGE, false, 1",
    "MERGE, false, 9",
    "VERIFY, false, 3"
  })
  void anInterruptionEndsEveryThread(Pass pass, boolean isInMemory, int event) throws Exception {
    Path input = input();
    byte[] content = Files.readAllBytes(input);
    ThreadGroup group = new ThreadGroup("sort");
    AtomicInteger left = new AtomicInteger(event);
    SortListener interrupting =
        (now, _, _) -> {
          if (now == pass && left.decrementAndGet() == 0) {
            callerIn(group).interrupt();
          }
        };
    FileSorter sorter = FileSorter.of(ENGINE, KEYS, memory(pass, isInMemory)).verifying();
    Outcome outcome = failureOf(group, sorter, input, input, interrupting);
    assertThat(outcome.thrown()).isInstanceOf(InterruptedException.class);
    assertThat(outcome.isInterrupted()).isFalse();
    assertThat(left.get()).isNotPositive();
    assertThat(Files.readAllBytes(input)).isEqualTo(content);
    assertOnlyTheInputIsLeft();
  }

  /** Another process shortens or extends the file while several threads read it. */
  @ParameterizedTest
  @CsvSource({
    "READ, true, 5, -1000000",
    "READ, true, 5, 4",
    "SORT, true, 5, -1000000",
    "SORT, true, 5, 4",
    "SORT, false, 1, -23000000",
    "SORT, false, 1, 4"
  })
  void aFileThatChangesItsSizeHasNoResult(Pass pass, boolean isInMemory, int event, int bytes)
      throws Exception {
    Path input = input();
    AtomicInteger left = new AtomicInteger(event);
    SortListener changing =
        (now, _, _) -> {
          if (now == pass && left.decrementAndGet() == 0) {
            try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
              file.setLength(BYTES + bytes);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    FileSorter sorter = FileSorter.of(ENGINE, KEYS, memory(pass, isInMemory));
    Outcome outcome =
        failureOf(new ThreadGroup("sort"), sorter, input, directory.resolve("sorted"), changing);
    assertThat(outcome.thrown())
        .isInstanceOf(IOException.class)
        .message()
        .contains("records.bin: ")
        .containsAnyOf("truncated while it was read", "changed from");
    assertThat(left.get()).isNotPositive();
    assertOnlyTheInputIsLeft();
  }

  /** Records that change between two readings have other digits than were counted. */
  @Test
  void recordsThatChangeBetweenTwoReadingsHaveNoResult() throws Exception {
    Path input = input();
    AtomicBoolean isChanged = new AtomicBoolean();
    SortListener changing =
        (pass, _, _) -> {
          if (pass == Pass.SORT && !isChanged.getAndSet(true)) {
            try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
              file.seek(BYTES / 4);
              file.write(new byte[BYTES / 2]);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    FileSorter sorter = FileSorter.of(ENGINE, KEYS, PLENTY);
    assertThatThrownBy(() -> sorter.sort(input, directory.resolve("sorted"), changing))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(input + ": was written at ")
        .hasMessageEndingWith("the result is not kept");
    assertOnlyTheInputIsLeft();
  }

  /** In a process whose files may only reach a size from some moment on, as on a full disk. */
  @EnabledOnOs(OS.LINUX)
  @ParameterizedTest
  @CsvSource({"WRITE, true", "SORT, false", "MERGE, false"})
  void aDiskThatBecomesFullLeavesNoOutput(Pass pass, boolean isInMemory) throws Exception {
    Path input = input();
    byte[] content = Files.readAllBytes(input);
    String printed =
        ChildJvm.run(FullDisk.class, input.toString(), pass.name(), "" + memory(pass, isInMemory));
    assertThat(printed)
        .contains("in pass " + pass.name())
        .containsPattern("FileSystemException: .*: File too large|IOException: .*File too large");
    assertThat(Files.readAllBytes(input)).isEqualTo(content);
    assertOnlyTheInputIsLeft();
  }

  /** Sorts a file in its place until the disk becomes full in a pass. */
  static final class FullDisk {

    private static final int RLIMIT_FSIZE = 1;

    private FullDisk() {}

    /** Takes the file, a pass and bytes of memory. */
    public static void main(String... arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      Pass pass = Pass.valueOf(arguments[1]);
      AtomicBoolean isFull = new AtomicBoolean();
      SortListener filling =
          (now, _, _) -> {
            if (now == pass && !isFull.getAndSet(true)) {
              System.out.println("in pass " + now.name());
              limitFiles(BYTES / 2);
            }
          };
      try (Engine engine = Engine.open("cpu", new EngineOptions(4))) {
        FileSorter.of(engine, KEYS, Long.parseLong(arguments[2])).sort(file, file, filling);
      } catch (IOException e) {
        System.out.println(e);
      }
    }

    /** Limits the size of the files of this process. */
    private static void limitFiles(long bytes) {
      Linker linker = Linker.nativeLinker();
      MethodHandle setrlimit =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("setrlimit"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment limits = arena.allocateFrom(JAVA_LONG, bytes, -1);
        int status = (int) setrlimit.invokeExact(RLIMIT_FSIZE, limits);
        assertThat(status).isZero();
      } catch (Throwable thrown) {
        throw new AssertionError(thrown);
      }
    }
  }
}

package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One command at a time writes to a folder. */
class FolderLockTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 500;

  @TempDir private Path folder;

  @Test
  void aSecondLockIsRefused() throws Exception {
    try (FolderLock _ = FolderLock.of(folder)) {
      assertThatExceptionOfType(FileSystemException.class)
          .isThrownBy(() -> FolderLock.of(folder))
          .withMessageContaining("another command writes to this folder now");
    }
    try (FolderLock _ = FolderLock.of(folder)) {
      assertThat(folder).isNotEmptyDirectory();
    }
    assertThat(folder).isEmptyDirectory();
  }

  /** As of a process that was killed. */
  @Test
  void aFileThatWasLeftIsTakenOver() throws Exception {
    Files.writeString(folder.resolve(".fieldstone-parity.lock"), "of an earlier command");
    try (FolderLock _ = FolderLock.of(folder)) {
      assertThat(folder).isNotEmptyDirectory();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anotherProcessIsRefused() throws Exception {
    try (FolderLock _ = FolderLock.of(folder)) {
      assertThat(ChildJvm.run(Locking.class, folder.toString()))
          .contains("another command writes to this folder now");
    }
    assertThat(ChildJvm.run(Locking.class, folder.toString())).contains("locked");
  }

  /** Locks a folder in a process of its own. */
  static final class Locking {

    private Locking() {}

    /**
     * Prints whether the folder could be locked.
     *
     * @param arguments the folder
     */
    public static void main(String... arguments) throws IOException {
      try (FolderLock _ = FolderLock.of(Path.of(arguments[0]))) {
        System.out.println("locked");
      } catch (FileSystemException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** Locks are taken while others end, which deletes their file. */
  @Test
  void noTwoHoldTheLockAtOnce() throws Exception {
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int thread = 0; thread < THREADS; thread++) {
        ends.add(
            threads.submit(() -> {
              for (int round = 0; round < ROUNDS; round++) {
                try (FolderLock _ = FolderLock.of(folder)) {
                  most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                  LockSupport.parkNanos(1);
                  holders.decrementAndGet();
                } catch (FileSystemException e) {
                  assertThat(e).hasMessageContaining("another command writes to this folder now");
                }
              }
              return null;
            }));
      }
    }
    for (Future<?> end : ends) {
      end.get();
    }
    assertThat(most).hasValue(1);
  }
}

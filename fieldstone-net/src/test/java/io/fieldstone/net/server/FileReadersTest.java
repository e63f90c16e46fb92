package io.fieldstone.net.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class FileReadersTest {

  @Test
  void aFileThatIsSlowHasFewThreadsAndDelaysNoOther() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch allSlow = new CountDownLatch(1000);
    CountDownLatch allFast = new CountDownLatch(1000);
    try (FileReaders readers = new FileReaders()) {
      for (int i = 0; i < 1000; i++) {
        readers.execute(
            "slow",
            () -> {
              begun.incrementAndGet();
              await(slow);
              allSlow.countDown();
            });
      }
      for (int i = 0; i < 1000; i++) {
        readers.execute("fast" + i % 2, allFast::countDown);
      }

      allFast.await();

      assertThat(begun.get()).isLessThanOrEqualTo(FileReaders.MAX_PER_FILE);
      slow.countDown();
      allSlow.await();
    }
  }

  /** There are more tasks that fail than there may be threads. */
  @Test
  void aTaskThatFailsEndsNoThread() throws Exception {
    CountDownLatch begun = new CountDownLatch(300);
    CountDownLatch last = new CountDownLatch(1);
    try (FileReaders readers = new FileReaders()) {
      for (int i = 0; i < 300; i++) {
        readers.execute(
            "file" + i,
            () -> {
              begun.countDown();
              throw new IllegalStateException("wanted by this test");
            });
      }
      begun.await();
      readers.execute("file", last::countDown);
      last.await();
    }
  }

  @Test
  void dropsTasksAfterTheEnd() {
    FileReaders readers = new FileReaders();
    readers.close();
    readers.execute(
        "file",
        () -> {
          throw new AssertionError("after the end");
        });
    readers.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

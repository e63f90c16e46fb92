package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60) // A pipeline that hangs must fail; all tests are short.
class LanesTest {

  private static final int ITEMS = 1000;

  /** A slot: one number. */
  private static final class Slot {
    private int value;
  }

  private final AtomicInteger next = new AtomicInteger();

  private long count(Slot slot) {
    slot.value = next.getAndIncrement();
    return slot.value < ITEMS ? 1 : Stage.END;
  }

  private static List<Slot> slots(int count) {
    return Stream.generate(Slot::new).limit(count).toList();
  }

  private static Pipeline<Slot, IOException> pipeline(int slots) {
    return new Pipeline<>("test", slots(slots));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everySlotPassesEveryStage(int slots) throws Exception {
    Queue<Integer> seen = new ConcurrentLinkedQueue<>();
    List<Integer> ordered = new ArrayList<>();
    List<StageProfile> profile =
        pipeline(slots)
            .inOrder("count", this::count)
            .anyOrder(
                "double",
                slot -> {
                  slot.value *= 2;
                  return 3;
                })
            .afterFirst(
                "note",
                slot -> {
                  seen.add(slot.value);
                  return 0;
                })
            .inOrder(
                "note",
                slot -> {
                  ordered.add(slot.value);
                  return 2;
                })
            .run();

    List<Integer> all = IntStream.range(0, ITEMS).map(i -> 2 * i).boxed().toList();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
    assertThat(ordered).isEqualTo(all);
    assertThat(profile).extracting(StageProfile::name).containsExactly("count", "double", "note");
    assertThat(profile).extracting(StageProfile::items).containsOnly((long) ITEMS);
    assertThat(profile).extracting(StageProfile::bytes).containsExactly(1000L, 3000L, 2000L);
    assertThat(profile).extracting(StageProfile::busyNs).allMatch(ns -> ns > 0);
  }

  @Test
  void stagesInAnyOrderRunAtTheSameTime() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    pipeline(2)
        .inOrder("count", this::count)
        .anyOrder(
            "meet",
            _ -> {
              both.countDown();
              both.await();
              return 0;
            })
        .run();
    assertThat(next).hasValueGreaterThan(ITEMS);
  }

  @Test
  void stagesInOrderOverlap() throws Exception {
    CountDownLatch secondIsFilled = new CountDownLatch(2);
    pipeline(2)
        .inOrder(
            "fill",
            slot -> {
              secondIsFilled.countDown();
              return count(slot);
            })
        // Waits for work of the first stage, which must run concurrently.
        .inOrder(
            "await",
            _ -> {
              secondIsFilled.await();
              return 0;
            })
        .run();
    assertThat(next).hasValue(ITEMS + 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStageIsInOrderIfTheConditionHolds(boolean isInOrder) throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch both = new CountDownLatch(isInOrder ? 1 : 2);
    pipeline(2)
        .inOrder("count", this::count)
        .inOrderIf(
            isInOrder,
            "work",
            _ -> {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              both.countDown();
              both.await();
              inside.decrementAndGet();
              return 0;
            })
        .run();
    assertThat(most).hasValue(isInOrder ? 1 : 2);
  }

  @Test
  void lanesWithoutInputEnd() throws Exception {
    List<StageProfile> profile =
        pipeline(2).inOrder("none", _ -> Stage.END).anyOrder("never", _ -> 1).run();
    assertThat(profile).extracting(StageProfile::items).containsExactly(0L, 0L);
  }

  @Test
  void aStageInOrderWaitsForSlotsThatTakeLonger() throws Exception {
    CountDownLatch secondHasPassed = new CountDownLatch(1);
    List<Integer> ordered = new ArrayList<>();
    pipeline(2)
        .inOrder("count", this::count)
        .anyOrder(
            "overtake",
            slot -> {
              if (slot.value == 0) {
                secondHasPassed.await();
              } else {
                secondHasPassed.countDown();
              }
              return 0;
            })
        .inOrder(
            "collect",
            slot -> {
              ordered.add(slot.value);
              return 0;
            })
        .run();
    assertThat(ordered).isSorted().hasSize(ITEMS);
  }

  @Test
  void aStageAfterTheFirstWaitsForTheFirstSlotOnly() throws Exception {
    CountDownLatch secondHasPassed = new CountDownLatch(1);
    CountDownLatch thirdHasPassed = new CountDownLatch(1);
    List<Integer> passed = Collections.synchronizedList(new ArrayList<>());
    List<Integer> tooEarly = Collections.synchronizedList(new ArrayList<>());
    pipeline(3)
        .inOrder("count", this::count)
        .anyOrder(
            "overtake",
            slot -> {
              switch (slot.value) {
                case 0 -> secondHasPassed.await();
                case 1 -> secondHasPassed.countDown();
                case 2 -> thirdHasPassed.await(); // the first and others go on without it
                default -> {}
              }
              passed.add(slot.value);
              return 0;
            })
        .afterFirst(
            "use",
            slot -> {
              if (!passed.contains(0)) {
                tooEarly.add(slot.value);
              }
              if (slot.value > 2) {
                thirdHasPassed.countDown();
              }
              return 0;
            })
        .run();
    assertThat(tooEarly).isEmpty();
    assertThat(passed).hasSize(ITEMS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theFirstFailureStopsAllAndIsThrown(int failing) {
    IOException failure = new IOException("stage " + failing);
    AtomicInteger running = new AtomicInteger();
    Pipeline<Slot, IOException> pipeline = pipeline(3);
    for (int i = 0; i < 4; i++) {
      boolean fails = i == failing;
      AtomicInteger calls = new AtomicInteger();
      Stage<Slot, IOException> stage =
          _ -> {
            running.incrementAndGet();
            try {
              if (fails && calls.incrementAndGet() == 10) {
                throw failure;
              }
              return 1;
            } finally {
              running.decrementAndGet();
            }
          };
      switch (i) {
        case 1 -> pipeline.anyOrder("any", stage);
        case 2 -> pipeline.afterFirst("after", stage);
        default -> pipeline.inOrder("in", stage);
      }
    }

    // The first stage never ends: only the failure stops it.
    assertThatExceptionOfType(IOException.class).isThrownBy(pipeline::run).isSameAs(failure);
    assertThat(running).hasValue(0);
  }

  @Test
  void aFailureInterruptsNoStage() {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    Pipeline<Slot, IOException> pipeline =
        pipeline(2)
            .inOrder("count", this::count)
            .anyOrder(
                "work",
                slot -> {
                  if (slot.value == 0) {
                    working.countDown();
                    failed.await();
                    interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                    return 0;
                  }
                  working.await();
                  failed.countDown();
                  throw new IOException("late");
                });
    assertThatExceptionOfType(IOException.class).isThrownBy(pipeline::run).withMessage("late");
    assertThat(interrupted).hasValue(0);
  }

  /** The first slot fails; the second waits for it, in order or after the first. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFailureWakesThoseThatWait(boolean isInOrder) {
    CountDownLatch secondHasPassed = new CountDownLatch(1);
    Pipeline<Slot, IOException> pipeline =
        pipeline(2)
            .inOrder("count", this::count)
            .anyOrder(
                "fail",
                slot -> {
                  if (slot.value == 0) {
                    secondHasPassed.await();
                    throw new IOException("first");
                  }
                  secondHasPassed.countDown();
                  return 0;
                });
    Stage<Slot, IOException> never =
        _ -> {
          throw new AssertionError("the first slot has not passed");
        };
    Pipeline<Slot, IOException> all =
        isInOrder ? pipeline.inOrder("wait", never) : pipeline.afterFirst("wait", never);
    assertThatExceptionOfType(IOException.class).isThrownBy(all::run).withMessage("first");
  }

  @Test
  void errorsPassThrough() {
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(() ->
            pipeline(1)
                .inOrder(
                    "fail",
                    _ -> {
                      throw new StackOverflowError();
                    })
                .run());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void interruptingTheCallerInterruptsTheStages(boolean isInOrder) {
    Thread caller = Thread.currentThread();
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger stopped = new AtomicInteger();
    Stage<Slot, IOException> wait =
        _ -> {
          try {
            caller.interrupt();
            never.await();
            return 0;
          } finally {
            stopped.incrementAndGet();
          }
        };
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() ->
            pipeline(2).inOrder("count", this::count).inOrderIf(isInOrder, "wait", wait).run());
    assertThat(stopped).hasValueBetween(1, 2);
  }

  @Test
  void misuseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pipeline<Slot, IOException>("test", List.of()));
    assertThatIllegalStateException().isThrownBy(() -> pipeline(1).run());
    assertThatIllegalStateException()
        .isThrownBy(() -> pipeline(1).anyOrder("any", _ -> 0))
        .withMessageContaining("'any'");
  }

  @Test
  void threadsThatTheSystemRefusesAreNotNeeded() {
    AtomicInteger ran = new AtomicInteger();
    Thread allowed = new Thread(ran::incrementAndGet);
    Thread refused =
        new Thread() {
          @Override
          public void start() {
            throw new OutOfMemoryError("unable to create native thread");
          }
        };

    List<Thread> threads = List.of(allowed, refused, new Thread(ran::incrementAndGet));
    Threads.start(threads);
    assertThat(Threads.join(threads, () -> {})).isFalse();
    assertThat(ran).hasValue(1);
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> Threads.start(List.of(refused)));
  }

  /** All threads have ended, so that joining them does not see the status. */
  @Test
  void anInterruptionAfterTheLastThreadIsNotLost() {
    Thread.currentThread().interrupt();
    assertThat(Threads.join(List.of(new Thread(() -> {})), () -> {})).isTrue();
    assertThat(Thread.interrupted()).isFalse();
  }
}

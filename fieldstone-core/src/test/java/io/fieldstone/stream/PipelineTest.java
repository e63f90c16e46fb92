package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60) // A pipeline that hangs must fail; all tests are short.
class PipelineTest {

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

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everySlotPassesEveryStageInOrder(int slots) throws Exception {
    List<Integer> seen = new ArrayList<>();
    List<StageProfile> profile =
        new Pipeline<Slot, IOException>(slots(slots))
            .stage("count", this::count)
            .stage(
                "double",
                slot -> {
                  slot.value *= 2;
                  return 3;
                })
            .stage(
                "collect",
                slot -> {
                  seen.add(slot.value);
                  return 0;
                })
            .run();

    assertThat(seen).isEqualTo(IntStream.range(0, ITEMS).map(i -> 2 * i).boxed().toList());
    assertThat(profile)
        .extracting(StageProfile::name)
        .containsExactly("count", "double", "collect");
    assertThat(profile).extracting(StageProfile::items).containsOnly((long) ITEMS);
    assertThat(profile).extracting(StageProfile::bytes).containsExactly(1000L, 3000L, 0L);
    assertThat(profile).extracting(StageProfile::busyNs).allMatch(ns -> ns > 0);
  }

  @Test
  void stagesOverlap() throws Exception {
    CountDownLatch secondIsFilled = new CountDownLatch(2);
    new Pipeline<Slot, IOException>(slots(2))
        .stage(
            "fill",
            slot -> {
              secondIsFilled.countDown();
              return count(slot);
            })
        // Waits for work of the first stage, which must run concurrently.
        .stage(
            "await",
            _ -> {
              secondIsFilled.await();
              return 0;
            })
        .run();
    assertThat(next).hasValue(ITEMS + 1);
  }

  @Test
  void eachStageHasItsThread() throws Exception {
    List<String> names = Collections.synchronizedList(new ArrayList<>());
    Stage<Slot, IOException> note =
        _ -> {
          names.add(Thread.currentThread().getName());
          return 0;
        };
    new Pipeline<Slot, IOException>(slots(2))
        .stage("count", this::count)
        .stage("a", note)
        .stage("b", note)
        .run();
    assertThat(names).containsOnly("fieldstone-a", "fieldstone-b").hasSize(2 * ITEMS);
  }

  @Test
  void aPipelineWithoutInputEnds() throws Exception {
    List<StageProfile> profile =
        new Pipeline<Slot, IOException>(slots(2))
            .stage("none", _ -> Stage.END)
            .stage("never", _ -> 1)
            .run();
    assertThat(profile).extracting(StageProfile::items).containsExactly(0L, 0L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theFirstFailureStopsAllAndIsThrown(int failing) {
    IOException failure = new IOException("stage " + failing);
    AtomicInteger running = new AtomicInteger();
    Pipeline<Slot, IOException> pipeline = new Pipeline<>(slots(3));
    for (int i = 0; i < 3; i++) {
      boolean fails = i == failing;
      boolean first = i == 0;
      AtomicInteger calls = new AtomicInteger();
      pipeline.stage(
          "stage" + i,
          _ -> {
            running.incrementAndGet();
            try {
              if (fails && calls.incrementAndGet() == 10) {
                throw failure;
              }
              return first ? 1 : 0;
            } finally {
              running.decrementAndGet();
            }
          });
    }

    // The first stage never ends: only the failure stops it.
    assertThatExceptionOfType(IOException.class).isThrownBy(pipeline::run).isSameAs(failure);
    assertThat(running).hasValue(0);
  }

  @Test
  void aFailureWakesAStageThatWaits() {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    Pipeline<Slot, IOException> pipeline =
        new Pipeline<Slot, IOException>(slots(3))
            .stage(
                "read",
                slot -> {
                  if (next.getAndIncrement() == 1) {
                    waiting.countDown();
                    never.await();
                  }
                  return 1;
                })
            .stage(
                "fail",
                _ -> {
                  waiting.await();
                  throw new IOException("late");
                });
    assertThatExceptionOfType(IOException.class).isThrownBy(pipeline::run).withMessage("late");
  }

  @Test
  void errorsAndUncheckedExceptionsPassThrough() {
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(() ->
            new Pipeline<Slot, IOException>(slots(1))
                .stage(
                    "fail",
                    _ -> {
                      throw new StackOverflowError();
                    })
                .run());
    assertThatIllegalStateException()
        .isThrownBy(() ->
            new Pipeline<Slot, IOException>(slots(1))
                .stage("count", this::count)
                .stage(
                    "fail",
                    _ -> {
                      throw new IllegalStateException("wrong");
                    })
                .run())
        .withMessage("wrong");
  }

  @Test
  void interruptingTheCallerStopsTheStages() {
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
            new Pipeline<Slot, IOException>(slots(2))
                .stage("count", this::count)
                .stage("wait", wait)
                .run());
    assertThat(stopped).hasValue(1);
  }

  @Test
  void misuseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pipeline<Slot, IOException>(List.of()));
    assertThatIllegalStateException()
        .isThrownBy(() -> new Pipeline<Slot, IOException>(slots(1)).run());
  }
}

package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HybridEngineTest {

  /** The most jobs until the shares must follow the speed. */
  private static final int MAX_JOBS = 500;

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int ROWS = 64;
  private static final SplitRule HALVES = new SplitRule(Optional.of(Split.ROWS), Optional.of(0.5));

  private final WatchedEngine device = new WatchedEngine("gpu:0");
  private final WatchedEngine cores = new WatchedEngine("cpu");
  private final Arena arena = Arena.ofConfined();
  private final ByteMatrices coefficients = random(ROWS, 16, 1);
  private final ByteMatrices sources = random(16, 200, 2);
  private final ByteMatrices products = random(ROWS, 200, 3);

  @AfterEach
  void free() {
    arena.close();
    device.close();
    cores.close();
  }

  @Test
  void bothPartsWorkAtEachJob() {
    try (Engine engine = hybrid(HALVES)) {
      multiply(engine);
      assertThat(device.productsMade).hasValue(1);
      assertThat(cores.productsMade).hasValue(1);
      assertThat(engine.description()).endsWith("shared 50:50");
    }
    assertProductsAreRight();
  }

  /** The parts write the caller's memory, so none may still run. */
  @Test
  void aFailedJobEndsWhenAllPartsHaveStopped() {
    CountDownLatch failing = new CountDownLatch(1);
    AtomicBoolean stopped = new AtomicBoolean();
    RuntimeException failure = new IllegalStateException("the device fell off the bus");
    device.beforeProduct =
        () -> {
          failing.countDown();
          throw failure;
        };
    cores.beforeProduct =
        () -> {
          await(failing);
          stopped.set(true);
        };
    try (Engine engine = hybrid(HALVES)) {
      assertThatThrownBy(() -> multiply(engine)).isSameAs(failure);
      assertThat(stopped).isTrue();
      assertThat(cores.productsMade).hasValue(1);

      device.beforeProduct = () -> {};
      multiply(engine);
      assertProductsAreRight();
    }
  }

  @Test
  void failuresOfSeveralPartsAreAllReported() {
    RuntimeException one = new IllegalStateException("one");
    RuntimeException two = new IllegalStateException("two");
    CountDownLatch first = new CountDownLatch(1);
    device.beforeProduct =
        () -> {
          first.countDown();
          throw one;
        };
    cores.beforeProduct =
        () -> {
          await(first);
          throw two;
        };
    try (Engine engine = hybrid(HALVES)) {
      assertThatThrownBy(() -> multiply(engine))
          .satisfies(thrown -> {
            assertThat(List.of(one, two)).contains((RuntimeException) thrown);
            assertThat(thrown.getSuppressed()).hasSize(1);
          });
    }
  }

  @Test
  void sharesFollowTheSpeedOfTheParts() {
    cores.slowness = 16;
    try (Engine engine = hybrid(new SplitRule(Optional.of(Split.ROWS), Optional.empty()))) {
      // Another process may slow a job down; the others show the speeds.
      int share = 0;
      for (int job = 0; job < MAX_JOBS && share <= 60; job++) {
        multiply(engine);
        String shares = engine.description().replaceFirst(".* ", "");
        share = Integer.parseInt(shares.substring(0, shares.indexOf(':')));
      }
      assertThat(share).isGreaterThan(60);
    }
    assertProductsAreRight();
  }

  @Test
  void smallJobsAreNotCut() {
    try (Engine engine = hybrid(SplitRule.BY_SHAPE)) {
      multiply(engine);
      assertThat(engine.description()).containsAnyOf("shared 100:0", "shared 0:100");
    }
    assertProductsAreRight();
  }

  @Test
  void shapesThatDoNotAgreeAreNamed() {
    try (Engine engine = hybrid(HALVES)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> engine.products().multiply(FIELD, coefficients, sources, products.rows(1, 63)))
          .withMessageContaining("1 of 64×16")
          .withMessageContaining("1 of 63×200");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.eliminations().invert(FIELD, coefficients, coefficients))
          .withMessageContaining("64×16");
      assertThat(device.productsMade).hasValue(0);
    }
  }

  /** Other threads work for the caller, but not on memory that the caller must not access. */
  @Test
  void memoryThatTheCallerMayNotUseIsRefused() {
    ByteMatrices dead;
    try (Arena freed = Arena.ofConfined()) {
      dead = ByteMatrices.of(freed.allocate(16 * 200), 16, 200);
    }
    ByteMatrices readOnly = ByteMatrices.of(products.data().asReadOnly(), ROWS, 200);
    try (Engine engine = hybrid(HALVES)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> engine.products().multiply(FIELD, coefficients, dead, products));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.products().multiply(FIELD, coefficients, sources, readOnly))
          .withMessageContaining("read-only");
      AtomicBoolean refused = new AtomicBoolean();
      Thread stranger =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  multiply(engine);
                } catch (WrongThreadException e) {
                  refused.set(true);
                }
              });
      join(stranger);
      assertThat(refused).isTrue();
    }
  }

  @Test
  void jobsOfOnePartRunOnThatPart() {
    try (Engine engine = hybrid(SplitRule.BY_SHAPE);
        HostMemory memory = engine.allocateHost(100)) {
      engine.eliminations().basis(FIELD, 4).close();
      assertThat(memory.segment().byteSize()).isEqualTo(100);
      assertThat(cores.basesMade).hasValue(1);
      assertThat(device.basesMade).hasValue(0);
      assertThat(device.hostMemoryMade).hasValue(1);
    }
  }

  @Test
  void partsAreClosedOnceAfterAnyFailure() {
    RuntimeException failure = new IllegalStateException("it does not close");
    device.afterClose =
        () -> {
          throw failure;
        };
    Engine engine = hybrid(HALVES);
    assertThatThrownBy(engine::close).isSameAs(failure);
    engine.close();
    assertThat(device.closed).hasValue(1);
    assertThat(cores.closed).hasValue(1);
    device.afterClose = () -> {};
    assertThatIllegalStateException()
        .isThrownBy(() -> multiply(engine))
        .withMessageContaining("closed");
    assertThatIllegalStateException()
        .isThrownBy(engine::requireOpen)
        .withMessage("the engine is closed");
  }

  @Test
  void aPartThatDoesNotOpenClosesTheOthers() {
    Map<String, Engine> there = Map.of("gpu:0", device, "cpu", cores);
    HybridSpec spec = HybridSpec.parse("gpu:0+cpu+gpu:7", List.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            spec.open(part ->
                Optional.ofNullable(there.get(part))
                    .orElseThrow(() -> new IllegalArgumentException("no " + part))))
        .withMessage("engine 'gpu:0+cpu+gpu:7' lacks a part: no gpu:7");
    assertThat(device.closed).hasValue(1);
    assertThat(cores.closed).hasValue(1);
  }

  @Test
  void anEngineThatIsThereTwiceIsClosed() {
    HybridSpec spec = HybridSpec.parse("gpu:0+same", List.of());
    WatchedEngine same = new WatchedEngine("gpu:0");
    Map<String, Engine> there = Map.of("gpu:0", device, "same", same);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec.open(part -> Objects.requireNonNull(there.get(part))))
        .withMessageContaining("'gpu:0' twice");
    assertThat(device.closed).hasValue(1);
    assertThat(same.closed).hasValue(1);
  }

  @Test
  void blocksThatDoNotFitOnePartAreFreedOnTheOthers() {
    OutOfMemoryError full = new OutOfMemoryError("the device is full");
    cores.beforeAllocate =
        () -> {
          throw full;
        };
    try (Engine engine = hybrid(HALVES)) {
      assertThatThrownBy(() -> engine.allocate(FIELD, 1, 2, 3)).isSameAs(full);
      cores.beforeAllocate = () -> {};
      engine.allocate(FIELD, 1, 2, 3).close();
    }
  }

  private Engine hybrid(SplitRule rule) {
    return new HybridEngine("gpu:0+cpu", List.of(device, cores), rule);
  }

  private void multiply(Engine engine) {
    engine.products().multiply(FIELD, coefficients, sources, products);
  }

  private void assertProductsAreRight() {
    ByteMatrices expected = random(ROWS, 200, 4);
    try (Engine scalar = Engine.open("cpu:scalar")) {
      scalar.products().multiply(FIELD, coefficients, sources, expected);
    }
    assertThat(products.data().mismatch(expected.data())).isNegative();
  }

  private ByteMatrices random(int rows, int columns, long seed) {
    byte[] content = new byte[rows * columns];
    new SplittableRandom(seed).nextBytes(content);
    return ByteMatrices.of(
        arena.allocate(content.length).copyFrom(MemorySegment.ofArray(content)), rows, columns);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

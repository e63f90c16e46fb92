package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.sort.SortPlan.Load;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SortPlanTest {

  /** Of an engine that copies records twice, and takes some megabytes. */
  private static Load load(long count, int bytes) {
    return new Load(count, bytes, records -> 2 * bytes * records + (4 << 20), 2);
  }

  @Test
  void staysWithinTheMemoryAllowed() {
    SplittableRandom random = new SplittableRandom(5);
    int external = 0;
    int parallel = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      int bytes = 4 + random.nextInt(40);
      long threadBytes = random.nextInt(1 << 23);
      Load load =
          new Load(
              1 + (random.nextLong() >>> (24 + random.nextInt(39))),
              bytes,
              records -> 2 * bytes * records + threadBytes,
              random.nextInt(20));
      long memory = random.nextLong() >>> (24 + random.nextInt(39));
      Optional<SortPlan> plan = SortPlan.of(load, memory);
      if (plan.isEmpty()) {
        assertThat(load.inMemory()).isGreaterThan(memory);
        continue;
      }
      if (plan.get().runs() == 1) {
        assertThat(load.inMemory()).isLessThanOrEqualTo(memory);
        assertThat(plan.get().workingBytes()).isEqualTo(memory - load.count() * bytes);
        continue;
      }
      external++;
      long run = plan.get().runRecords();
      long runs = plan.get().runs();
      long keys = load.count() / plan.get().interval() * Long.BYTES;
      if (plan.get().isParallel()) {
        parallel++;
        long range = plan.get().rangeRecords();
        assertThat(range * bytes * plan.get().ranges() + plan.get().mergingBytes(bytes))
            .isLessThanOrEqualTo(memory);
        assertThat(load.working().applyAsLong(range) * plan.get().ranges())
            .isLessThanOrEqualTo(plan.get().mergingBytes(bytes));
        assertThat(plan.get().ranges()).isBetween(1, load.threads());
      } else {
        assertThat(plan.get().rangeRecords()).isEqualTo(run);
      }
      long slots = run * SortPlan.SLOTS * bytes;
      assertThat(slots + plan.get().workingBytes() + keys).isLessThanOrEqualTo(memory);
      assertThat(load.working().applyAsLong(run)).isLessThanOrEqualTo(plan.get().workingBytes());
      assertThat(run * runs).isGreaterThanOrEqualTo(load.count());
      assertThat(run * (runs - 1)).isLessThan(load.count());
      // The reads for single runs leave at least half of a range.
      assertThat(2 * runs * plan.get().interval())
          .isLessThanOrEqualTo(plan.get().rangeRecords() / 2);
    }
    assertThat(external).isGreaterThan(1000);
    assertThat(parallel).isGreaterThan(100);
  }

  /** 1 GiB of keys in 256 MiB: two threads were not faster with a range each. */
  @Test
  void fewThreadsSortOneRangeAfterAnother() {
    for (int threads = 0; threads <= 16; threads++) {
      Load load = new Load(1L << 28, 4, records -> 8 * records + (4 << 20), threads);
      SortPlan plan = SortPlan.of(load, 256L << 20).orElseThrow();
      assertThat(plan.isParallel()).isEqualTo(threads >= 4);
      assertThat(plan.ranges()).isEqualTo(threads >= 4 ? threads : SortPlan.SLOTS);
    }
  }

  @Test
  void theLeastMemoryDoesAndLessDoesNot() {
    for (long count : new long[] {1, 1000, 1_000_000, 1_000_000_000, 1_000_000_000_000L}) {
      Load load = load(count, 8);
      long least = SortPlan.minMemory(load);
      assertThat(SortPlan.of(load, least)).isPresent();
      assertThat(SortPlan.of(load, least - 1024)).isEmpty();
      assertThat(least).isLessThanOrEqualTo(1024 + load.inMemory());
    }
  }

  /** A file of 4 TB has not to be merged twice. */
  @Test
  void littleMemoryGoesFar() {
    assertThat(SortPlan.minMemory(load(1_000_000_000_000L, 4))).isLessThan(8L << 30);
    assertThat(SortPlan.minMemory(load(1_000_000_000, 4))).isLessThan(128L << 20);
  }
}

package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalLogTest {

  private final ArrivalLog log = new ArrivalLog();

  private void arrive(long from, long to) {
    for (long sequence = from; sequence < to; sequence++) {
      assertThat(log.note(sequence, 0)).isTrue();
    }
  }

  @Test
  void findsRepetitions() {
    arrive(0, 10);
    assertThat(log.note(9, 0)).isFalse();
    assertThat(log.note(0, 0)).isFalse();
    assertThat(log.arrived()).isEqualTo(10);
    assertThat(log.end()).isEqualTo(10);
  }

  /** Where nothing is late, all missing packets are lost. */
  @Test
  void withoutLatePacketsTheCutIsTheEnd() {
    arrive(0, 10);
    arrive(12, 20);
    log.moveCut();
    assertThat(log.cut()).isEqualTo(20);
    assertThat(log.lost()).isEqualTo(2);
    assertThat(log.lateReports()).isZero();
  }

  /** A packet that is late by three reports holds the next cuts back, and what it missed. */
  @Test
  void theCutWaitsAsLongAsPacketsWereLate() {
    arrive(0, 5);
    for (int report = 1; report <= 4; report++) {
      arrive(10L * report, 10L * report + 10);
      log.moveCut();
    }
    assertThat(log.note(5, 0)).isTrue();
    assertThat(log.lateReports()).isEqualTo(3);
    assertThat(log.lost()).isEqualTo(4); // 6 … 9
    arrive(52, 60);
    log.moveCut();
    assertThat(log.cut()).as("it does not move").isEqualTo(50);
    assertThat(log.lost()).as("50 and 51 may be late").isEqualTo(4);
    for (int report = 6; report <= 9; report++) {
      arrive(10L * report, 10L * report + 10);
      log.moveCut();
    }
    assertThat(log.cut()).isBetween(52L, 90L);
    assertThat(log.lost()).isEqualTo(6);
  }

  /** The first packet that is older than the history is dropped, and the next ones are known. */
  @Test
  void theHistoryGrowsWithTheLateness() {
    arrive(0, 100);
    arrive(200, 10_000);
    assertThat(log.note(150, 0)).isFalse();
    arrive(10_000, 10_100);
    assertThat(log.note(5_000, 0)).as("before the first history").isFalse();
    arrive(10_200, 16_000);
    assertThat(log.note(10_150, 0)).isTrue();
    assertThat(log.note(10_150, 0)).isFalse();
  }

  @Test
  void aJumpForgetsWhatWasBefore() {
    arrive(0, 100);
    assertThat(log.note(1L << 40, 0)).isTrue();
    assertThat(log.note(50, 0)).isFalse();
    assertThat(log.note((1L << 40) - 1, 0)).isTrue();
    log.moveCut();
    assertThat(log.lost()).isLessThanOrEqualTo(log.end() - log.arrived());
  }

  /** Each report counts what is missing before its cut, however late packets are. */
  @ParameterizedTest
  @ValueSource(ints = {30, 300, 3000, 20_000})
  void theLostPacketsAreThoseMissingBeforeTheCut(int maxLate) {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ArrivalLog arrivals = new ArrivalLog();
      TreeMap<Long, List<Long>> due = new TreeMap<>();
      for (long packet = 0; packet < 60_000; packet++) {
        if (random.nextInt(100) > 0) {
          long late = random.nextInt(10) == 0 && packet > 5000 ? random.nextInt(maxLate) : 0;
          due.computeIfAbsent(packet + late, _ -> new ArrayList<>()).add(packet);
        }
      }
      BitSet arrived = new BitSet();
      int reportEvery = 50 + random.nextInt(2000);
      int decided = 0;
      for (Map.Entry<Long, List<Long>> now : due.entrySet()) {
        for (long packet : now.getValue()) {
          if (arrivals.note(packet, 0)) {
            arrived.set((int) packet);
          }
        }
        if (now.getKey() % reportEvery == 0) {
          arrivals.moveCut();
          if (arrivals.lateReports() > 0) {
            int cut = (int) arrivals.cut();
            assertThat(arrivals.lost()).isEqualTo(cut - arrived.get(0, cut).cardinality());
            decided++;
          }
        }
      }
      assertThat(decided > 0 || maxLate < 3000).isTrue();
    }
  }
}

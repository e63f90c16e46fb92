package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares two threads with one, and with {@code Arrays.parallelSort} on two workers, at full
 * length.
 */
final class RadixThreads implements Section {

  private static final List<Long> SIZES = List.of(1_000_000L, 10_000_000L, 100_000_000L);
  private static final List<Long> FEW_SIZES = List.of(1_000_000L, 10_000_000L);
  private static final List<KeyDistribution> DISTRIBUTIONS =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);
  private static final RecordFormat KEYS = RecordFormat.of(KeyType.I32);
  private static final RecordFormat PAIRS = KEYS.withPayload(Integer.BYTES);
  private static final RadixRun.Key TEN_MILLION_PAIRS =
      new RadixRun.Key(PAIRS, KeyDistribution.UNIFORM, 10_000_000L);

  private static final int WORKERS = 2;
  private static final String ONE = "auto, 1 thread";
  private static final String TWO = "auto, 2 threads";
  private static final String PEER = SortLoad.PARALLEL_SORT;

  private final RadixRun radixRun;
  private final List<RadixRun.Key> keys = new ArrayList<>();

  RadixThreads(RadixRun radixRun) {
    this.radixRun = radixRun;
    for (KeyDistribution distribution : DISTRIBUTIONS) {
      for (long size : radixRun.isWhole() ? SIZES : FEW_SIZES) {
        keys.add(new RadixRun.Key(KEYS, distribution, size));
      }
    }
    keys.add(TEN_MILLION_PAIRS);
  }

  @Override
  public int steps() {
    return keys.size();
  }

  @Override
  public List<Part> measure(Run run) {
    radixRun.workers(WORKERS);
    Table.Builder table =
        Table.named(
            "threads",
            "One thread and two, M records/s",
            "format",
            "keys",
            "records",
            ONE,
            TWO,
            PEER + ", 2 workers",
            "2 threads / 1",
            "2 threads / parallelSort");
    for (RadixRun.Key key : keys) {
      Results results = results(run, key);
      table.row(
          Cell.of(SortLoad.nameOf(key.format())),
          Cell.of(key.distribution().toString()),
          Cell.of(RadixRun.words(key.size())),
          results.cell(ONE, Measurement::medianMillions),
          results.cell(TWO, Measurement::medianMillions),
          results.cell(PEER, Measurement::medianMillions),
          Cell.of(results.medianRatio(TWO, ONE)),
          Cell.of(results.medianRatio(TWO, PEER)));
    }
    radixRun.workers(radixRun.lineup().threads());
    return List.of(
        table
            .note("In a Java array, in place. Medians of the samples.")
            .note("The JDK sorts no pairs.")
            .build());
  }

  private Results results(Run run, RadixRun.Key key) {
    Lineup lineup = radixRun.lineup();
    Engine two = lineup.open(lineup.coresSpec(), WORKERS);
    SortLoad load = new SortLoad(key.format(), key.distribution(), radixRun.records(key.size()));
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(load.by(ONE, lineup.oneCore(), SortLoad.AUTO));
    candidates.add(load.by(TWO, two, SortLoad.AUTO));
    if (load.hasPeers()) {
      candidates.add(load.peer(PEER));
    }
    return run.results(
        "one thread and two, %s, %s %s"
            .formatted(
                SortLoad.nameOf(key.format()), RadixRun.words(key.size()), key.distribution()),
        candidates);
  }
}

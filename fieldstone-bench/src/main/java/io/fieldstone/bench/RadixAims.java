package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import java.util.ArrayList;
import java.util.List;

/** What is aimed at on the cores, measured at full length. */
final class RadixAims implements Section {

  private static final List<Long> SIZES = List.of(1_000_000L, 10_000_000L, 100_000_000L);
  private static final List<Long> FEW_SIZES = List.of(1_000_000L, 10_000_000L);
  private static final List<KeyDistribution> DISTRIBUTIONS =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);

  private static final long PAIRS = 10_000_000;
  private static final int WORKERS = 2;
  private static final double OVER_JDK = 1.5;
  private static final double PAIRS_PER_CORE = 150;
  private static final double MEGA = 1e3;
  private static final String TWO = "auto, two threads";
  private static final String ONE = "auto, one thread";

  private final RadixRun radixRun;
  private final List<Long> sizes;

  RadixAims(RadixRun radixRun) {
    this.radixRun = radixRun;
    this.sizes = radixRun.isWhole() ? SIZES : FEW_SIZES;
  }

  @Override
  public int steps() {
    return DISTRIBUTIONS.size() * sizes.size() + 1;
  }

  @Override
  public List<Part> measure(Run run) {
    radixRun.workers(WORKERS);
    for (KeyDistribution distribution : DISTRIBUTIONS) {
      sizes.forEach(size -> ints(run, distribution, size));
    }
    pairs(run);
    radixRun.workers(radixRun.lineup().threads());
    return List.of();
  }

  private void ints(Run run, KeyDistribution distribution, long size) {
    Engine two = radixRun.lineup().open(radixRun.lineup().coresSpec(), WORKERS);
    SortLoad load =
        new SortLoad(RecordFormat.of(KeyType.I32), distribution, radixRun.records(size));
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(load.by(TWO, two, SortLoad.AUTO));
    candidates.add(load.peer(SortLoad.PARALLEL_SORT));
    String what = "%s i32, %s %s".formatted(TWO, RadixRun.words(size), distribution);
    Results results = run.results(what, candidates);
    radixRun
        .goals()
        .add(
            Goals.Goal.ratio(
                what,
                "M keys/s",
                results.of(TWO, RadixAims::mega),
                SortLoad.PARALLEL_SORT + ", two workers",
                results.of(SortLoad.PARALLEL_SORT, RadixAims::mega),
                OVER_JDK));
  }

  private void pairs(Run run) {
    RecordFormat format = RecordFormat.of(KeyType.I32).withPayload(Integer.BYTES);
    SortLoad load = new SortLoad(format, KeyDistribution.UNIFORM, radixRun.records(PAIRS));
    String what = "%s, 32 + 32 bits, stable, %s uniform".formatted(ONE, RadixRun.words(PAIRS));
    Results results =
        run.results(what, List.of(load.by(ONE, radixRun.lineup().oneCore(), SortLoad.AUTO)));
    radixRun
        .goals()
        .add(Goals.Goal.rate(what, "M pairs/s", results.of(ONE, RadixAims::mega), PAIRS_PER_CORE));
  }

  /** Millions of records a second. */
  static double mega(Measurement measurement) {
    return measurement.medianRate() * MEGA;
  }
}

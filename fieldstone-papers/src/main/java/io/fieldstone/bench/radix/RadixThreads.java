package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
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
  private static final RadixRun.Input TEN_MILLION_PAIRS =
      new RadixRun.Input(PAIRS, KeyDistribution.UNIFORM, 10_000_000L);

  private static final int WORKERS = 2;
  private static final String ONE = "auto, 1 thread";
  private static final String TWO = "auto, 2 threads";
  private static final String PEER = SortLoad.PARALLEL_SORT;

  private final RadixRun radixRun;
  private final List<RadixRun.Input> inputs = new ArrayList<>();

  RadixThreads(RadixRun radixRun) {
    this.radixRun = radixRun;
    for (KeyDistribution distribution : DISTRIBUTIONS) {
      for (long size : radixRun.isFull() ? SIZES : FEW_SIZES) {
        inputs.add(new RadixRun.Input(KEYS, distribution, size));
      }
    }
    inputs.add(TEN_MILLION_PAIRS);
  }

  @Override
  public int steps() {
    return inputs.size();
  }

  @Override
  public List<Part> measure(Run run) {
    radixRun.setCommonPoolSize(WORKERS);
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
    for (RadixRun.Input input : inputs) {
      Results results = results(run, input);
      table.row(
          Cell.of(SortLoad.nameOf(input.format())),
          Cell.of(input.distribution().toString()),
          Cell.of(RadixRun.sizeName(input.size())),
          results.cell(ONE, Measurement::medianMillions),
          results.cell(TWO, Measurement::medianMillions),
          results.cell(PEER, Measurement::medianMillions),
          Cell.of(results.medianRatio(TWO, ONE)),
          Cell.of(results.medianRatio(TWO, PEER)));
    }
    radixRun.setCommonPoolSize(radixRun.engines().threads());
    return List.of(
        table
            .note("In a Java array, in place. Medians of the samples.")
            .note("The JDK sorts no pairs.")
            .build());
  }

  private Results results(Run run, RadixRun.Input input) {
    BenchEngines engines = radixRun.engines();
    Engine two = engines.open(engines.coresSpec(), WORKERS);
    SortLoad load =
        new SortLoad(input.format(), input.distribution(), radixRun.records(input.size()));
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(load.by(ONE, engines.oneCore(), Methods.AUTO));
    candidates.add(load.by(TWO, two, Methods.AUTO));
    if (load.hasPeers()) {
      candidates.add(load.peer(PEER));
    }
    return run.compare(
        "one thread and two, %s, %s %s"
            .formatted(
                SortLoad.nameOf(input.format()),
                RadixRun.sizeName(input.size()),
                input.distribution()),
        candidates);
  }
}

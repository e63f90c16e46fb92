package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.RecordFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Every method of the cores, the JDK's and fastutil's, by number and distribution of keys. */
final class RadixOnCores implements Section {

  /** Methods so slow that more records would tell nothing but patience. */
  private static final Map<String, Long> MOST_RECORDS =
      Map.of("comparison", 100_000L, SortLoad.SORT, 10_000_000L, SortLoad.RADIX_SORT, 10_000_000L);

  /** As many records, and more, are sorted as the paper has them only. */
  private static final long MANY = 100_000_000;

  private static final List<KeyDistribution> OF_PAPER =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);

  private static final List<String> PEERS =
      List.of(
          SortLoad.SORT, SortLoad.PARALLEL_SORT, SortLoad.RADIX_SORT, SortLoad.PARALLEL_RADIX_SORT);

  private static final double NO_SLOWER = 1;

  private final RadixRun radixRun;

  RadixOnCores(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    return RadixRun.FORMATS.stream().mapToInt(format -> keys(format).size()).sum();
  }

  private List<RadixRun.Key> keys(RecordFormat format) {
    List<RadixRun.Key> keys = new ArrayList<>();
    for (KeyDistribution distribution : KeyDistribution.values()) {
      for (long size : radixRun.sizes(format)) {
        if (size < MANY || OF_PAPER.contains(distribution)) {
          keys.add(new RadixRun.Key(format, distribution, size));
        }
      }
    }
    return keys;
  }

  @Override
  public List<Part> measure(Run run) {
    List<Part> parts = new ArrayList<>();
    for (RecordFormat format : RadixRun.FORMATS) {
      Map<RadixRun.Key, Results> found = new LinkedHashMap<>();
      List<String> columns = new ArrayList<>();
      for (RadixRun.Key key : keys(format)) {
        List<Candidate> candidates = candidates(key);
        candidates.stream()
            .map(Candidate::name)
            .filter(name -> !columns.contains(name))
            .forEach(columns::add);
        String what =
            "cores, %s, %s %s"
                .formatted(SortLoad.nameOf(format), RadixRun.words(key.size()), key.distribution());
        Results results = run.glance(what, candidates);
        found.put(key, results);
        radixRun.keepOnCores(key, results);
      }
      parts.add(table(format, found, columns));
      parts.add(chart(format, found, columns));
      if (format.payloadBytes() == 0) {
        addGoal(format, found);
      }
    }
    return parts;
  }

  private List<Candidate> candidates(RadixRun.Key key) {
    Lineup lineup = radixRun.lineup();
    SortLoad load = new SortLoad(key.format(), key.distribution(), radixRun.records(key.size()));
    List<Candidate> candidates = new ArrayList<>();
    Engine cores = lineup.cores();
    candidates.add(load.by(SortLoad.AUTO, cores, SortLoad.AUTO));
    if (lineup.threads() > 1) {
      candidates.add(load.by(SortLoad.AUTO + ", one thread", lineup.oneCore(), SortLoad.AUTO));
    }
    for (String method : cores.sorts().methods(key.format())) {
      if (isAffordable(method, key.size())) {
        candidates.add(load.by(method, cores, method));
      }
    }
    if (load.hasPeers()) {
      PEERS.stream()
          .filter(peer -> isAffordable(peer, key.size()))
          .map(load::peer)
          .forEach(candidates::add);
    }
    return candidates;
  }

  private static boolean isAffordable(String method, long size) {
    return size <= MOST_RECORDS.getOrDefault(method, size);
  }

  private Table table(RecordFormat format, Map<RadixRun.Key, Results> found, List<String> methods) {
    List<String> columns = new ArrayList<>(List.of("keys", "records"));
    columns.addAll(methods);
    boolean hasPeers = format.payloadBytes() == 0;
    if (hasPeers) {
      columns.add("auto / parallelSort");
    }
    Table.Builder table =
        Table.named(
            "cores-" + fileName(format),
            "%s on the cores, M records/s".formatted(SortLoad.nameOf(format)),
            columns.toArray(String[]::new));
    found.forEach((key, results) -> {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(key.distribution().toString()));
      cells.add(Cell.of(RadixRun.words(key.size())));
      methods.forEach(method -> cells.add(results.cell(method, RadixAims::mega)));
      if (hasPeers) {
        cells.add(Cell.of(results.ratio(SortLoad.AUTO, SortLoad.PARALLEL_SORT)));
      }
      table.row(cells);
    });
    return table
        .note(
            "In an array of the JVM's, in place; %d threads unless a column says otherwise."
                .formatted(radixRun.lineup().threads()))
        .note("The ratio is of the best samples, all else medians.")
        .build();
  }

  private static Chart chart(
      RecordFormat format, Map<RadixRun.Key, Results> found, List<String> methods) {
    List<Chart.Series> series = new ArrayList<>();
    for (String method : methods) {
      Points points = new Points();
      found.forEach((key, results) -> {
        OptionalDouble rate = results.of(method, RadixAims::mega);
        if (key.distribution() == KeyDistribution.UNIFORM && rate.isPresent()) {
          points.add((double) key.size(), rate.getAsDouble());
        }
      });
      series.add(points.series(method, false));
    }
    String title = "%s, uniform, on the cores".formatted(SortLoad.nameOf(format));
    return new Chart.Lines("cores-" + fileName(format), title, "records", "M records/s", series);
  }

  /** Of all numbers and distributions, the one at which the JDK is nearest. */
  private void addGoal(RecordFormat format, Map<RadixRun.Key, Results> found) {
    Map.Entry<RadixRun.Key, Results> worst =
        found.entrySet().stream()
            .min((a, b) -> Double.compare(overJdk(a.getValue()), overJdk(b.getValue())))
            .orElseThrow();
    RadixRun.Key key = worst.getKey();
    radixRun
        .goals()
        .add(
            Goals.Goal.ratio(
                "auto, %s, where the JDK is nearest: %s %s"
                    .formatted(
                        SortLoad.nameOf(format), RadixRun.words(key.size()), key.distribution()),
                "M keys/s",
                worst.getValue().of(SortLoad.AUTO, RadixOnCores::bestMega),
                SortLoad.PARALLEL_SORT,
                worst.getValue().of(SortLoad.PARALLEL_SORT, RadixOnCores::bestMega),
                NO_SLOWER));
  }

  private static double overJdk(Results results) {
    return results.ratio(SortLoad.AUTO, SortLoad.PARALLEL_SORT).orElse(Double.POSITIVE_INFINITY);
  }

  private static double bestMega(Measurement measurement) {
    return measurement.bestRate() * 1e3;
  }

  static String fileName(RecordFormat format) {
    return SortLoad.nameOf(format).replace("+", "-");
  }
}

package io.fieldstone.bench;

import io.fieldstone.engine.RecordFormat;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every method of the cores for one format, the JDK's and fastutil's, by number and distribution of
 * keys.
 */
final class RadixOnCores implements Section {

  /** The oracle: of more records it would tell nothing but patience. */
  private static final String SLOWEST = "comparison";

  private static final long MOST_OF_SLOWEST = 100_000;

  /** As many records, and more, are sorted as the paper has them only. */
  private static final long MANY = 100_000_000;

  private static final List<KeyDistribution> OF_PAPER =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);

  private static final List<String> PEERS =
      List.of(
          SortLoad.SORT, SortLoad.PARALLEL_SORT, SortLoad.RADIX_SORT, SortLoad.PARALLEL_RADIX_SORT);

  private static final String ONE_THREAD = SortLoad.AUTO + ", one thread";

  private final RadixRun radixRun;
  private final RecordFormat format;

  private RadixOnCores(RadixRun radixRun, RecordFormat format) {
    this.radixRun = radixRun;
    this.format = format;
  }

  /** A section for each format. */
  static List<RadixOnCores> ofFormats(RadixRun radixRun) {
    return RadixRun.FORMATS.stream().map(format -> new RadixOnCores(radixRun, format)).toList();
  }

  @Override
  public int steps() {
    return keys().size();
  }

  private List<RadixRun.Key> keys() {
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
    Map<RadixRun.Key, Results> found = new LinkedHashMap<>();
    Map<KeyDistribution, Patience> patience = new EnumMap<>(KeyDistribution.class);
    List<String> methods = methods();
    for (RadixRun.Key key : keys()) {
      Patience limit = patience.computeIfAbsent(key.distribution(), _ -> radixRun.patience());
      String what =
          "cores, %s, %s %s"
              .formatted(SortLoad.nameOf(format), RadixRun.words(key.size()), key.distribution());
      List<Candidate> candidates = candidates(key, methods, limit);
      // The first has to be compiled, which takes more than a moment.
      Results results =
          found.isEmpty() ? run.results(what, candidates) : run.glance(what, candidates);
      limit.learn(methods, results);
      found.put(key, results);
      radixRun.keepOnCores(key, results);
    }
    String title = "%s, uniform, on the cores".formatted(SortLoad.nameOf(format));
    Chart chart = RadixRun.chart("cores-" + fileName(format), title, found, methods);
    return List.of(table(found, methods), chart);
  }

  private boolean hasPeers() {
    return format.payloadBytes() == 0;
  }

  /** Ours, then what others have. */
  private List<String> methods() {
    Lineup lineup = radixRun.lineup();
    List<String> methods = new ArrayList<>(List.of(SortLoad.AUTO));
    if (lineup.threads() > 1) {
      methods.add(ONE_THREAD);
    }
    methods.addAll(lineup.cores().sorts().methods(format));
    if (hasPeers()) {
      methods.addAll(PEERS);
    }
    return methods;
  }

  private List<Candidate> candidates(RadixRun.Key key, List<String> methods, Patience patience) {
    int records = radixRun.records(key.size());
    SortLoad load = new SortLoad(format, key.distribution(), records);
    return methods.stream()
        .filter(method -> !method.equals(SLOWEST) || key.size() <= MOST_OF_SLOWEST)
        .filter(method -> isSubject(method, key.size()) || patience.allows(method, records))
        .map(method -> candidate(load, method))
        .toList();
  }

  /** What the table is about: our choice, and what it has to be faster than. */
  private static boolean isSubject(String method, long size) {
    return method.equals(SortLoad.AUTO) || (method.equals(SortLoad.PARALLEL_SORT) && size < MANY);
  }

  private Candidate candidate(SortLoad load, String method) {
    Lineup lineup = radixRun.lineup();
    if (PEERS.contains(method)) {
      return load.peer(method);
    }
    return method.equals(ONE_THREAD)
        ? load.by(method, lineup.oneCore(), SortLoad.AUTO)
        : load.by(method, lineup.cores(), method);
  }

  private Table table(Map<RadixRun.Key, Results> found, List<String> methods) {
    List<String> columns = new ArrayList<>(List.of("keys", "records"));
    columns.addAll(methods);
    if (hasPeers()) {
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
      methods.forEach(method -> cells.add(results.cell(method, Measurement::medianMillions)));
      if (hasPeers()) {
        cells.add(Cell.of(results.ratio(SortLoad.AUTO, SortLoad.PARALLEL_SORT)));
      }
      table.row(cells);
    });
    return table
        .note(
            "In an array of the JVM's, in place; %d threads unless a column says otherwise."
                .formatted(radixRun.lineup().threads()))
        .note("The ratio is of the best samples, all else medians.")
        .note(radixRun.patienceInWords())
        .build();
  }

  static String fileName(RecordFormat format) {
    return SortLoad.nameOf(format).replace("+", "-");
  }
}

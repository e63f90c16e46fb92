package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.measure.SlowCandidateFilter;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.RecordFormat;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures every method of the cores for one format, the JDK and fastutil, by number and
 * distribution of keys.
 */
final class RadixOnCores implements Section {

  /** The scalar method, measured on few records. */
  private static final String SLOWEST = "comparison";

  private static final long MAX_RECORDS_OF_SLOWEST = 100_000;

  /** Number of records from which only the distributions of the paper are measured. */
  private static final long OTHER_DISTRIBUTIONS_THRESHOLD = 100_000_000;

  private static final List<KeyDistribution> OF_PAPER =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);

  private static final List<String> PEERS = SortLoad.peers();

  private static final String ONE_THREAD = Methods.AUTO + ", 1 thread";

  private final RadixRun radixRun;
  private final RecordFormat format;
  private final List<RadixRun.Input> inputs;
  private final List<String> methods;

  private RadixOnCores(
      RadixRun radixRun, RecordFormat format, List<RadixRun.Input> inputs, List<String> methods) {
    this.radixRun = radixRun;
    this.format = format;
    this.inputs = inputs;
    this.methods = methods;
  }

  /** Makes a section for each format. */
  static List<RadixOnCores> ofFormats(RadixRun radixRun) {
    return RadixRun.FORMATS.stream()
        .map(format ->
            new RadixOnCores(radixRun, format, inputs(radixRun, format), methods(radixRun, format)))
        .toList();
  }

  /** Makes a section for the keys and methods of Table I alone. */
  static RadixOnCores ofTable(RadixRun radixRun) {
    List<Long> sizes = radixRun.sizes(RadixTable.KEYS);
    return new RadixOnCores(
        radixRun,
        RadixTable.KEYS,
        RadixTable.INPUTS.stream().filter(input -> sizes.contains(input.size())).toList(),
        RadixTable.ON_CORES);
  }

  @Override
  public int steps() {
    return inputs.size();
  }

  private static List<RadixRun.Input> inputs(RadixRun radixRun, RecordFormat format) {
    List<RadixRun.Input> inputs = new ArrayList<>();
    for (KeyDistribution distribution : KeyDistribution.values()) {
      for (long size : radixRun.sizes(format)) {
        if (size < OTHER_DISTRIBUTIONS_THRESHOLD || OF_PAPER.contains(distribution)) {
          inputs.add(new RadixRun.Input(format, distribution, size));
        }
      }
    }
    return inputs;
  }

  @Override
  public List<Part> measure(Run run) {
    Map<RadixRun.Input, Results> found = new LinkedHashMap<>();
    Map<KeyDistribution, SlowCandidateFilter> filters = new EnumMap<>(KeyDistribution.class);
    for (RadixRun.Input input : inputs) {
      SlowCandidateFilter filter =
          filters.computeIfAbsent(input.distribution(), _ -> radixRun.slowCandidateFilter());
      String comparison =
          "cores, %s, %s %s"
              .formatted(
                  SortLoad.nameOf(format), RadixRun.sizeName(input.size()), input.distribution());
      List<Candidate> candidates = candidates(input, filter);
      // The first comparison compiles the methods, which a brief one does not last for.
      Results results =
          found.isEmpty()
              ? run.compare(comparison, candidates)
              : run.compareBriefly(comparison, candidates);
      filter.learn(methods, results);
      found.put(input, results);
      radixRun.recordOnCores(input, results);
    }
    String title = "%s, uniform, on the cores".formatted(SortLoad.nameOf(format));
    Plot chart = RadixRun.chart("cores-" + fileName(format), title, found, methods);
    return List.of(table(found), chart);
  }

  private boolean hasPeers() {
    return hasPeers(format);
  }

  private static boolean hasPeers(RecordFormat format) {
    return format.payloadBytes() == 0;
  }

  /** Returns the methods of Fieldstone, then the peers. */
  private static List<String> methods(RadixRun radixRun, RecordFormat format) {
    BenchEngines engines = radixRun.engines();
    List<String> methods = new ArrayList<>(List.of(Methods.AUTO));
    if (engines.threads() > 1) {
      methods.add(ONE_THREAD);
    }
    methods.addAll(engines.cores().sorts().methods(format));
    if (hasPeers(format)) {
      methods.addAll(PEERS);
    }
    return methods;
  }

  private List<Candidate> candidates(RadixRun.Input input, SlowCandidateFilter filter) {
    int records = radixRun.records(input.size());
    SortLoad load = new SortLoad(format, input.distribution(), records);
    return methods.stream()
        .filter(method -> !method.equals(SLOWEST) || input.size() <= MAX_RECORDS_OF_SLOWEST)
        .filter(method -> isAlwaysMeasured(method, input.size()) || filter.allows(method, records))
        .map(method -> candidate(load, method))
        .toList();
  }

  /**
   * Tests whether a method is measured without a time limit: the choice of the engine, and its main
   * peer.
   */
  private static boolean isAlwaysMeasured(String method, long size) {
    return method.equals(Methods.AUTO)
        || (method.equals(SortLoad.PARALLEL_SORT) && size < OTHER_DISTRIBUTIONS_THRESHOLD);
  }

  private Candidate candidate(SortLoad load, String method) {
    BenchEngines engines = radixRun.engines();
    if (PEERS.contains(method)) {
      return load.peer(method);
    }
    return method.equals(ONE_THREAD)
        ? load.by(method, engines.oneCore(), Methods.AUTO)
        : load.by(method, engines.cores(), method);
  }

  private Table table(Map<RadixRun.Input, Results> found) {
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
    found.forEach((input, results) -> {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(input.distribution().toString()));
      cells.add(Cell.of(RadixRun.sizeName(input.size())));
      methods.forEach(method -> cells.add(results.cell(method, Measurement::medianMillions)));
      if (hasPeers()) {
        cells.add(Cell.of(results.ratio(Methods.AUTO, SortLoad.PARALLEL_SORT)));
      }
      table.row(cells);
    });
    return table
        .note(
            "In a Java array, in place; %d threads unless a column says otherwise."
                .formatted(radixRun.engines().threads()))
        .note("The ratio is between best samples; the rates are medians.")
        .note(radixRun.slowCandidateNote())
        .build();
  }

  static String fileName(RecordFormat format) {
    return SortLoad.nameOf(format).replace("+", "-");
  }
}

package io.fieldstone.bench.radix;

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
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures every method of a GPU for one format, from pinned memory to pinned memory. */
final class RadixOnGpu implements Section {

  /** The method "original" of the paper: upload, sort and download one after another. */
  static final String RADIX_16 = "radix-16";

  static final String SERIAL = "serial";

  /** The method "modified" of the paper. */
  static final String STREAMED = "streamed";

  private final RadixRun radixRun;
  private final RecordFormat format;
  private final List<RadixRun.Input> inputs;
  private final List<String> methods;

  private RadixOnGpu(
      RadixRun radixRun, RecordFormat format, List<RadixRun.Input> inputs, List<String> methods) {
    this.radixRun = radixRun;
    this.format = format;
    this.inputs = inputs;
    this.methods = methods;
  }

  /** Makes a section for each format, if there is a GPU. */
  static List<RadixOnGpu> ofFormats(RadixRun radixRun) {
    return radixRun.engines().gpu().stream()
        .flatMap(gpu -> RadixRun.FORMATS.stream().map(format -> ofFormat(radixRun, gpu, format)))
        .toList();
  }

  private static RadixOnGpu ofFormat(RadixRun radixRun, Engine gpu, RecordFormat format) {
    return new RadixOnGpu(
        radixRun, format, inputs(radixRun, format), RadixRun.methods(gpu, format));
  }

  /** Makes a section for the keys and methods of Table I alone, if there is a GPU. */
  static List<RadixOnGpu> ofTable(RadixRun radixRun) {
    return radixRun.engines().hasGpu()
        ? List.of(new RadixOnGpu(radixRun, RadixTable.KEYS, RadixTable.INPUTS, RadixTable.ON_GPU))
        : List.of();
  }

  @Override
  public int steps() {
    return inputs.size();
  }

  private static List<RadixRun.Input> inputs(RadixRun radixRun, RecordFormat format) {
    List<RadixRun.Input> inputs = new ArrayList<>();
    for (KeyDistribution distribution : distributions(radixRun, format)) {
      for (long size : radixRun.gpuSizes()) {
        inputs.add(new RadixRun.Input(format, distribution, size));
      }
    }
    return inputs;
  }

  /**
   * Returns all distributions for keys of 32 bits in a full run, and otherwise those of the paper.
   */
  private static List<KeyDistribution> distributions(RadixRun radixRun, RecordFormat format) {
    return radixRun.isFull() && format.equals(RadixRun.FORMATS.getFirst())
        ? List.of(KeyDistribution.values())
        : List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);
  }

  @Override
  public List<Part> measure(Run run) {
    Engine gpu = radixRun.engines().gpu().orElseThrow();
    Map<RadixRun.Input, Results> found = new LinkedHashMap<>();
    for (RadixRun.Input input : inputs) {
      Results results = hostToHost(run, gpu, input);
      found.put(input, results);
      radixRun.recordOnGpu(input, results);
    }
    return parts(found);
  }

  private Results hostToHost(Run run, Engine gpu, RadixRun.Input input) {
    int count = radixRun.records(input.size());
    long bytes = (long) count * format.bytes();
    MemorySegment records = radixRun.pinnedSource(bytes);
    MemorySegment sorted = radixRun.pinnedTarget(bytes);
    input.distribution().fill(format, records);
    SortedCheck check = new SortedCheck(format, records);
    List<Candidate> candidates = new ArrayList<>();
    for (String method : methods) {
      Sorting sorting = SortLoad.sorting(gpu, format, method);
      sorting.sort(records, sorted);
      check.require(method, sorted);
      candidates.add(new Candidate(method, count, () -> sorting.sort(records, sorted)));
    }
    return run.compareBriefly(
        "GPU, %s, %s %s"
            .formatted(
                SortLoad.nameOf(format), RadixRun.sizeName(input.size()), input.distribution()),
        candidates);
  }

  private List<Part> parts(Map<RadixRun.Input, Results> found) {
    List<String> columns = new ArrayList<>(List.of("keys", "records"));
    columns.addAll(methods);
    columns.addAll(List.of("streamed / serial", "auto / serial"));
    String title = "%s from pinned memory to pinned memory".formatted(SortLoad.nameOf(format));
    String name = "gpu-" + RadixOnCores.fileName(format);
    Table.Builder table =
        Table.named(name, title + ", M records/s", columns.toArray(String[]::new));
    found.forEach((input, results) -> {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(input.distribution().toString()));
      cells.add(Cell.of(RadixRun.sizeName(input.size())));
      methods.forEach(method -> cells.add(results.cell(method, Measurement::medianMillions)));
      cells.add(Cell.of(results.medianRatio(STREAMED, SERIAL)));
      cells.add(Cell.of(results.medianRatio(Methods.AUTO, SERIAL)));
      table.row(cells);
    });
    return List.of(table.build(), RadixRun.chart(name, title + ", uniform", found, methods));
  }
}

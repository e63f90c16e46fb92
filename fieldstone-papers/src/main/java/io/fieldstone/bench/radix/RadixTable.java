package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Compares Table I of the paper with the results of other sections. */
final class RadixTable implements Section {

  static final RecordFormat KEYS = RecordFormat.of(KeyType.I32);

  /** The keys of the table. */
  static final List<RadixRun.Input> INPUTS =
      RadixPaper.TABLE_I.stream()
          .map(time -> new RadixRun.Input(KEYS, KeyDistribution.UNIFORM, time.keys()))
          .toList();

  /** The methods of the table on a GPU. */
  static final List<String> ON_GPU =
      List.of(RadixOnGpu.RADIX_16, RadixOnGpu.SERIAL, RadixOnGpu.STREAMED, Methods.AUTO);

  /** The methods of the table on the cores. */
  static final List<String> ON_CORES = List.of(Methods.AUTO, SortLoad.PARALLEL_SORT);

  private static final double MICRO = 1e-3;

  private final RadixRun radixRun;

  RadixTable(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    return 0;
  }

  @Override
  public List<Part> measure(Run run) {
    return List.of(table());
  }

  private Table table() {
    Table.Builder table =
        Table.named(
            "table-1",
            "Table I: uniform integers, µs",
            "keys",
            "paper, original",
            "paper, modified",
            "paper, original / modified",
            "GPU, radix-16",
            "GPU, serial",
            "GPU, streamed",
            "serial / streamed",
            "GPU, auto",
            "cores, auto",
            "cores, Arrays.parallelSort");
    for (RadixPaper.Time paper : RadixPaper.TABLE_I) {
      RadixRun.Input input = new RadixRun.Input(KEYS, KeyDistribution.UNIFORM, paper.keys());
      Optional<Results> gpu = radixRun.onGpu(input);
      Optional<Results> cores = radixRun.onCores(input);
      table.row(
          Cell.of(RadixRun.sizeName(paper.keys())),
          Cell.of(paper.original()),
          Cell.of(paper.modified()),
          Cell.of(paper.original() / paper.modified()),
          micros(gpu, RadixOnGpu.RADIX_16),
          micros(gpu, RadixOnGpu.SERIAL),
          micros(gpu, RadixOnGpu.STREAMED),
          Cell.of(
              gpu.map(found -> found.medianRatio(RadixOnGpu.STREAMED, RadixOnGpu.SERIAL))
                  .orElseGet(OptionalDouble::empty)),
          micros(gpu, Methods.AUTO),
          micros(cores, Methods.AUTO),
          micros(cores, SortLoad.PARALLEL_SORT));
    }
    return table
        .note(
            "The paper: a Tesla C2050 of 2010; its modified program streams the results. Its text"
                + " says that this takes 20% less time at 10^7 keys and 25% less at 10^8.")
        .note(
            "GPU: from pinned memory to pinned memory. Cores: in an array, by %d threads."
                .formatted(radixRun.engines().threads()))
        .build();
  }

  private static Cell micros(Optional<Results> results, String method) {
    return results
        .map(found -> found.cell(method, measured -> measured.medianNanos() * MICRO))
        .orElseGet(Cell::empty);
  }
}

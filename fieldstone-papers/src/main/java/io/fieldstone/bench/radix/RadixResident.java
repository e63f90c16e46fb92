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
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measures every method of a GPU on resident records. */
final class RadixResident implements Section {

  private static final long RECORDS = 100_000_000;

  private final RadixRun radixRun;

  RadixResident(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    return radixRun.engines().hasGpu() ? RadixRun.FORMATS.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    return radixRun.engines().gpu().stream().<Part>map(gpu -> table(run, gpu)).toList();
  }

  private Table table(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "resident",
            "%s uniform resident records".formatted(RadixRun.sizeName(RECORDS)),
            "records",
            "method",
            "M records/s",
            "GB/s of records",
            "reading device memory, GB/s",
            "reading / sorting");
    OptionalDouble read = radixRun.ceilings().memoryRead();
    for (RecordFormat format : RadixRun.FORMATS) {
      Results results = results(run, gpu, format);
      for (String method : RadixRun.methods(gpu, format)) {
        OptionalDouble rate =
            results.of(method, measured -> measured.medianRate() * format.bytes());
        table.row(
            Cell.of(SortLoad.nameOf(format)),
            Cell.of(method),
            results.cell(method, Measurement::medianMillions),
            Cell.of(rate),
            Cell.of(read),
            Cell.ratio(read, rate));
      }
    }
    return table
        .note(
            "The records are copied to the GPU before each run, which is not measured, and sorted"
                + " in place.")
        .build();
  }

  private Results results(Run run, Engine gpu, RecordFormat format) {
    int count = radixRun.records(RECORDS);
    long bytes = (long) count * format.bytes();
    MemorySegment records = radixRun.pinnedSource(bytes);
    MemorySegment sorted = radixRun.pinnedTarget(bytes);
    KeyDistribution.UNIFORM.fill(format, records);
    SortedCheck check = new SortedCheck(format, records);
    try (ResidentBytes copy = gpu.allocateBytes(bytes)) {
      List<Candidate> candidates = new ArrayList<>();
      for (String method : RadixRun.methods(gpu, format)) {
        Sorting sorting = SortLoad.sorting(gpu, format, method);
        Runnable store = () -> copy.store(0, records);
        store.run();
        sorting.sort(copy, 0, bytes);
        copy.read(0, sorted);
        check.require(method + ", resident", sorted);
        candidates.add(
            new Candidate(method, count, Optional.of(store), () -> sorting.sort(copy, 0, bytes)));
      }
      return run.compareBriefly("GPU, resident, " + SortLoad.nameOf(format), candidates);
    }
  }
}

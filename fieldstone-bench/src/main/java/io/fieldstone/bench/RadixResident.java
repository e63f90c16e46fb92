package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Every method of a GPU on records that are resident. */
final class RadixResident implements Section {

  private static final long RECORDS = 100_000_000;

  private final RadixRun radixRun;

  RadixResident(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    return radixRun.lineup().hasGpu() ? RadixRun.FORMATS.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    return radixRun.lineup().gpu().stream().<Part>map(gpu -> table(run, gpu)).toList();
  }

  private Table table(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "resident",
            "%s uniform records that are resident".formatted(RadixRun.words(RECORDS)),
            "records",
            "method",
            "M records/s",
            "GB/s of records",
            "reading device memory, GB/s",
            "times they could have been read");
    OptionalDouble read = radixRun.limits().memoryRead();
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
        .note("Copied there before each run, which is not measured, and sorted where they are.")
        .build();
  }

  private Results results(Run run, Engine gpu, RecordFormat format) {
    int count = radixRun.records(RECORDS);
    long bytes = (long) count * format.bytes();
    MemorySegment records = radixRun.pinnedFrom(bytes);
    MemorySegment sorted = radixRun.pinnedTo(bytes);
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
      return run.glance("GPU, resident, " + SortLoad.nameOf(format), candidates);
    }
  }
}

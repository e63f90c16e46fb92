package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import io.fieldstone.stream.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Every method of a GPU: from pinned memory to pinned memory, on records that are resident, and by
 * phase, with a picture.
 */
final class RadixOnGpu implements Section {

  /** The method of the paper's "original": up, sort, down, one after another. */
  static final String SERIAL = "serial";

  /** The paper's "modified". */
  static final String STREAMED = "streamed";

  static final String OURS = SortLoad.AUTO;

  private static final List<Long> AIMED = List.of(100_000_000L, 1_000_000_000L);
  private static final double OVER_SERIAL = 1.4;
  private static final long RESIDENT = 100_000_000;
  private static final String UNIT = "M keys/s";
  private static final double NS_PER_MS = 1e6;

  private final RadixRun radixRun;

  /** Milliseconds of each phase, by method, of what the paper has profiled. */
  private final Map<KeyDistribution, Map<String, Profiled>> profiles = new LinkedHashMap<>();

  RadixOnGpu(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    Optional<Engine> gpu = radixRun.lineup().gpu();
    return gpu.isEmpty() ? 0 : keys().size() + RadixRun.FORMATS.size() + RadixPaper.PROFILES.size();
  }

  private List<RadixRun.Key> keys() {
    List<RadixRun.Key> keys = new ArrayList<>();
    for (RecordFormat format : RadixRun.FORMATS) {
      for (KeyDistribution distribution : distributions(format)) {
        for (long size : radixRun.gpuSizes()) {
          keys.add(new RadixRun.Key(format, distribution, size));
        }
      }
    }
    return keys;
  }

  /** All of keys of 32 bits in a full run; of others, those of the paper. */
  private List<KeyDistribution> distributions(RecordFormat format) {
    return radixRun.isWhole() && format.equals(RadixRun.FORMATS.getFirst())
        ? List.of(KeyDistribution.values())
        : List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = radixRun.lineup().gpu();
    List<Part> parts = new ArrayList<>();
    if (gpu.isPresent()) {
      keys().forEach(key -> radixRun.keepOnGpu(key, hostToHost(run, gpu.get(), key)));
      RadixRun.FORMATS.forEach(format -> parts.addAll(hostToHostParts(format)));
      addGoals();
      parts.add(resident(run, gpu.get()));
      RadixPaper.PROFILES.forEach(paper -> parts.addAll(profile(run, gpu.get(), paper)));
    }
    return parts;
  }

  /** What the phases of each method took, of the keys of a table of the paper. */
  Map<String, Profiled> profiles(KeyDistribution distribution) {
    return profiles.getOrDefault(distribution, Map.of());
  }

  private List<String> methods(Engine gpu, RecordFormat format) {
    List<String> methods = new ArrayList<>(gpu.sorts().methods(format));
    methods.add(OURS);
    return methods;
  }

  private Results hostToHost(Run run, Engine gpu, RadixRun.Key key) {
    RecordFormat format = key.format();
    long bytes = (long) radixRun.records(key.size()) * format.bytes();
    try (HostMemory from = gpu.allocateHost(bytes);
        HostMemory to = gpu.allocateHost(bytes)) {
      MemorySegment records = from.segment().asSlice(0, bytes);
      MemorySegment sorted = to.segment().asSlice(0, bytes);
      key.distribution().fill(format, records);
      List<Candidate> candidates = new ArrayList<>();
      for (String method : methods(gpu, format)) {
        Sorting sorting = SortLoad.sorting(gpu, format, method);
        sorting.sort(records, sorted);
        SortLoad.requireSorted(method, format, records, sorted);
        candidates.add(
            new Candidate(
                method,
                (double) radixRun.records(key.size()),
                () -> sorting.sort(records, sorted)));
      }
      return run.glance(
          "GPU, %s, %s %s"
              .formatted(SortLoad.nameOf(format), RadixRun.words(key.size()), key.distribution()),
          candidates);
    }
  }

  private List<Part> hostToHostParts(RecordFormat format) {
    Engine gpu = radixRun.lineup().gpu().orElseThrow();
    List<String> methods = methods(gpu, format);
    List<String> columns = new ArrayList<>(List.of("keys", "records"));
    columns.addAll(methods);
    columns.addAll(List.of("streamed / serial", "auto / serial"));
    String title = "%s from pinned memory to pinned memory".formatted(SortLoad.nameOf(format));
    String name = "gpu-" + RadixOnCores.fileName(format);
    Table.Builder table =
        Table.named(name, title + ", M records/s", columns.toArray(String[]::new));
    Map<String, Points> series = new LinkedHashMap<>();
    for (RadixRun.Key key : keys()) {
      if (key.format().equals(format)) {
        Results results = radixRun.onGpu(key).orElseThrow();
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(key.distribution().toString()));
        cells.add(Cell.of(RadixRun.words(key.size())));
        for (String method : methods) {
          OptionalDouble rate = results.of(method, RadixAims::mega);
          cells.add(Cell.of(rate));
          if (key.distribution() == KeyDistribution.UNIFORM && rate.isPresent()) {
            series
                .computeIfAbsent(method, _ -> new Points())
                .add((double) key.size(), rate.getAsDouble());
          }
        }
        cells.add(Cell.of(results.medianRatio(STREAMED, SERIAL)));
        cells.add(Cell.of(results.medianRatio(OURS, SERIAL)));
        table.row(cells);
      }
    }
    List<Chart.Series> lines = new ArrayList<>();
    series.forEach((method, points) -> lines.add(points.series(method, false)));
    return List.of(
        table.build(), new Chart.Lines(name, title + ", uniform", "records", "M records/s", lines));
  }

  private void addGoals() {
    for (long size : AIMED) {
      RadixRun.Key key =
          new RadixRun.Key(RecordFormat.of(KeyType.I32), KeyDistribution.UNIFORM, size);
      Optional<Results> results = radixRun.onGpu(key);
      if (results.isPresent()) {
        String what = "GPU, i32, %s uniform, ".formatted(RadixRun.words(size));
        goal(what + "the paper's streams", results.get(), STREAMED, RadixPaper.FASTER);
        goal(what + "auto", results.get(), OURS, OVER_SERIAL);
      }
    }
  }

  private void goal(String what, Results results, String method, double aim) {
    radixRun
        .goals()
        .add(
            Goals.Goal.ratio(
                what,
                UNIT,
                results.of(method, RadixAims::mega),
                SERIAL,
                results.of(SERIAL, RadixAims::mega),
                aim));
  }

  private Table resident(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "resident",
            "%s uniform records that are resident".formatted(RadixRun.words(RESIDENT)),
            "records",
            "method",
            "M records/s",
            "GB/s of records",
            "reading device memory, GB/s",
            "times they could have been read");
    for (RecordFormat format : RadixRun.FORMATS) {
      Results results = residentResults(run, gpu, format);
      for (String method : methods(gpu, format)) {
        OptionalDouble rate =
            results.of(method, measured -> measured.medianRate() * format.bytes());
        OptionalDouble read = radixRun.limits().memoryRead();
        table.row(
            Cell.of(SortLoad.nameOf(format)),
            Cell.of(method),
            results.cell(method, RadixAims::mega),
            Cell.of(rate),
            Cell.of(read),
            rate.isPresent() && read.isPresent()
                ? Cell.of(read.getAsDouble() / rate.getAsDouble())
                : Cell.empty());
      }
    }
    return table
        .note("Copied there before each run, which is not measured, and sorted where they are.")
        .build();
  }

  private Results residentResults(Run run, Engine gpu, RecordFormat format) {
    long bytes = (long) radixRun.records(RESIDENT) * format.bytes();
    try (HostMemory memory = gpu.allocateHost(bytes);
        HostMemory back = gpu.allocateHost(bytes);
        ResidentBytes copy = gpu.allocateBytes(bytes)) {
      MemorySegment records = memory.segment().asSlice(0, bytes);
      MemorySegment sorted = back.segment().asSlice(0, bytes);
      KeyDistribution.UNIFORM.fill(format, records);
      List<Candidate> candidates = new ArrayList<>();
      for (String method : methods(gpu, format)) {
        Sorting sorting = SortLoad.sorting(gpu, format, method);
        Runnable store = () -> copy.store(0, records);
        store.run();
        sorting.sort(copy, 0, bytes);
        copy.read(0, sorted);
        SortLoad.requireSorted(method + ", resident", format, records, sorted);
        candidates.add(
            new Candidate(
                method,
                (double) radixRun.records(RESIDENT),
                Optional.of(store),
                () -> sorting.sort(copy, 0, bytes)));
      }
      return run.glance("GPU, resident, " + SortLoad.nameOf(format), candidates);
    }
  }

  /** Runs each method once more, on an engine that tells what it does when. */
  private List<Part> profile(Run run, Engine gpu, RadixPaper.Profile paper) {
    run.begin("GPU, phases, " + paper.distribution());
    RecordFormat format = RecordFormat.of(KeyType.I32);
    long bytes = (long) radixRun.records(RadixPaper.PROFILED) * format.bytes();
    Timeline timeline = new Timeline();
    List<Part> parts = new ArrayList<>();
    Map<String, Profiled> found = new LinkedHashMap<>();
    EngineOptions options = new EngineOptions(radixRun.lineup().threads(), timeline);
    try (Engine told = Engine.open(gpu.spec(), options);
        HostMemory from = told.allocateHost(bytes);
        HostMemory to = told.allocateHost(bytes)) {
      MemorySegment records = from.segment().asSlice(0, bytes);
      MemorySegment sorted = to.segment().asSlice(0, bytes);
      paper.distribution().fill(format, records);
      for (String method : methods(told, format)) {
        Sorting sorting = SortLoad.sorting(told, format, method);
        sorting.sort(records, sorted);
        timeline.clear();
        long start = System.nanoTime();
        sorting.sort(records, sorted);
        double totalMs = (System.nanoTime() - start) / NS_PER_MS;
        found.put(method, new Profiled(timeline.profile(), totalMs));
        run.keep(
            "GPU, phases, %s: %s".formatted(paper.distribution(), method),
            (double) bytes / format.bytes(),
            totalMs / 1e3);
        if (!timeline.phases().isEmpty()) {
          parts.add(
              Chart.Spans.of(
                  "timeline-%s-%s".formatted(paper.distribution(), method),
                  "%s keys of 32 bits, %s, by %s"
                      .formatted(RadixRun.words(RadixPaper.PROFILED), paper.distribution(), method),
                  timeline));
        }
      }
    }
    profiles.put(paper.distribution(), found);
    return parts;
  }
}

package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.MethodProfile;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.stream.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Profiles the methods of PCRC as Figs. 4 to 7 do: kernels and transfers of CRC-8, over time. */
final class PcrcTimelines implements Section {

  private static final double MS_PER_SECOND = 1e3;

  private static final PcrcCode CODE = PcrcCode.CRC_8;
  private static final long PAPER_BYTES = PcrcPaper.MESSAGE_BITS / Byte.SIZE;
  private static final long LONG_BYTES = 16L << 20;

  private static final Set<String> UPLOAD = Set.of("upload");
  private static final Set<String> KERNEL = Set.of("compute");
  private static final Set<String> DOWNLOAD = Set.of("download");

  /** Runs before those that are compared, in which the JVM compiles. */
  private static final int WARM_UPS = 200;

  private static final int RUNS = 9;

  /**
   * A profile.
   *
   * @param figure of the paper, or an addition
   * @param method with its parameters
   * @param bytes of the message
   */
  private record Profiled(String figure, String method, long bytes) {

    String chartName() {
      return "timeline-%s-%d".formatted(method.replaceAll("[@,]", "-"), bytes);
    }
  }

  private static final List<Profiled> PROFILED =
      List.of(
          new Profiled("Fig. 4", "pcrc@128", PAPER_BYTES),
          new Profiled("Fig. 5", "pcrc-reduction@128", PAPER_BYTES),
          new Profiled("Figs. 6, 7", "pcrc-streams@128,2,2", PAPER_BYTES),
          new Profiled("Figs. 6, 7", "pcrc-streams@128,4,4", PAPER_BYTES),
          new Profiled("a longer message", "pcrc-reduction@128", LONG_BYTES),
          new Profiled("a longer message", "pcrc-streams@128,4,16", LONG_BYTES));

  private final PcrcRun pcrcRun;

  PcrcTimelines(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
  }

  @Override
  public int steps() {
    return pcrcRun.engines().hasGpu() ? PROFILED.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = pcrcRun.engines().gpu();
    return gpu.isPresent() ? measure(run, gpu.get()) : List.of();
  }

  private List<Part> measure(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "figures-4-7",
            "Figs. 4 to 7: where the time of CRC-8 goes, µs",
            "figure",
            "method",
            "bytes",
            "upload",
            "kernel",
            "download",
            "no operation",
            "overlap",
            "total",
            "kernel / transfers",
            "kernel, % of the total");
    List<Part> charts = new ArrayList<>();
    Timeline timeline = new Timeline();
    EngineOptions options = new EngineOptions(pcrcRun.engines().threads(), timeline);
    try (Engine observed = Engine.open(gpu.spec(), options)) {
      for (Profiled profiled : PROFILED) {
        String name = "GPU, timeline, %s, %d bytes".formatted(profiled.method, profiled.bytes);
        run.beginStep(name);
        MethodProfile profile = profile(observed, timeline, profiled);
        run.record(name, (double) pcrcRun.bytes(profiled.bytes), profile.totalMs() / MS_PER_SECOND);
        table.row(row(profiled, profile));
        charts.add(
            new Gantt(
                profiled.chartName(),
                "CRC-8 of %,d bytes by %s".formatted(profiled.bytes, profiled.method),
                profile.phases()));
      }
    }
    List<Part> parts = new ArrayList<>();
    parts.add(
        table
            .note(
                ("From pinned memory; the run of median length of %d. Upload, kernel, download and"
                        + " no operation, less the overlap, add up to the total. \"No operation\""
                        + " is launching, waiting, and recording the times.")
                    .formatted(RUNS))
            .note(
                "The copy of the paper lacks the pictures. It does not say which parameters Figs. 6"
                    + " and 7 have: here those that its conclusion names. The paper sees kernels"
                    + " prevail with reduction, and in some cases beside transfers.")
            .build());
    parts.addAll(charts);
    return parts;
  }

  private MethodProfile profile(Engine engine, Timeline timeline, Profiled profiled) {
    MemorySegment message = pcrcRun.message(profiled.bytes);
    Division division = engine.checksums().division(CODE.divisor(), profiled.method);
    division.warmUp();
    long expected =
        pcrcRun.engines().oneCore().checksums().division(CODE.divisor()).append(0, message);
    return MethodProfile.median(
        timeline,
        WARM_UPS,
        RUNS,
        () -> {
          long found = division.append(0, message);
          if (found != expected) {
            throw new IllegalStateException(
                "%s of %d bytes by %s is 0x%x and not 0x%x"
                    .formatted(CODE, message.byteSize(), profiled.method, found, expected));
          }
        });
  }

  private static List<Cell> row(Profiled profiled, MethodProfile profile) {
    OptionalDouble upload = profile.wallMs(UPLOAD);
    OptionalDouble kernel = profile.wallMs(KERNEL);
    OptionalDouble download = profile.wallMs(DOWNLOAD);
    double transfers = upload.orElse(0) + download.orElse(0);
    double overlap = transfers + kernel.orElse(0) - profile.wallMs();
    return List.of(
        Cell.of(profiled.figure),
        Cell.of(profiled.method),
        Cell.of((double) profiled.bytes),
        MethodProfile.micros(upload),
        MethodProfile.micros(kernel),
        MethodProfile.micros(download),
        MethodProfile.micros(OptionalDouble.of(profile.idleMs())),
        MethodProfile.micros(OptionalDouble.of(overlap)),
        MethodProfile.micros(OptionalDouble.of(profile.totalMs())),
        Cell.of(MethodProfile.scaled(kernel, 1 / transfers)),
        Cell.of(profile.percent(kernel)));
  }
}

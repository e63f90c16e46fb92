package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import io.fieldstone.engine.Engine;
import java.util.List;

/** Runs {@code bench live}. */
public final class LiveBenchmark {

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS = List.of("code", "delay", "deadline", "receivers");

  private LiveBenchmark() {}

  /** Runs all sections, or that of the options. */
  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      Engine engine = engines.oneCore();
      Heading heading =
          new Heading(
              "live",
              "Codes over sliding windows",
              List.of(
                  "Engine: one thread of %s.".formatted(engine.summary()),
                  "Packets have %d bytes, symbols %d. Coefficients are over GF(2^8)."
                      .formatted(LiveStream.PACKET_BYTES, LiveStream.PACKET_BYTES + 2)));
      List<Section> sections =
          options.chosen(SECTIONS).stream().map(name -> section(name, options, engine)).toList();
      return Section.report(options, heading, sections);
    }
  }

  private static Section section(String name, BenchOptions options, Engine engine) {
    boolean isFull = options.pace().allShapes();
    return switch (name) {
      case "code" -> new CodeSection(engine);
      case "delay" -> new DelaySection(engine, isFull ? 1_000_000 : 100_000);
      case "deadline" -> new DeadlineSection(engine, isFull ? 600 : 120);
      case "receivers" ->
          new ReceiversSection(engine, isFull ? List.of(10, 100) : List.of(10), isFull ? 60 : 20);
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }
}

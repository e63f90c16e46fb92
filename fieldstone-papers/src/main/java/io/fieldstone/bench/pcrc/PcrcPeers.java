package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares the method that the engine chooses with others on one core, and two threads with one, at
 * full length.
 */
final class PcrcPeers implements Section {

  /** Bytes of a message longer than any cache, for two threads. */
  static final long LARGE = 256L << 20;

  /**
   * The bytes of a message, which fits in a cache and takes far longer than the overhead of a call.
   */
  private static final long MIDDLE = 1 << 20;

  /** Bytes of a message so short that the cost of the call shows. */
  private static final long SHORT = 64;

  private static final List<PcrcCode> LARGE_CODES =
      List.of(PcrcCode.CRC_32, PcrcCode.CRC_32_ZIP, PcrcCode.CRC_64);

  private static final String JDK = "java.util.zip";
  private static final String SLICING = "slicing-16";
  private static final String BYTEWISE = "bytewise";
  private static final String ONE = "1 thread";
  private static final String TWO = "2 threads";

  private final PcrcRun pcrcRun;

  PcrcPeers(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
  }

  @Override
  public int steps() {
    return 2 * PcrcCode.values().length + LARGE_CODES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    return List.of(peers(run), threads(run));
  }

  private Table peers(Run run) {
    Table.Builder table =
        Table.named(
            "peers",
            "The method that the engine chooses against others, one core",
            "code",
            "message",
            "auto, GB/s",
            "other method",
            "its GB/s",
            "auto / other");
    for (PcrcCode code : PcrcCode.values()) {
      rows(table, run, code, SHORT, BYTEWISE);
      rows(table, run, code, MIDDLE, SLICING);
    }
    return table.note("Medians of the samples; messages are in cache.").build();
  }

  /**
   * Adds a row for another method of the engine, and one for the checksum of the JDK if it has the
   * code.
   */
  private void rows(Table.Builder table, Run run, PcrcCode code, long bytes, String method) {
    DivisionLoad load = load(code, bytes);
    Engine core = pcrcRun.engines().oneCore();
    List<Candidate> candidates = new ArrayList<>();
    load.inMemory(Methods.AUTO, core, Methods.AUTO).ifPresent(candidates::add);
    load.inMemory(method, core, method).ifPresent(candidates::add);
    load.reference(JDK).ifPresent(candidates::add);
    String length = PcrcByLength.words(bytes);
    Results results = run.compare("%s, %s, one core".formatted(code, length), candidates);
    for (String other : List.of(method, JDK)) {
      if (results.of(other, Measurement::medianRate).isPresent()) {
        table.row(
            Cell.of(code.toString()),
            Cell.of(length),
            results.cell(Methods.AUTO, Measurement::medianRate),
            Cell.of(other),
            results.cell(other, Measurement::medianRate),
            Cell.of(results.medianRatio(Methods.AUTO, other)));
      }
    }
  }

  private Table threads(Run run) {
    Table.Builder table =
        Table.named(
            "threads",
            "One message of 256 MiB by one thread and by two, GB/s",
            "code",
            ONE,
            TWO,
            "2 threads / 1");
    BenchEngines engines = pcrcRun.engines();
    Engine two = engines.open(engines.coresSpec(), 2);
    for (PcrcCode code : LARGE_CODES) {
      DivisionLoad load = load(code, LARGE);
      Results results =
          run.compare(
              "two threads, " + code,
              Stream.of(
                      load.inMemory(ONE, engines.oneCore(), Methods.AUTO),
                      load.inMemory(TWO, two, Methods.AUTO))
                  .flatMap(Optional::stream)
                  .toList());
      table.row(
          Cell.of(code.toString()),
          results.cell(ONE, Measurement::medianRate),
          results.cell(TWO, Measurement::medianRate),
          Cell.of(results.medianRatio(TWO, ONE)));
    }
    return table.note("Medians of the samples.").build();
  }

  private DivisionLoad load(PcrcCode code, long bytes) {
    return new DivisionLoad(code, pcrcRun.engines().oneCore(), pcrcRun.message(bytes));
  }
}

package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.pcrc.PcrcPaper.Figure;
import io.fieldstone.bench.pcrc.PcrcPaper.Method;
import io.fieldstone.bench.pcrc.PcrcPaper.Test;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Measures PCRC, Sec. VIII, Tables A to F: speed-ups over bitwise and bytewise on one core. */
final class PcrcTables implements Section {

  private static final String BITWISE = "bitwise";
  private static final String BYTEWISE = "bytewise";
  private static final String PARALLEL = "parallel";
  private static final String FOLDING = "folding";
  private static final List<String> ON_CORES =
      List.of(BITWISE, BYTEWISE, PARALLEL, "slicing-16", "vector", "carry-less", Methods.AUTO);
  private static final String RESIDENT = ", resident";
  private static final double KILO = 1e3;

  /** The results of a code. */
  private record Found(PcrcCode code, Results results) {}

  private final PcrcRun pcrcRun;
  private final List<Test> tests;

  PcrcTables(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
    this.tests = pcrcRun.isFull() ? PcrcPaper.TESTS : List.of(PcrcPaper.BEST);
  }

  @Override
  public int steps() {
    return PcrcCode.OF_PAPER.size();
  }

  @Override
  public List<Part> measure(Run run) {
    List<Found> results =
        PcrcCode.OF_PAPER.stream()
            .map(code ->
                new Found(
                    code,
                    run.compareBriefly("tables A to F, " + code, loads -> candidates(code, loads))))
            .toList();
    List<Part> parts = new ArrayList<>();
    tests.forEach(test -> parts.add(table(test, results)));
    parts.add(others(results));
    return parts;
  }

  private List<Candidate> candidates(PcrcCode code, Closer loads) {
    MemorySegment message = pcrcRun.message(PcrcPaper.MESSAGE_BITS / Byte.SIZE);
    Engine core = pcrcRun.engines().oneCore();
    DivisionLoad load = new DivisionLoad(code, core, message);
    List<Candidate> candidates = new ArrayList<>();
    for (String method : ON_CORES) {
      load.inMemory(method, core, method).ifPresent(candidates::add);
    }
    pcrcRun
        .engines()
        .gpu()
        .ifPresent(gpu -> {
          ResidentBytes copy = loads.register(gpu.loadBytes(message));
          for (String spec : specs()) {
            load.inMemory(spec, gpu, spec).ifPresent(candidates::add);
            load.resident(spec + RESIDENT, gpu, spec, copy).ifPresent(candidates::add);
          }
        });
    return candidates;
  }

  /** Returns every method with the parameters of every table, once, and the method "folding". */
  private Set<String> specs() {
    Set<String> specs = new LinkedHashSet<>();
    for (Test test : tests) {
      for (Method method : Method.values()) {
        specs.add(test.spec(method));
      }
    }
    specs.add(FOLDING);
    return specs;
  }

  private static Table table(Test test, List<Found> results) {
    Table.Builder table =
        Table.named(
            "table-" + test.letter().toLowerCase(Locale.ROOT),
            test.title(),
            "code",
            "method",
            "paper × bitwise",
            "here × bitwise",
            "resident × bitwise",
            "paper × bytewise",
            "here × bytewise",
            "resident × bytewise");
    for (Found one : results) {
      PcrcCode code = one.code();
      Results found = one.results();
      for (Figure figure : test.of(code)) {
        String spec = test.spec(figure.method());
        table.row(
            Cell.of(code.toString()),
            Cell.of(spec),
            Cell.of(figure.overBitwise()),
            Cell.of(found.medianRatio(spec, BITWISE)),
            Cell.of(found.medianRatio(spec + RESIDENT, BITWISE)),
            Cell.of(figure.overBytewise()),
            Cell.of(found.medianRatio(spec, BYTEWISE)),
            Cell.of(found.medianRatio(spec + RESIDENT, BYTEWISE)));
      }
      table.row(
          Cell.of(code.toString()),
          Cell.of(PARALLEL + ", one core"),
          Cell.empty(),
          Cell.of(found.medianRatio(PARALLEL, BITWISE)),
          Cell.empty(),
          Cell.empty(),
          Cell.of(found.medianRatio(PARALLEL, BYTEWISE)),
          Cell.empty());
    }
    return table
        .note(
            "Here: the message is in pinned main memory; a GPU copies it up, and the result down."
                + " Resident: the message is on the GPU. The paper does not say whether its times"
                + " include the copies; its streams gain only if they do.")
        .note("The cores have neither blocks nor streams, so their row is the same in all tables.")
        .build();
  }

  private static Table others(List<Found> results) {
    Table.Builder table =
        Table.named(
            "methods",
            "N = 2^16: other methods on one core and on the GPU",
            "code",
            "method",
            "µs",
            "× bitwise",
            "paper's best × bitwise",
            "× bytewise",
            "paper's best × bytewise");
    for (Found one : results) {
      PcrcCode code = one.code();
      Results found = one.results();
      for (String method : methods()) {
        if (found.of(method, Measurement::medianNanos).isPresent()) {
          table.row(
              Cell.of(code.toString()),
              Cell.of(method),
              found.cell(method, measured -> measured.medianNanos() / KILO),
              Cell.of(found.medianRatio(method, BITWISE)),
              Cell.of(PcrcPaper.best(code, Figure::overBitwise)),
              Cell.of(found.medianRatio(method, BYTEWISE)),
              Cell.of(PcrcPaper.best(code, Figure::overBytewise)));
        }
      }
    }
    return table
        .note("Paper's best: the highest figure for the code in any of its tables.")
        .note("Folding: the method of Fieldstone on the GPU.")
        .build();
  }

  private static List<String> methods() {
    return Stream.concat(ON_CORES.stream(), Stream.of(FOLDING, FOLDING + RESIDENT)).toList();
  }
}

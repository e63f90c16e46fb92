package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Part;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every method of the cores and the JDK's own for one code, by the length of the message. */
final class PcrcCoresByLength implements Section {

  /** What one thread can do at all is seen on these; the others are of interest code by code. */
  private static final List<PcrcCode> FEW_CODES =
      List.of(PcrcCode.CRC_32, PcrcCode.CRC_32_ZIP, PcrcCode.CRC_64);

  /** Methods so slow that more bytes would tell nothing but patience. */
  private static final Map<String, Long> MAX_BYTES =
      Map.of("bitwise", 1L << 20, "parallel", 16L << 20);

  /** Shorter messages are left to one thread. */
  private static final long THREADS_THRESHOLD = 1 << 20;

  private static final String JDK = "java.util.zip";

  private final PcrcRun pcrcRun;
  private final PcrcCode code;

  private PcrcCoresByLength(PcrcRun pcrcRun, PcrcCode code) {
    this.pcrcRun = pcrcRun;
    this.code = code;
  }

  /** A section for each code. */
  static List<PcrcCoresByLength> ofCodes(PcrcRun pcrcRun) {
    List<PcrcCode> codes = pcrcRun.isFull() ? List.of(PcrcCode.values()) : FEW_CODES;
    return codes.stream().map(code -> new PcrcCoresByLength(pcrcRun, code)).toList();
  }

  @Override
  public int steps() {
    return pcrcRun.sizes().size();
  }

  @Override
  public List<Part> measure(Run run) {
    PcrcLengthTable sweep = new PcrcLengthTable("cores-" + code.fileName(), code + " on one core");
    for (long size : pcrcRun.sizes()) {
      sweep.measure(run, size, candidates(size));
    }
    return sweep.parts(
        "One thread unless a column says otherwise; up to 4 KiB as many messages as fill that"
            + " are divided one after another. From some MiB on, memory has its say.");
  }

  private List<Candidate> candidates(long size) {
    BenchEngines engines = pcrcRun.engines();
    Engine core = engines.oneCore();
    DivisionLoad load = new DivisionLoad(code, core, pcrcRun.message(size));
    List<Candidate> candidates = new ArrayList<>();
    Stream.concat(
            core.checksums().methods(code.divisor()).stream()
                .filter(method -> size <= MAX_BYTES.getOrDefault(method, size)),
            Stream.of(DivisionLoad.AUTO))
        .forEach(method -> load.inMemory(method, core, method).ifPresent(candidates::add));
    load.reference(JDK).ifPresent(candidates::add);
    if (size >= THREADS_THRESHOLD && engines.threads() > 1) {
      String name = "%s, %d threads".formatted(DivisionLoad.AUTO, engines.threads());
      load.inMemory(name, engines.cores(), DivisionLoad.AUTO).ifPresent(candidates::add);
    }
    return candidates;
  }
}

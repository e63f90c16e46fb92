package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures every method of the cores for one code, and the checksum of the JDK, by the length of
 * the message.
 */
final class PcrcCoresByLength extends PcrcByLength {

  /** Codes of a quick run. */
  private static final List<PcrcCode> FEW_CODES =
      List.of(PcrcCode.CRC_32, PcrcCode.CRC_32_ZIP, PcrcCode.CRC_64);

  /** Longest message of slow methods, in bytes. */
  private static final Map<String, Long> MAX_BYTES =
      Map.of("bitwise", 1L << 20, "parallel", 16L << 20);

  /** Length from which all threads are measured too, in bytes. */
  private static final long THREADS_THRESHOLD = 1 << 20;

  private static final String JDK = "java.util.zip";

  private final PcrcRun pcrcRun;
  private final PcrcCode code;

  private PcrcCoresByLength(PcrcRun pcrcRun, PcrcCode code) {
    super(
        pcrcRun.sizes(),
        "cores-" + code.fileName(),
        code + " on one core",
        "One thread unless a column says otherwise. Up to 4 KiB, several messages that fill 4 KiB"
            + " are divided one after another. From some MiB on, memory limits the rate.");
    this.pcrcRun = pcrcRun;
    this.code = code;
  }

  /** Makes a section for each code. */
  static List<PcrcCoresByLength> ofCodes(PcrcRun pcrcRun) {
    List<PcrcCode> codes = pcrcRun.isFull() ? List.of(PcrcCode.values()) : FEW_CODES;
    return codes.stream().map(code -> new PcrcCoresByLength(pcrcRun, code)).toList();
  }

  @Override
  List<Candidate> candidates(long size) {
    BenchEngines engines = pcrcRun.engines();
    Engine core = engines.oneCore();
    DivisionLoad load = new DivisionLoad(code, core, pcrcRun.message(size));
    List<Candidate> candidates = new ArrayList<>();
    Stream.concat(
            core.checksums().methods(code.divisor()).stream()
                .filter(method -> size <= MAX_BYTES.getOrDefault(method, size)),
            Stream.of(Methods.AUTO))
        .forEach(method -> load.inMemory(method, core, method).ifPresent(candidates::add));
    load.reference(JDK).ifPresent(candidates::add);
    if (size >= THREADS_THRESHOLD && engines.threads() > 1) {
      String name = "%s, %d threads".formatted(Methods.AUTO, engines.threads());
      load.inMemory(name, engines.cores(), Methods.AUTO).ifPresent(candidates::add);
    }
    return candidates;
  }
}

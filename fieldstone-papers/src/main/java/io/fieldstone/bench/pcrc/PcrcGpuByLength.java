package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.ResidentBytes;
import java.util.ArrayList;
import java.util.List;

/** Measures every method of a GPU for one code, by the length of the message. */
final class PcrcGpuByLength extends PcrcByLength {

  static final String FROM_MEMORY = "from main memory";
  static final String RESIDENT = "resident";

  /** Length above which a quick run leaves out the methods of the paper, in bytes. */
  private static final long PAPER_METHODS_THRESHOLD = 16L << 20;

  private final PcrcRun pcrcRun;
  private final PcrcCode code;
  private final Engine gpu;

  private PcrcGpuByLength(PcrcRun pcrcRun, PcrcCode code, Engine gpu) {
    super(
        pcrcRun.sizes(),
        "gpu-" + code.fileName(),
        code + " on the GPU",
        "One message per call, and each is waited for. Main memory is pinned; from there, auto"
            + " leaves short messages to the cores.");
    this.pcrcRun = pcrcRun;
    this.gpu = gpu;
    this.code = code;
  }

  /** Makes a section for each code, if there is a GPU. */
  static List<PcrcGpuByLength> ofCodes(PcrcRun pcrcRun) {
    List<PcrcCode> codes = pcrcRun.isFull() ? PcrcCode.WIDTHS : PcrcGpuBulk.FEW_CODES;
    return pcrcRun.engines().gpu().stream()
        .flatMap(gpu -> codes.stream().map(code -> new PcrcGpuByLength(pcrcRun, code, gpu)))
        .toList();
  }

  @Override
  List<Candidate> candidates(long size) {
    ResidentBytes copy = pcrcRun.copyOn(gpu);
    DivisionLoad load = new DivisionLoad(code, pcrcRun.engines().cores(), pcrcRun.message(size));
    List<String> methods = new ArrayList<>(gpu.checksums().methods(code.divisor()));
    if (!pcrcRun.isFull() && size > PAPER_METHODS_THRESHOLD) {
      methods.removeIf(method -> method.startsWith("pcrc"));
    }
    List<Candidate> candidates = new ArrayList<>();
    for (String method : methods) {
      load.resident(method + ", " + RESIDENT, gpu, method, copy).ifPresent(candidates::add);
      load.inMemory(method + ", " + FROM_MEMORY, gpu, method).ifPresent(candidates::add);
    }
    load.inMemory(Methods.AUTO + ", " + FROM_MEMORY, gpu, Methods.AUTO).ifPresent(candidates::add);
    return candidates;
  }
}

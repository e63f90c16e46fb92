package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Part;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures every method of a GPU for one code, by the length of the message. */
final class PcrcGpuByLength implements Section {

  static final String FROM_MEMORY = "from main memory";
  static final String RESIDENT = "resident";

  /** Length above which a quick run leaves out the methods of the paper, in bytes. */
  private static final long PAPER_METHODS_THRESHOLD = 16L << 20;

  private final PcrcRun pcrcRun;
  private final PcrcCode code;

  private PcrcGpuByLength(PcrcRun pcrcRun, PcrcCode code) {
    this.pcrcRun = pcrcRun;
    this.code = code;
  }

  /** Makes a section for each code, if there is a GPU. */
  static List<PcrcGpuByLength> ofCodes(PcrcRun pcrcRun) {
    if (!pcrcRun.engines().hasGpu()) {
      return List.of();
    }
    List<PcrcCode> codes = pcrcRun.isFull() ? PcrcCode.WIDTHS : PcrcGpuBulk.FEW_CODES;
    return codes.stream().map(code -> new PcrcGpuByLength(pcrcRun, code)).toList();
  }

  @Override
  public int steps() {
    return pcrcRun.sizes().size();
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = pcrcRun.engines().gpu();
    if (gpu.isEmpty()) {
      return List.of();
    }
    ResidentBytes copy = pcrcRun.copyOn(gpu.get());
    PcrcLengthTable sweep = new PcrcLengthTable("gpu-" + code.fileName(), code + " on the GPU");
    for (long size : pcrcRun.sizes()) {
      sweep.measure(run, size, candidates(size, gpu.get(), copy));
    }
    return sweep.parts(
        "One message per call, and each is waited for. Main memory is pinned; from there, auto"
            + " leaves short messages to the cores.");
  }

  private List<Candidate> candidates(long size, Engine gpu, ResidentBytes copy) {
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
    load.inMemory(DivisionLoad.AUTO + ", " + FROM_MEMORY, gpu, DivisionLoad.AUTO)
        .ifPresent(candidates::add);
    return candidates;
  }
}

package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every method of a GPU for one code, by the length of the message. */
final class PcrcGpuSweep implements Section {

  static final String FROM_MEMORY = "from main memory";
  static final String RESIDENT = "resident";

  /** From here on the paper's methods are measured in full runs only. */
  private static final long SLOW_BYTES = 16L << 20;

  private final PcrcRun pcrcRun;
  private final PcrcCode code;

  private PcrcGpuSweep(PcrcRun pcrcRun, PcrcCode code) {
    this.pcrcRun = pcrcRun;
    this.code = code;
  }

  /** A section for each code, if there is a GPU. */
  static List<PcrcGpuSweep> ofCodes(PcrcRun pcrcRun) {
    if (!pcrcRun.lineup().hasGpu()) {
      return List.of();
    }
    List<PcrcCode> codes = pcrcRun.isWhole() ? PcrcCode.WIDTHS : PcrcOnGpu.FEW_CODES;
    return codes.stream().map(code -> new PcrcGpuSweep(pcrcRun, code)).toList();
  }

  @Override
  public int steps() {
    return pcrcRun.sizes().size();
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = pcrcRun.lineup().gpu();
    if (gpu.isEmpty()) {
      return List.of();
    }
    ResidentBytes copy = pcrcRun.copyOn(gpu.get());
    PcrcSweep sweep = new PcrcSweep("gpu-" + code.fileName(), code + " on the GPU");
    for (long size : pcrcRun.sizes()) {
      sweep.measure(run, size, candidates(size, gpu.get(), copy));
    }
    return sweep.parts(
        "One message a call, and each waited for. Main memory is pinned; from there, auto leaves"
            + " short messages to the cores.");
  }

  private List<Candidate> candidates(long size, Engine gpu, ResidentBytes copy) {
    DivisionLoad load = new DivisionLoad(code, pcrcRun.lineup().cores(), pcrcRun.message(size));
    List<String> methods = new ArrayList<>(gpu.checksums().methods(code.divisor()));
    if (!pcrcRun.isWhole() && size > SLOW_BYTES) {
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

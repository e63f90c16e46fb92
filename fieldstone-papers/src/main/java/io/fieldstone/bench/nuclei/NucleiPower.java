package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.memory.CpuInfo;
import java.util.OptionalDouble;

/**
 * Table I of the paper for this machine: clocks, widths, and the cycles per iteration of the word
 * loop (Sec. IV-D). The paper estimates cycles from instructions; here they follow from measured
 * rates, as in its Sec. IV-C. For one thread at a time.
 */
final class NucleiPower {

  /** The iterations of a word multiplication by 0xff. */
  private static final int ITERATIONS = 8;

  /** The bytes of a vector of {@code cpu:loop-vector}, as of a register of SSE2. */
  private static final int CPU_BYTES = 16;

  /** The bytes of the words of a warp. */
  private static final int WARP_BYTES = 32 * Integer.BYTES;

  private final BenchEngines engines;
  private OptionalDouble coresRate = OptionalDouble.empty();
  private OptionalDouble gpuRate = OptionalDouble.empty();

  NucleiPower(BenchEngines engines) {
    this.engines = engines;
  }

  /** Receives the rate of the vector loop on the cores with coefficients 0xff, in G GF-MAC/s. */
  void measuredOnCores(OptionalDouble rate) {
    this.coresRate = rate;
  }

  /** Receives the rate of the word loop on the GPU with coefficients 0xff, in G GF-MAC/s. */
  void measuredOnGpu(OptionalDouble rate) {
    this.gpuRate = rate;
  }

  Table table() {
    OptionalDouble coresClock =
        CpuInfo.current().get("cpu MHz").stream()
            .mapToDouble(megahertz -> engines.threads() * Double.parseDouble(megahertz) / 1e3)
            .findFirst();
    OptionalDouble gpuClock = EngineCeilings.ofGpu(engines).multiprocessorCycles();
    return Table.named(
            "table-1",
            "Table I: computing power by the loop (7a)",
            "quantity",
            "paper: 8 cores, SSE2",
            "paper: GeForce 8800 GT",
            "here: %d threads".formatted(engines.threads()),
            "here: GPU")
        .row(
            Cell.of("clock × cores or multiprocessors, GHz"),
            Cell.of(2.8 * 8),
            Cell.of(1.5 * 14),
            Cell.of(coresClock),
            Cell.of(gpuClock))
        .row(
            Cell.of("bytes per instruction"),
            Cell.of(16),
            Cell.of(8 * Integer.BYTES),
            Cell.of(CPU_BYTES),
            Cell.of(WARP_BYTES))
        .row(
            Cell.of("cycles per iteration"),
            Cell.of(5),
            Cell.of(10.5),
            Cell.of(cycles(coresClock, CPU_BYTES, coresRate)),
            Cell.of(cycles(gpuClock, WARP_BYTES, gpuRate)))
        .row(
            Cell.of("iterations, G bytes/s"),
            Cell.of(2.8 * 8 * 16 / 5),
            Cell.of(1.5 * 112 * 4 / 10.5),
            Cell.of(iterations(coresRate)),
            Cell.of(iterations(gpuRate)))
        .row(
            Cell.of("cores / GPU"),
            Cell.of(1.12),
            Cell.empty(),
            Cell.ratio(coresRate, gpuRate),
            Cell.empty())
        .note(
            "The paper's cycles are its last estimate from instructions; those here are clock ×"
                + " bytes / measured rate. A multiprocessor of the 8800 GT has 8 cores of 4 bytes;"
                + " here an instruction is that of a warp.")
        .note(
            "Clocks are those that the system names, and may differ from the actual ones. The cores"
                + " run the loop with 16-byte vectors, as the paper's with SSE2.")
        .build();
  }

  private static OptionalDouble cycles(OptionalDouble clock, int bytes, OptionalDouble rate) {
    return clock.isPresent() && rate.isPresent()
        ? OptionalDouble.of(clock.getAsDouble() * bytes / (ITERATIONS * rate.getAsDouble()))
        : OptionalDouble.empty();
  }

  private static OptionalDouble iterations(OptionalDouble rate) {
    return rate.isPresent()
        ? OptionalDouble.of(ITERATIONS * rate.getAsDouble())
        : OptionalDouble.empty();
  }
}

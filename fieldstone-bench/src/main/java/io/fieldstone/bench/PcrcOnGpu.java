package io.fieldstone.bench;

import io.fieldstone.engine.Division;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Extents;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One large message on a GPU, and many packets. */
final class PcrcOnGpu implements Section {

  /** One large message. */
  static final long LARGE = 1L << 30;

  private static final long PACKETS = 700_000;
  private static final long PACKET_BYTES = 1500;

  static final List<PcrcCode> FEW_CODES = List.of(PcrcCode.CRC_32, PcrcCode.CRC_64);

  private static final String FROM_MEMORY = PcrcGpuSweep.FROM_MEMORY;
  private static final String RESIDENT = PcrcGpuSweep.RESIDENT;
  private static final String PACKET_BATCH = "packets";

  private static final String READ = "device memory, read";
  private static final String BUS = "bus, up";
  private static final String UNIT = "GB/s";

  private static final double OF_READING = 0.8;
  private static final double OF_BUS = 0.95;
  private static final double OF_READING_PACKETS = 0.5;

  private final PcrcRun pcrcRun;

  PcrcOnGpu(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
  }

  @Override
  public int steps() {
    return pcrcRun.lineup().hasGpu() ? PcrcCode.WIDTHS.size() + FEW_CODES.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = pcrcRun.lineup().gpu();
    if (gpu.isPresent()) {
      ResidentBytes copy = pcrcRun.copyOn(gpu.get());
      PcrcCode.WIDTHS.forEach(code -> large(run, code, gpu.get(), copy));
      FEW_CODES.forEach(code -> packets(run, code, gpu.get(), copy));
    }
    return List.of();
  }

  private DivisionLoad load(PcrcCode code, long size) {
    return new DivisionLoad(code, pcrcRun.lineup().cores(), pcrcRun.message(size));
  }

  private void large(Run run, PcrcCode code, Engine gpu, ResidentBytes copy) {
    DivisionLoad load = load(code, LARGE);
    List<Candidate> candidates = new ArrayList<>();
    load.resident(RESIDENT, gpu, DivisionLoad.AUTO, copy).ifPresent(candidates::add);
    load.inMemory(FROM_MEMORY, gpu, DivisionLoad.AUTO).ifPresent(candidates::add);
    Results results = run.results("GPU, 1 GiB, " + code, candidates);
    goal(
        "GPU, 1 GiB resident, " + code,
        results.of(RESIDENT, Measurement::medianRate),
        READ,
        pcrcRun.limits().memoryRead(),
        OF_READING);
    goal(
        "GPU, 1 GiB of pinned main memory, " + code,
        results.of(FROM_MEMORY, Measurement::medianRate),
        BUS,
        pcrcRun.limits().upload(),
        OF_BUS);
  }

  private void packets(Run run, PcrcCode code, Engine gpu, ResidentBytes copy) {
    long count = Math.max(1, pcrcRun.bytes(PACKETS));
    Extents packets = Extents.equal(count, 0, PACKET_BYTES, PACKET_BYTES);
    Division division = gpu.checksums().division(code.divisor());
    division.warmUp();
    try (HostMemory registers = gpu.allocateHost(count * Long.BYTES)) {
      Candidate candidate =
          new Candidate(
              PACKET_BATCH,
              packets.totalLength(),
              () -> division.append(0, copy, packets, registers.segment()));
      candidate.body().run();
      check(code, packets, registers.segment());
      Results results = run.results("GPU, packets, " + code, List.of(candidate));
      goal(
          "GPU, 700,000 resident packets of 1,500 bytes, " + code,
          results.of(PACKET_BATCH, Measurement::medianRate),
          READ,
          pcrcRun.limits().memoryRead(),
          OF_READING_PACKETS);
    }
  }

  private void check(PcrcCode code, Extents packets, MemorySegment registers) {
    MemorySegment expected = MemorySegment.ofArray(new long[Math.toIntExact(packets.count())]);
    pcrcRun
        .lineup()
        .cores()
        .checksums()
        .division(code.divisor())
        .append(0, pcrcRun.message(LARGE), packets, expected);
    long wrong = expected.mismatch(registers);
    if (wrong >= 0) {
      long packet = wrong / Long.BYTES;
      throw new IllegalStateException(
          "%s of packet %d is 0x%x on the GPU and 0x%x on the cores"
              .formatted(
                  code,
                  packet,
                  registers.get(ValueLayout.JAVA_LONG_UNALIGNED, packet * Long.BYTES),
                  expected.get(ValueLayout.JAVA_LONG_UNALIGNED, packet * Long.BYTES)));
    }
  }

  private void goal(
      String what, OptionalDouble reached, String ceiling, OptionalDouble value, double aim) {
    pcrcRun.goals().add(Goals.Goal.ratio(what, UNIT, reached, ceiling, value, aim));
  }
}

package io.fieldstone.bench.pcrc;

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
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Measures one large message on a GPU, and many packets. */
final class PcrcGpuBulk implements Section {

  /** Bytes of a large message. */
  static final long LARGE = 1L << 30;

  private static final long PACKETS = 700_000;
  private static final long PACKET_BYTES = 1500;

  static final List<PcrcCode> FEW_CODES = List.of(PcrcCode.CRC_32, PcrcCode.CRC_64);

  private static final String FROM_MEMORY = PcrcGpuByLength.FROM_MEMORY;
  private static final String RESIDENT = PcrcGpuByLength.RESIDENT;
  private static final String PACKET_BATCH = "packets";

  private final PcrcRun pcrcRun;

  PcrcGpuBulk(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
  }

  @Override
  public int steps() {
    return pcrcRun.engines().hasGpu() ? PcrcCode.WIDTHS.size() + FEW_CODES.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    return pcrcRun
        .engines()
        .gpu()
        .map(gpu -> List.<Part>of(large(run, gpu), packets(run, gpu)))
        .orElseGet(List::of);
  }

  private Table large(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "gpu-large",
            "One message of 1 GiB on the GPU, by the method that it chooses",
            "code",
            "resident, GB/s",
            "of reading device memory",
            "from pinned main memory, GB/s",
            "of the bus, up");
    PcrcCode.WIDTHS.forEach(code -> large(table, run, code, gpu));
    return table.note("Medians of the samples.").build();
  }

  private Table packets(Run run, Engine gpu) {
    Table.Builder table =
        Table.named(
            "gpu-packets",
            "700,000 resident packets of 1,500 bytes, by the method that the GPU chooses",
            "code",
            "GB/s",
            "of reading device memory");
    FEW_CODES.forEach(code -> packets(table, run, code, gpu));
    return table.note("Medians of the samples. The remainders go to pinned main memory.").build();
  }

  private DivisionLoad load(PcrcCode code, long size) {
    return new DivisionLoad(code, pcrcRun.engines().cores(), pcrcRun.message(size));
  }

  private void large(Table.Builder table, Run run, PcrcCode code, Engine gpu) {
    DivisionLoad load = load(code, LARGE);
    ResidentBytes copy = pcrcRun.copyOn(gpu);
    List<Candidate> candidates = new ArrayList<>();
    load.resident(RESIDENT, gpu, Methods.AUTO, copy).ifPresent(candidates::add);
    load.inMemory(FROM_MEMORY, gpu, Methods.AUTO).ifPresent(candidates::add);
    Results results = run.compare("GPU, 1 GiB, " + code, candidates);
    OptionalDouble resident = results.of(RESIDENT, Measurement::medianRate);
    OptionalDouble fromMemory = results.of(FROM_MEMORY, Measurement::medianRate);
    table.row(
        Cell.of(code.toString()),
        Cell.of(resident),
        Cell.ratio(resident, pcrcRun.ceilings().memoryRead()),
        Cell.of(fromMemory),
        Cell.ratio(fromMemory, pcrcRun.ceilings().upload()));
  }

  private void packets(Table.Builder table, Run run, PcrcCode code, Engine gpu) {
    ResidentBytes copy = pcrcRun.copyOn(gpu);
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
      Results results = run.compare("GPU, packets, " + code, List.of(candidate));
      OptionalDouble rate = results.of(PACKET_BATCH, Measurement::medianRate);
      table.row(
          Cell.of(code.toString()),
          Cell.of(rate),
          Cell.ratio(rate, pcrcRun.ceilings().memoryRead()));
    }
  }

  private void check(PcrcCode code, Extents packets, MemorySegment registers) {
    MemorySegment expected = MemorySegment.ofArray(new long[Math.toIntExact(packets.count())]);
    pcrcRun
        .engines()
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
}

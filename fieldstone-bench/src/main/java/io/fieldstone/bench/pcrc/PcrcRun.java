package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What the sections of {@code bench pcrc} share; messages are cut from the beginning of its memory.
 */
final class PcrcRun implements AutoCloseable {

  /** From 64 bytes to 1 GiB. */
  private static final List<Long> SIZES =
      LongStream.iterate(64, size -> size <= PcrcGpuBulk.LARGE, size -> 16 * size).boxed().toList();

  private static final List<Long> FEW_SIZES = List.of(64L, 4L << 10, 1L << 20, 64L << 20);

  private static final long SEED = 16;

  private final BenchEngines engines;
  private final EngineCeilings ceilings;
  private final Pace pace;
  private final long maxBytes;
  private final HostMemory memory;
  private final Closer closer = new Closer();
  private Optional<ResidentBytes> copy = Optional.empty();

  /** Opens what is needed, and fills memory with random bytes. */
  PcrcRun(BenchEngines engines, EngineCeilings ceilings, Pace pace) {
    this.engines = engines;
    this.ceilings = ceilings;
    this.pace = pace;
    Engine host = engines.gpu().orElseGet(engines::oneCore);
    this.maxBytes = maxBytes();
    this.memory = closer.register(host.allocateHost(bytes(maxBytes)));
    RandomBytes.fill(memory.segment(), SEED);
  }

  /** A small machine goes without the longest messages; a GPU's pinned memory is not the JVM's. */
  private long maxBytes() {
    if (engines.hasGpu()) {
      return PcrcGpuBulk.LARGE;
    }
    long affordable = Math.min(PcrcGpuBulk.LARGE, Runtime.getRuntime().maxMemory() / 2);
    return isFull() ? Math.max(PcrcPeers.LARGE, affordable) : PcrcPeers.LARGE;
  }

  BenchEngines engines() {
    return engines;
  }

  EngineCeilings ceilings() {
    return ceilings;
  }

  /** Lengths of messages of a sweep, in bytes. */
  List<Long> sizes() {
    return (isFull() ? SIZES : FEW_SIZES).stream().filter(size -> size <= maxBytes).toList();
  }

  /** Whether every code and table is visited, or a few. */
  boolean isFull() {
    return pace.allShapes();
  }

  /** {@code nominal} bytes, or fewer where the benchmark itself is being tested. */
  long bytes(long nominal) {
    return Math.max(1, nominal / pace.shrink());
  }

  /** A message of {@link #bytes} of that number. */
  MemorySegment message(long nominal) {
    return memory.segment().asSlice(0, bytes(nominal));
  }

  /** The longest message on the GPU, made when first asked for. */
  ResidentBytes copyOn(Engine gpu) {
    if (copy.isEmpty()) {
      copy = Optional.of(closer.register(gpu.loadBytes(message(PcrcGpuBulk.LARGE))));
    }
    return copy.get();
  }

  @Override
  public void close() {
    closer.close();
  }
}

package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The engines, ceilings and memory that the sections of {@code bench pcrc} share; messages are cut
 * from the beginning of that memory.
 */
final class PcrcRun implements AutoCloseable {

  /** Lengths of messages from 64 bytes to 1 GiB. */
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

  /** Allocates memory for the longest message, and fills it with random bytes. */
  PcrcRun(BenchEngines engines, EngineCeilings ceilings, Pace pace) {
    this.engines = engines;
    this.ceilings = ceilings;
    this.pace = pace;
    Engine host = engines.gpu().orElseGet(engines::oneCore);
    this.maxBytes = maxBytes();
    this.memory = closer.register(host.allocateHost(bytes(maxBytes)));
    RandomBytes.fill(memory.segment(), SEED);
  }

  /**
   * Returns the bytes of the longest message. Pinned memory of a GPU does not count against the
   * memory of the JVM.
   */
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

  /** Returns the lengths of messages of a table, in bytes. */
  List<Long> sizes() {
    return (isFull() ? SIZES : FEW_SIZES).stream().filter(size -> size <= maxBytes).toList();
  }

  /** Returns whether all codes and tables are measured, or a few. */
  boolean isFull() {
    return pace.allShapes();
  }

  /** Returns {@code nominal} bytes, or fewer in a test of the benchmark. */
  long bytes(long nominal) {
    return Math.max(1, nominal / pace.shrink());
  }

  /** Returns a message of {@link #bytes bytes(nominal)}. */
  MemorySegment message(long nominal) {
    return memory.segment().asSlice(0, bytes(nominal));
  }

  /** Loads the longest message on the GPU at the first call. */
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

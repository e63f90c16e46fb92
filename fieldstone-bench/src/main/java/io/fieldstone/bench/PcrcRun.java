package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * What the sections of {@code bench pcrc} share; messages are cut from the beginning of its memory.
 */
final class PcrcRun implements AutoCloseable {

  /** From 64 bytes to 1 GiB. */
  private static final List<Long> SIZES =
      LongStream.iterate(64, size -> size <= PcrcOnGpu.LARGE, size -> 16 * size).boxed().toList();

  private static final List<Long> FEW_SIZES = List.of(64L, 4L << 10, 1L << 20, 64L << 20);

  private static final long SEED = 16;

  private final Lineup lineup;
  private final Limits limits;
  private final Pace pace;
  private final long most;
  private final HostMemory memory;
  private final Closer closer = new Closer();
  private Optional<ResidentBytes> copy = Optional.empty();

  /** Opens what is needed, and fills memory with random bytes. */
  PcrcRun(Lineup lineup, Limits limits, Pace pace) {
    this.lineup = lineup;
    this.limits = limits;
    this.pace = pace;
    Engine host = lineup.gpu().orElseGet(lineup::oneCore);
    this.most = most();
    this.memory = closer.register(host.allocateHost(bytes(most)));
    ProductLoad.fillRandomly(memory.segment(), new SplittableRandom(SEED));
  }

  /** A small machine goes without the longest messages; a GPU's pinned memory is not the JVM's. */
  private long most() {
    if (lineup.hasGpu()) {
      return PcrcOnGpu.LARGE;
    }
    long affordable = Math.min(PcrcOnGpu.LARGE, Runtime.getRuntime().maxMemory() / 2);
    return isWhole() ? Math.max(PcrcPeers.LARGE, affordable) : PcrcPeers.LARGE;
  }

  Lineup lineup() {
    return lineup;
  }

  Limits limits() {
    return limits;
  }

  /** Lengths of messages of a sweep, in bytes. */
  List<Long> sizes() {
    return (isWhole() ? SIZES : FEW_SIZES).stream().filter(size -> size <= most).toList();
  }

  /** Whether every code and table is visited, or a few. */
  boolean isWhole() {
    return pace.wholeGrid();
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
      copy = Optional.of(closer.register(gpu.loadBytes(message(PcrcOnGpu.LARGE))));
    }
    return copy.get();
  }

  @Override
  public void close() {
    closer.close();
  }
}

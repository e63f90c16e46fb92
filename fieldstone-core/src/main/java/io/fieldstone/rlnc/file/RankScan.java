package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Scans shards for the ranks of their generations, without keeping payloads. */
final class RankScan {

  private final Engine engine;
  private final CodedObject descriptor;
  private final RankTally tally;
  private final GenerationListener listener;

  RankScan(Engine engine, CodedObject descriptor, GenerationListener listener) {
    this.engine = engine;
    this.descriptor = descriptor;
    this.tally = new RankTally(descriptor);
    this.listener = listener;
  }

  /** Scans from the cursors' positions to their ends; interruptible. */
  RankSummary scan(ShardCursors cursors, NativeMemory memory)
      throws IOException, InterruptedException {
    MemorySegment vector = memory.allocate(descriptor.shape().blocks());
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the scan was interrupted");
      }
      long generation = cursors.nextGeneration(descriptor.generations());
      if (generation == descriptor.generations()) {
        return tally.summary();
      }
      tally.skipTo(generation);
      scan(generation, cursors, vector.asSlice(0, descriptor.blocksOf(generation)));
    }
  }

  private void scan(long generation, ShardCursors cursors, MemorySegment vector)
      throws IOException {
    int n = descriptor.blocksOf(generation);
    try (Basis basis = engine.eliminations().basis(descriptor.shape().field(), n)) {
      long blocks =
          cursors.drain(
              generation,
              (_, block) -> {
                if (basis.rank() < n) {
                  block.vector().expand(descriptor.shape().code(), generation, vector);
                  basis.add(vector);
                }
              });
      tally.add(basis.rank(), blocks);
      listener.generation(generation, n, blocks, basis.rank());
    }
  }
}

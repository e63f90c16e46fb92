package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.Stage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Scans shards for the ranks of their generations, without keeping payloads. All threads of the
 * engine scan shards whose records are in their places, else one does.
 */
final class RankScan {

  private final Engine engine;
  private final ShardSet set;
  private final CodedObject descriptor;
  private final GenerationListener listener;
  private final RankTally tally;

  /** The first generation of the next slot. */
  private long next;

  private RankScan(Engine engine, ShardSet set, GenerationListener listener) {
    this.engine = engine;
    this.set = set;
    this.descriptor = set.descriptor();
    this.listener = listener;
    this.tally = new RankTally(descriptor);
  }

  /**
   * The result of a scan.
   *
   * @param ranks the ranks of the generations
   * @param report the contents of the shards
   */
  record Found(RankSummary ranks, ShardReport report) {}

  /**
   * Scans shards from their beginnings to their ends; interruptible.
   *
   * @param listener started once more if the scan begins again
   */
  static Found scan(Engine engine, ShardSet set, GenerationListener listener)
      throws IOException, InterruptedException {
    return set.inOrder(() -> {
      listener.start();
      try (NativeMemory memory = new NativeMemory(engine)) {
        return new RankScan(engine, set, listener).scan(memory);
      }
    });
  }

  private Found scan(NativeMemory memory) throws IOException, InterruptedException {
    long blocks = descriptor.shape().blocks();
    Batches batches =
        Batches.plan(
            engine, descriptor.shape().bytes() + blocks * blocks, descriptor.generations());
    // A header may claim billions of generations.
    Optional<ShardRanges> ranges =
        batches.slots() > 1 && set.maxRecords() >= descriptor.generations()
            ? set.ranges(batches, memory)
            : Optional.empty();
    return ranges.isPresent()
        ? scan(ranges.get(), batches, memory)
        : scan(set.cursors(memory), memory);
  }

  private Found scan(ShardRanges ranges, Batches batches, NativeMemory memory)
      throws IOException, InterruptedException {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < batches.slots(); i++) {
      slots.add(new Slot(batches.generations(), memory));
    }
    new Pipeline<Slot, IOException>("inspect", slots)
        .inOrder("read", this::start)
        .anyOrder("read", slot -> read(slot, ranges, batches))
        .inOrder("tally", this::tally)
        .run();
    return new Found(tally.summary(), set.report(ranges.summaries()));
  }

  private long start(Slot slot) {
    if (next == descriptor.generations()) {
      return Stage.END;
    }
    slot.first = next;
    slot.count = (int) Math.min(slot.ranks.length, descriptor.generations() - next);
    next += slot.count;
    return 0;
  }

  private long read(Slot slot, ShardRanges ranges, Batches batches) throws IOException {
    return batches.compute(
        engine,
        () -> {
          ranges.read(slot.first, slot.count, slot::read);
          if (ranges.mayLackRecords()) {
            throw new ShardRanges.IrregularException();
          }
          return 0L;
        });
  }

  private long tally(Slot slot) {
    for (int g = 0; g < slot.count; g++) {
      if (slot.blocks[g] > 0) {
        tally(slot.first + g, slot.ranks[g], slot.blocks[g]);
      }
    }
    return 0;
  }

  private void tally(long generation, int rank, long blocks) {
    tally.skipTo(generation);
    tally.add(rank, blocks);
    listener.generation(generation, descriptor.blocksOf(generation), blocks, rank);
  }

  private Found scan(ShardCursors cursors, NativeMemory memory)
      throws IOException, InterruptedException {
    if (descriptor.generations() == 0) {
      return new Found(tally.summary(), set.report(cursors));
    }
    Slot slot = new Slot(1, memory);
    slot.count = 1;
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the scan was interrupted");
      }
      slot.first = cursors.nextGeneration(descriptor.generations());
      if (slot.first == descriptor.generations()) {
        return new Found(tally.summary(), set.report(cursors));
      }
      slot.read(cursors);
      tally(slot);
    }
  }

  /** Some generations, and the blocks and ranks found of each. */
  private final class Slot {
    final int[] ranks;
    final long[] blocks;
    private final MemorySegment vector;

    /** The source blocks of a generation that came before others; they need no elimination. */
    private final BitSet sources = new BitSet();

    /** The later blocks, with zeros in the columns of those sources. */
    private final Basis others;

    long first;
    int count;

    Slot(int generations, NativeMemory memory) throws IOException {
      int n = descriptor.blocksOf(0); // no generation has more
      this.ranks = new int[generations];
      this.blocks = new long[generations];
      this.vector = memory.allocate(n);
      this.others = memory.basis(descriptor.shape().field(), n);
    }

    void read(ShardCursors cursors) throws IOException {
      for (int g = 0; g < count; g++) {
        read(g, cursors);
      }
    }

    private void read(int g, ShardCursors cursors) throws IOException {
      long generation = first + g;
      MemorySegment row = vector.asSlice(0, descriptor.blocksOf(generation));
      sources.clear();
      others.clear();
      blocks[g] = cursors.drain(generation, (_, block) -> add(block, row));
      ranks[g] = rank();
    }

    private int rank() {
      return sources.cardinality() + others.rank();
    }

    private void add(CodedBlock block, MemorySegment row) {
      if (others.rank() == 0 && block.vector() instanceof CodingVector.Source(int index)) {
        sources.set(index);
      } else if (rank() < row.byteSize()) {
        block.vector().expand(descriptor.shape().code(), block.generation(), row);
        sources.stream().forEach(column -> row.set(ValueLayout.JAVA_BYTE, column, (byte) 0));
        others.add(row);
      }
    }
  }
}

package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.file.RankSummary.ShortGeneration;
import io.fieldstone.rlnc.wire.CodedObject;
import java.util.ArrayList;
import java.util.List;

/** Accumulates a {@link RankSummary} generation by generation. */
final class RankTally {

  private final CodedObject descriptor;
  private final List<ShortGeneration> listed = new ArrayList<>();
  private long next;
  private long complete;
  private long codedBlocks;
  private long missingBlocks;
  private int minRank = Integer.MAX_VALUE;

  RankTally(CodedObject descriptor) {
    this.descriptor = descriptor;
  }

  /** Adds the next generation, with {@code blocks} coded blocks of rank {@code rank}. */
  void add(int rank, long blocks) {
    int wanted = descriptor.blocksOf(next);
    codedBlocks += blocks;
    minRank = Math.min(minRank, rank);
    if (rank == wanted) {
      complete++;
    } else {
      missingBlocks += wanted - rank;
      list(next, rank, wanted);
    }
    next++;
  }

  /**
   * Skips generations without blocks, up to {@code generation}: a header may claim billions of
   * them.
   */
  void skipTo(long generation) {
    if (next < generation) {
      minRank = 0;
      missingBlocks += sourceBlocksBefore(generation) - sourceBlocksBefore(next);
      while (next < generation && listed.size() < RankSummary.MAX_LISTED) {
        list(next, 0, descriptor.blocksOf(next));
        next++;
      }
      next = generation;
    }
  }

  RankSummary summary() {
    skipTo(descriptor.generations());
    return new RankSummary(
        descriptor.generations(),
        complete,
        descriptor.generations() == 0 ? 0 : minRank,
        codedBlocks,
        missingBlocks,
        listed);
  }

  private void list(long generation, int rank, int wanted) {
    if (listed.size() < RankSummary.MAX_LISTED) {
      listed.add(new ShortGeneration(generation, rank, wanted));
    }
  }

  private long sourceBlocksBefore(long generation) {
    return generation == descriptor.generations()
        ? descriptor.sourceBlocks()
        : generation * descriptor.shape().blocks();
  }
}

package io.fieldstone.hybrid;

import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Sorted runs that are resident on several engines, and where each is to be cut so that what lies
 * before the cuts is the beginning of their merge: as {@link io.fieldstone.engine.SortedRuns} finds
 * it in memory, but by few keys, because each that is read is a round trip over a bus. Thread-safe
 * while nobody writes the records.
 *
 * <p>Cuts are found from coarse to fine (P. J. Varman, S. D. Scheufler, B. R. Iyer, G. R. Ricard,
 * "Merging multiple lists on hierarchical-memory multiprocessors", 1991): exactly among every
 * 2^j-th record of each run, from there, by a few steps, among every 2^(j−1)-th, and at last among
 * all. For two runs of n records that is about 4 log n keys.
 *
 * @param format of the records
 * @param runs each sorted; of equal keys those of an earlier run come first
 */
record ResidentRuns(RecordFormat format, List<ResidentBytes> runs) {

  ResidentRuns {
    runs = List.copyOf(runs);
  }

  /**
   * Of each run, how many of its records are among the first of the merge.
   *
   * @param before how many those are, at most as many as there are
   */
  long[] cuts(long before) {
    long[] counts = IntStream.range(0, runs.size()).mapToLong(this::count).toArray();
    if (before == LongStream.of(counts).sum()) {
      return counts;
    }
    try (Arena arena = Arena.ofConfined()) {
      return new Search(arena.allocate(Long.BYTES)).cuts(before);
    }
  }

  private long count(int run) {
    return runs.get(run).byteSize() / format.bytes();
  }

  /** A record of a run. */
  private record Place(int run, long index) {}

  /** One search, which remembers the ranks of what it has read. */
  private final class Search {
    private final Map<Place, Long> ranks = new HashMap<>();
    private final MemorySegment key;
    private final long[] cuts = new long[runs.size()];

    /** Of how many records one is looked at: of the last of each such group. */
    private long stride;

    Search(MemorySegment room) {
      this.key = room.asSlice(0, format.key().bytes());
    }

    long[] cuts(long before) {
      long most = 1;
      for (int run = 0; run < cuts.length; run++) {
        most = Math.max(most, count(run));
      }
      for (stride = Long.highestOneBit(most); stride >= 1; stride /= 2) {
        cutGroups(before / stride);
        if (stride > 1) {
          refine();
        }
      }
      return cuts;
    }

    private void refine() {
      for (int run = 0; run < cuts.length; run++) {
        cuts[run] *= 2;
      }
    }

    /** Moves the cuts to where they belong among the groups of this stride. */
    private void cutGroups(long before) {
      long wanted = 0;
      long taken = 0;
      for (int run = 0; run < cuts.length; run++) {
        wanted += count(run) / stride;
        taken += cuts[run];
      }
      wanted = Math.min(wanted, before);
      for (; taken < wanted; taken++) {
        cuts[leastBehind()]++;
      }
      for (; taken > wanted; taken--) {
        cuts[greatestBefore()]--;
      }
      while (wanted > 0 && hasBehind()) {
        int last = greatestBefore();
        int next = leastBehind();
        if (!isBefore(next, cuts[next], last, cuts[last] - 1)) {
          return;
        }
        cuts[last]--;
        cuts[next]++;
      }
    }

    private boolean hasBehind() {
      for (int run = 0; run < cuts.length; run++) {
        if (cuts[run] < count(run) / stride) {
          return true;
        }
      }
      return false;
    }

    /** The run with the first group that no cut has before it; there is one. */
    private int leastBehind() {
      int least = -1;
      for (int run = 0; run < cuts.length; run++) {
        if (cuts[run] < count(run) / stride
            && (least < 0 || isBefore(run, cuts[run], least, cuts[least]))) {
          least = run;
        }
      }
      return least;
    }

    /** The run with the last group before its cut; there is one. */
    private int greatestBefore() {
      int greatest = -1;
      for (int run = 0; run < cuts.length; run++) {
        if (cuts[run] > 0
            && (greatest < 0 || isBefore(greatest, cuts[greatest] - 1, run, cuts[run] - 1))) {
          greatest = run;
        }
      }
      return greatest;
    }

    /** Whether a group of a run comes before a group of another in the merge. */
    private boolean isBefore(int run, long group, int other, long otherGroup) {
      int order = Long.compareUnsigned(rank(run, group), rank(other, otherGroup));
      return order < 0 || order == 0 && run < other;
    }

    private long rank(int run, long group) {
      Place place = new Place(run, (group + 1) * stride - 1);
      Long known = ranks.get(place);
      if (known != null) {
        return known;
      }
      runs.get(run).read(place.index() * format.bytes(), key);
      long rank = format.rank(key, 0);
      ranks.put(place, rank);
      return rank;
    }
  }
}

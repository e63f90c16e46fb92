package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;

/**
 * One sort from host memory to host memory that parts share. Each part takes its share of the
 * records, which are next to each other, and sorts them: a run, which stays there. Then it takes
 * its share of the result: from the runs of the other parts it fetches what belongs there, sorts
 * that (which, sorting being stable, merges it) and hands it out. Of the second step the part does
 * a range at a time, so that one range crosses the bus while the next is fetched and sorted.
 *
 * <p>Why so: where a bus of B bytes a second leads to each of two GPUs, sorting takes a fifth of
 * what the ways up and down take, and each part's N/2 records go up once and come down once, in N/B
 * together, half of what one GPU needs. Between the GPUs half the records cross a link which is
 * several times as fast as the bus. Were the runs to come down before they are merged, the cores
 * would read and write all N, and fetch what they write: 3N at the speed of memory, which is about
 * that of the bus, so that one GPU would be faster alone. Cores that deal out records by their keys
 * before they go up move as much. If every part were to take all records and keep those of its half
 * of the keys, each bus would carry 1.5 N instead of N.
 */
final class SharedSort implements AutoCloseable {

  /** Ranges of a part: with more, little is left to hide, and each needs another cut. */
  private static final int MOST_RANGES = 4;

  /** So many bytes cross a bus in the time that a cut takes. */
  static final long LEAST_RANGE_BYTES = 128 << 20;

  /** Threads of a part: while one waits for the bus, the other has the part sort. */
  private static final int LANES = 2;

  private final RecordFormat format;
  private final List<Engine> parts;
  private final List<Sorting> sortings;
  private final PartThreads threads;
  private final MemorySegment records;
  private final MemorySegment sorted;
  private final long leastRangeBytes;
  private final Map<Integer, ResidentBytes> runs = new ConcurrentHashMap<>();
  private volatile boolean isWriting;
  private volatile boolean hasFailed;

  /**
   * Begins with nothing.
   *
   * @param sortings of the parts, one each
   * @param records of any memory
   * @param sorted as much memory, the same or apart
   * @param leastRangeBytes that are handed out at a time, unless a part has less in all
   */
  SharedSort(
      List<Engine> parts,
      List<Sorting> sortings,
      PartThreads threads,
      MemorySegment records,
      MemorySegment sorted,
      long leastRangeBytes) {
    this.format = sortings.getFirst().format();
    this.parts = parts;
    this.sortings = sortings;
    this.threads = threads;
    this.records = records;
    this.sorted = sorted;
    this.leastRangeBytes = leastRangeBytes;
  }

  /**
   * Sorts records {@code from} … {@code to − 1} on a part: if that is all of them, to where they
   * belong; else they stay, in place of what the part has sorted before.
   */
  void sortRun(int part, long from, long to) {
    MemorySegment some = slice(records, from, to);
    if (some.byteSize() == records.byteSize()) {
      sortAll(sortings.get(part), records, sorted);
      return;
    }
    free(part);
    ResidentBytes run = parts.get(part).allocateBytes(some.byteSize());
    runs.put(part, run);
    run.store(0, some);
    sortings.get(part).sort(run, 0, run.byteSize());
  }

  /** Sorts records by one part's sorting, where they are or apart. */
  static void sortAll(Sorting sorting, MemorySegment records, MemorySegment sorted) {
    if (records.equals(sorted)) {
      sorting.sort(sorted);
    } else {
      sorting.sort(records, sorted);
    }
  }

  private MemorySegment slice(MemorySegment memory, long from, long to) {
    return memory.asSlice(from * format.bytes(), (to - from) * format.bytes());
  }

  /** Merges the runs to where they belong; does nothing if one part has sorted all records. */
  void merge(Shares division) {
    List<Integer> crew = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      if (!division.isIdle(part)) {
        crew.add(part);
      }
    }
    if (crew.size() > 1) {
      ResidentRuns merged = new ResidentRuns(format, crew.stream().map(this::run).toList());
      List<Outlet> outlets =
          Closing.openAll(
              crew.size(), at -> new Outlet(merged, crew.get(at), division), Outlet::close);
      try {
        // A key that is read waits behind whatever else comes down.
        threads.runAll(tasks(outlets, Outlet::cut));
        threads.runAll(tasks(outlets, Outlet::prepare));
        // Whoever has not the memory for this has said so.
        isWriting = true;
        threads.runAll(tasks(outlets, Outlet::handOut));
      } finally {
        Closing.closeAll(outlets, Outlet::close);
      }
    }
  }

  private ResidentBytes run(int part) {
    return Objects.requireNonNull(runs.get(part));
  }

  /** What a lane of an outlet does. */
  private interface Task {
    void run(Outlet outlet, int lane);
  }

  private static List<Runnable> tasks(List<Outlet> outlets, Task task) {
    List<Runnable> tasks = new ArrayList<>();
    for (Outlet outlet : outlets) {
      for (int lane = 0; lane < LANES; lane++) {
        int mine = lane;
        tasks.add(() -> task.run(outlet, mine));
      }
    }
    return tasks;
  }

  /** Whether the result has begun to be written, perhaps over the records. */
  boolean isWriting() {
    return isWriting;
  }

  private void free(int part) {
    ResidentBytes before = runs.remove(part);
    if (before != null) {
      before.close();
    }
  }

  /** Frees the runs. */
  @Override
  public void close() {
    Closing.closeAll(List.copyOf(runs.values()), ResidentBytes::close);
    runs.clear();
  }

  /** A part's share of the result: ranges that its lanes take one after another. */
  private final class Outlet implements AutoCloseable {
    private final ResidentRuns merged;
    private final int part;
    private final int ranges;

    /** Of the merge, the first record of each range, and the first behind the last. */
    private final long[] bounds;

    /** Of each run, how many of its records come before each bound. */
    private final Map<Integer, long[]> cuts = new ConcurrentHashMap<>();

    /** A range for each lane. */
    private final List<ResidentBytes> rooms;

    private final AtomicInteger nextCut = new AtomicInteger();
    private final AtomicInteger nextRange = new AtomicInteger(1);
    private final Lock sorting = new ReentrantLock();
    private final Lock bus = new ReentrantLock();

    Outlet(ResidentRuns merged, int part, Shares division) {
      this.merged = merged;
      this.part = part;
      long from = division.from(part);
      long count = division.to(part) - from;
      long bytes = count * format.bytes();
      this.ranges = Math.clamp(bytes / leastRangeBytes, 1, MOST_RANGES);
      this.bounds =
          LongStream.rangeClosed(0, ranges).map(range -> from + count * range / ranges).toArray();
      long roomBytes = Math.ceilDiv(count, ranges) * format.bytes();
      this.rooms =
          Closing.openAll(
              Math.min(LANES, ranges),
              _ -> parts.get(part).allocateBytes(roomBytes),
              ResidentBytes::close);
    }

    /** Finds cuts while there are some to find. */
    void cut(int lane) {
      orStop(() -> {
        for (int at = nextCut.getAndIncrement(); goesOn(at, bounds.length); ) {
          cuts.put(at, merged.cuts(bounds[at]));
          at = nextCut.getAndIncrement();
        }
      });
    }

    /** Has the first range sorted, and nothing written. */
    void prepare(int lane) {
      if (lane == 0) {
        orStop(() -> sort(0, rooms.getFirst()));
      }
    }

    /** Hands out the range that is sorted, and others while there are some. */
    void handOut(int lane) {
      if (lane < rooms.size()) {
        orStop(() -> {
          ResidentBytes room = rooms.get(lane);
          if (lane == 0) {
            deliver(0, room);
          }
          for (int range = nextRange.getAndIncrement(); goesOn(range, ranges); ) {
            sort(range, room);
            deliver(range, room);
            range = nextRange.getAndIncrement();
          }
        });
      }
    }

    private boolean goesOn(int at, int end) {
      return at < end && !hasFailed;
    }

    /** If one fails, the others have nothing left to do. */
    private void orStop(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        hasFailed = true;
        throw e;
      }
    }

    private void sort(int range, ResidentBytes room) {
      sorting.lock();
      try {
        fetch(range, room);
        long bytes = (bounds[range + 1] - bounds[range]) * format.bytes();
        sortings.get(part).sort(room, 0, bytes);
      } finally {
        sorting.unlock();
      }
    }

    private void deliver(int range, ResidentBytes room) {
      bus.lock();
      try {
        room.read(0, slice(sorted, bounds[range], bounds[range + 1]));
      } finally {
        bus.unlock();
      }
    }

    private void fetch(int range, ResidentBytes room) {
      long[] from = Objects.requireNonNull(cuts.get(range));
      long[] to = Objects.requireNonNull(cuts.get(range + 1));
      long at = 0;
      for (int run = 0; run < from.length; run++) {
        long bytes = (to[run] - from[run]) * format.bytes();
        if (bytes > 0) {
          room.store(at, merged.runs().get(run), from[run] * format.bytes(), bytes);
        }
        at += bytes;
      }
    }

    @Override
    public void close() {
      Closing.closeAll(rooms, ResidentBytes::close);
    }
  }
}

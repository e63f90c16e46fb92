package io.fieldstone.cpu;

import io.fieldstone.cpu.ScratchPool.Scratch;
import io.fieldstone.cpu.SortMemory.Workbench;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Deals items out by their most significant digit into buckets that fit into cache, and sorts each
 * there from its least significant digit on: the combination of the communication paper (Sec.
 * III-B), with cores in the place of a GPU. Every item is read from memory twice and written twice,
 * however many digits its key has.
 *
 * <p>As in the paper, a bucket that is too large is dealt out again. If it is a good part of all,
 * as when keys are nearly all alike, the threads do that together once the others are done.
 */
final class MsdLsd implements ItemSort {

  /** Fewer items are sorted before another thread has woken up. */
  private static final int LEAST_SHARED = 1 << 15;

  /** What buckets are aimed at if keys are spread evenly, which they never quite are. */
  private static final long BUCKET_BYTES = Workbench.RUN_BYTES / 4;

  private static final int LEAST_BITS = 4;
  private static final int MOST_BITS = Integer.numberOfTrailingZeros(Workbench.MOST_VALUES);

  /** Items that are looked at to see in which bits keys differ, before all of them are. */
  private static final int SAMPLES = 64;

  private final SortItems items;
  private final Workers workers;
  private final SortMemory memory;
  private final RunSort runs;

  MsdLsd(SortItems items, Workers workers, SortMemory memory) {
    this.items = items;
    this.workers = workers;
    this.memory = memory;
    this.runs = new RunSort(items);
  }

  @Override
  public boolean sort(long count, Source source, Sink sink) {
    int threads = count < LEAST_SHARED ? 1 : workers.threads();
    return count == 0 || new Part(count, items.keyBits(), source, sink, 0, threads).sort();
  }

  /** Runs {@code body} for 0 … tasks − 1 on as many of the threads as are to be used. */
  private void forEach(int threads, int tasks, IntConsumer body) {
    if (threads > 1) {
      workers.forEach(tasks, body);
      return;
    }
    for (int task = 0; task < tasks; task++) {
      body.accept(task);
    }
  }

  /** Some of the items, which are consecutive when sorted. */
  private final class Part {
    private final long count;
    private final int top;
    private final Source source;
    private final Sink sink;
    private final long first;
    private final int threads;
    private final Shares shares;

    /**
     * A part.
     *
     * @param top bits of a key in which these may differ, from the least significant on
     * @param first how many items come before these
     * @param threads that sort it
     */
    Part(long count, int top, Source source, Sink sink, long first, int threads) {
      this.count = count;
      this.top = top;
      this.source = source;
      this.sink = sink;
      this.first = first;
      this.threads = threads;
      this.shares = new Shares(count, threads);
    }

    boolean sort() {
      if (threads == 1 && items.bytes(count) <= Workbench.RUN_BYTES) {
        return sortRun();
      }
      long differing = differing();
      return source.isSound() && (differing == 0 ? store() : sortBuckets(differing));
    }

    private boolean sortRun() {
      try (Workbench bench = memory.takeBench()) {
        int all = (int) count;
        source.copy(0, all, bench.run());
        if (!source.isSound()) {
          return false;
        }
        sink.store(runs.sort(bench.run(), bench.otherRun(), all), all, first);
        return true;
      }
    }

    /** Bits in which keys differ, the highest of them included. */
    private long differing() {
      try (Workbench bench = memory.takeBench()) {
        for (int i = 0; i < SAMPLES; i++) {
          source.copy(count / SAMPLES * i, 1, bench.block() + items.bytes(i));
        }
        long key = items.key(bench.block());
        long sampled = items.differing(bench.block(), SAMPLES, key);
        return sampled >>> (top - 1) != 0 ? sampled : differing(key);
      }
    }

    private long differing(long key) {
      AtomicLong differing = new AtomicLong();
      forEachBlock((_, block, number) -> {
        long found = items.differing(block, number, key);
        if ((found & ~differing.getPlain()) != 0) {
          differing.accumulateAndGet(found, (a, b) -> a | b);
        }
      });
      return differing.get();
    }

    /** Stores items whose keys are all equal. */
    private boolean store() {
      forEachBlock((from, block, number) -> sink.store(block, number, first + from));
      return true;
    }

    private void forEachBlock(BlockTask task) {
      forEach(
          threads,
          threads,
          thread -> {
            try (Workbench bench = memory.takeBench()) {
              forEachBlock(thread, bench, task);
            }
          });
    }

    private void forEachBlock(int thread, Workbench bench, BlockTask task) {
      shares.forEachBlock(
          thread,
          (from, number) -> task.run(from, source.load(from, number, bench.block()), number));
    }

    private boolean sortBuckets(long differing) {
      int highest = Long.SIZE - Long.numberOfLeadingZeros(differing);
      int wanted = Long.SIZE - Long.numberOfLeadingZeros(items.bytes(count) / BUCKET_BYTES);
      int bits = Math.min(highest, Math.clamp(wanted, LEAST_BITS, MOST_BITS));
      int shift = highest - bits;
      long share = PartitionLog.room(items.bytes(shares.largest()), 1 << bits);
      PartitionLog[] logs = new PartitionLog[threads];
      try (Scratch scratch = memory.take(threads * share)) {
        long log = scratch.segment().address();
        forEach(
            threads,
            threads,
            thread -> {
              try (Workbench bench = memory.takeBench()) {
                PartitionLog own =
                    new PartitionLog(
                        bench.buffers(),
                        1 << bits,
                        log + thread * share,
                        items.bytes(shares.largest()));
                forEachBlock(
                    thread, bench, (_, block, number) -> items.scatter(block, number, shift, own));
                own.finish();
                logs[thread] = own;
              }
            });
        return source.isSound() && new Buckets(this, shift, logs).sort();
      }
    }
  }

  /** What a part was dealt out into. */
  private final class Buckets {
    private final Part part;
    private final int shift;
    private final PartitionLog[] logs;
    private final long[] starts;
    private final int flipped;
    private final Queue<Integer> shared = new ConcurrentLinkedQueue<>();

    Buckets(Part part, int shift, PartitionLog[] logs) {
      this.part = part;
      this.shift = shift;
      this.logs = logs;
      this.starts = new long[logs[0].heads().length + 1];
      starts[0] = part.first;
      this.flipped = items.flippedDigit(shift, starts.length - 1);
      for (int bucket = 0; bucket + 1 < starts.length; bucket++) {
        long bytes = 0;
        for (PartitionLog log : logs) {
          bytes += log.bytes(bucket ^ flipped);
        }
        starts[bucket + 1] = starts[bucket] + items.items(bytes);
      }
    }

    boolean sort() {
      forEach(part.threads, starts.length - 1, this::sort);
      shared.forEach(bucket -> dealOut(bucket, part.threads));
      return true;
    }

    private void sort(int bucket) {
      long count = count(bucket);
      if (items.bytes(count) <= Workbench.RUN_BYTES) {
        sortRun(bucket, (int) count);
      } else if (part.threads > 1 && count > part.count / part.threads / 2) {
        shared.add(bucket);
      } else {
        dealOut(bucket, 1);
      }
    }

    private long count(int bucket) {
      return starts[bucket + 1] - starts[bucket];
    }

    private void sortRun(int bucket, int count) {
      if (count == 0) {
        return;
      }
      try (Workbench bench = memory.takeBench()) {
        gather(bucket, bench.run());
        long sorted = runs.sort(bench.run(), bench.otherRun(), count);
        part.sink.store(sorted, count, starts[bucket]);
      }
    }

    private void dealOut(int bucket, int threads) {
      long count = count(bucket);
      try (Scratch scratch = memory.take(items.bytes(count))) {
        long address = scratch.segment().address();
        gather(bucket, address);
        Source again = new ItemsInMemory(items, address);
        new Part(count, Math.max(1, shift), again, part.sink, starts[bucket], threads).sort();
      }
    }

    private void gather(int bucket, long to) {
      long at = to;
      for (PartitionLog log : logs) {
        at = log.gather(bucket ^ flipped, at);
      }
    }
  }

  /** Items that are there already. */
  private record ItemsInMemory(SortItems items, long address) implements Source {
    @Override
    public long load(long first, int count, long spare) {
      return address + items.bytes(first);
    }

    @Override
    public void copy(long first, int count, long to) {
      MemorySegment.copy(
          Rows.MEMORY, address + items.bytes(first), Rows.MEMORY, to, items.bytes(count));
    }
  }

  /** What is done with a block of items; {@code from} is how many come before them. */
  private interface BlockTask {
    void run(long from, long block, int number);
  }
}

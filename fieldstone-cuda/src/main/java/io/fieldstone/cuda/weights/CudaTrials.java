package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs walks among information sets on a GPU, by {@code trials} of distances.cu. The CPU runs those
 * whose matrix exceeds the shared memory of a block. Thread-safe.
 */
public record CudaTrials(Gpu gpu, CpuFallback fallback) implements InformationSetTrials {

  private static final int THREADS = 128;
  private static final int WARPS = THREADS / 32;

  /** The bits of a trial in {@code found}; those above have the weight. */
  private static final int TRIAL_BITS = 52;

  private static final long NO_TRIAL = (1L << TRIAL_BITS) - 1;

  /** The numbers of words for which a kernel has them in registers. */
  private static final int MIN_REGISTER_WORDS = 2;

  private static final int MAX_REGISTER_WORDS = 4;

  @Override
  public Optional<Trial> lightest(
      LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight) {
    WeightPreconditions.requireWalks(redundancy, depth, first, count);
    PackedRows rows = PackedRows.of(redundancy);
    if (sharedBytes(rows)
        > gpu.context().device().attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK)) {
      gpu.requireOpen();
      return fallback
          .engine()
          .informationSetTrials()
          .lightest(redundancy, depth, seed, first, count, maxWeight);
    }
    List<Trial> found = new ArrayList<>();
    gpu.run(
        () -> "run %d walks of %d rows".formatted(count, rows.count()),
        () -> {
          if (count > 0 && maxWeight > 0) {
            int most = Math.min(maxWeight, rows.words() * Integer.SIZE + depth);
            long key = run(rows, redundancy.length(), depth, seed, first, count, most);
            long trial = key & NO_TRIAL;
            if (trial != NO_TRIAL) {
              found.add(
                  new Trial((int) (key >>> TRIAL_BITS), first * InformationSetWalk.TRIALS + trial));
            }
          }
        });
    return found.stream().findFirst();
  }

  /** Returns the words from one row to the next: an odd number, so that lanes use all banks. */
  private static int stride(PackedRows rows) {
    return rows.rowWords() | 1;
  }

  private static int sharedBytes(PackedRows rows) {
    return Integer.BYTES * (rows.count() * stride(rows) + 2 * WARPS);
  }

  private long run(
      PackedRows rows, int length, int depth, long seed, long first, long count, int maxWeight) {
    int deciding = rows.deciding(maxWeight - depth);
    boolean inRegisters = deciding >= MIN_REGISTER_WORDS && deciding <= MAX_REGISTER_WORDS;
    String name = "trials_" + (inRegisters ? deciding : 0);
    GridStrideKernel kernel =
        gpu.modules().kernel("distances", name, THREADS, sharedBytes(rows), 1);
    ScratchLayout scratch = new ScratchLayout();
    long rowsOffset = scratch.device(rows.bytes());
    long foundOffset = scratch.device(Long.BYTES);
    long pinnedRowsOffset = scratch.pinned(rows.bytes());
    long pinnedFoundOffset = scratch.pinned(Long.BYTES);
    long[] key = new long[1];
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              MemorySegment words = slot.pinned(pinnedRowsOffset, rows.bytes());
              MemorySegment.copy(rows.data(), 0, words, JAVA_INT, 0, rows.data().length);
              slot.stream().upload(words, slot.device(rowsOffset));
              MemorySegment found = slot.pinned(pinnedFoundOffset, Long.BYTES);
              found.set(JAVA_LONG, 0, (long) maxWeight << TRIAL_BITS | NO_TRIAL);
              slot.stream().upload(found, slot.device(foundOffset));
              int steps = InformationSetWalk.steps(rows.count(), length);
              new DistanceArguments.Walks(
                      slot.device(rowsOffset),
                      slot.device(foundOffset),
                      seed,
                      first,
                      count,
                      rows.count(),
                      length,
                      rows.words(),
                      rows.rowWords(),
                      stride(rows),
                      deciding,
                      depth,
                      steps,
                      steps * InformationSetWalk.FIRST_STEPS,
                      InformationSetWalk.TRIALS)
                  .write(slot.arguments());
              kernel.launchBlocks(slot, count);
              slot.stream().download(slot.device(foundOffset), found);
              slot.await();
              key[0] = found.get(JAVA_LONG, 0);
            });
    return key[0];
  }
}

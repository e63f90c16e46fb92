package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.InformationSetWalk;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Optional;

/** Runs walks in parallel, and searches sums of rows block by block. */
final class BlockedTrials implements InformationSetTrials {

  private static final int TASKS_PER_THREAD = 8;

  private final SumKernel kernel;
  private final TaskPool workers;

  BlockedTrials(SumKernel kernel, TaskPool workers) {
    this.kernel = kernel;
    this.workers = workers;
  }

  @Override
  public Optional<Trial> lightest(
      LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight) {
    WeightPreconditions.requireWalks(redundancy, depth, first, count);
    LabelledWords copy = redundancy.copy();
    Lightest lightest = new Lightest(maxWeight);
    int tasks = (int) Math.min(count, (long) TASKS_PER_THREAD * workers.threads());
    workers.forEach(
        tasks,
        task -> {
          long end = first + count * (task + 1) / tasks;
          for (long walk = first + count * task / tasks; walk < end; walk++) {
            new Walk(copy, seed, walk, lightest).run(depth);
          }
        });
    return lightest.trial;
  }

  /** The lightest word so far. Thread-safe. */
  private static final class Lightest {

    private volatile int maxWeight;
    private Optional<Trial> trial = Optional.empty();

    Lightest(int maxWeight) {
      this.maxWeight = maxWeight;
    }

    synchronized void add(int weight, long number) {
      Trial found = new Trial(weight, number);
      if (trial.filter(known -> known.compareTo(found) <= 0).isEmpty()) {
        trial = Optional.of(found);
        maxWeight = weight;
      }
    }
  }

  /** The trials of a walk. */
  private final class Walk implements PartTable.Sink {

    private final InformationSetWalk walk;
    private final PartTable rows;
    private final long[][] bases = new long[MAX_DEPTH][];
    private final Lightest lightest;
    private long trial;
    private int ones;

    Walk(LabelledWords redundancy, long seed, long number, Lightest lightest) {
      this.walk = new InformationSetWalk(redundancy, seed, number);
      this.rows = new PartTable(walk.parts(), redundancy.wordLongs(), redundancy.labelBits() > 0);
      this.lightest = lightest;
      this.trial = number * InformationSetWalk.TRIALS;
      for (int level = 0; level < MAX_DEPTH; level++) {
        bases[level] = new long[rows.parts().length];
      }
    }

    void run(int depth) {
      for (int i = 0; i < InformationSetWalk.TRIALS; i++) {
        walk.next();
        for (ones = 1; ones <= Math.min(depth, rows.rows()); ones++) {
          search(ones, 0, rows.rows());
        }
        trial++;
      }
    }

    /** Tries the base of a level plus all sums of a number of rows before an end. */
    private void search(int more, int level, int end) {
      long[] base = bases[level];
      if (more == 1) {
        rows.scan(kernel, 0, end, base, this);
        return;
      }
      for (int row = more - 1; row < end; row++) {
        System.arraycopy(base, 0, bases[level + 1], 0, base.length);
        rows.addTo(row, bases[level + 1]);
        search(more - 1, level + 1, row);
      }
    }

    @Override
    public int maxWeight() {
      return lightest.maxWeight - ones;
    }

    @Override
    public void accept(int row, int weight) {
      lightest.add(weight + ones, trial);
    }
  }
}

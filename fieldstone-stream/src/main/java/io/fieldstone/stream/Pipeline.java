package io.fieldstone.stream;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stages that several threads run at the same time, each on a slot of its own. A thread takes its
 * slot through all stages, then again with the next contents. So a slow stage leaves no processor
 * idle, and contents that fit into a processor's cache stay there.
 *
 * <p>A stage in order runs on one slot at a time, in the order in which the first stage filled
 * them. So stages in order overlap. Other stages run on any number of slots. The first stage is in
 * order, and ends the work by {@link Stage#END}.
 *
 * {@snippet :
 * List<StageProfile> profiles =
 *     new Pipeline<Batch, IOException>("copy", slots)
 *         .inOrder("read", batch -> batch.read(stream))
 *         .anyOrder("write", batch -> batch.writeAt(target))
 *         .run();
 * }
 *
 * <p>The slots bound the memory and the threads. After a failure no stage starts; {@link #run}
 * throws the first one. Stages are not interrupted then, since this would close the files that they
 * read. An interruption of the caller interrupts them. After {@code run} returns or throws, no
 * stage is running.
 *
 * <p>A pipeline is built and run by one thread, once.
 *
 * @param <S> the contents of slots; the caller owns them, and may free them after {@code run}
 * @param <X> the exceptions of stages
 */
public final class Pipeline<S, X extends Exception> {

  private final String name;
  private final List<S> slots;
  private final List<Step> steps = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private PhaseListener listener = PhaseListener.NONE;

  /** Guarded by the lock of the first stage. */
  private boolean isEnded;

  /**
   * Creates a pipeline without stages.
   *
   * @param name a word for the names of the threads
   * @param slots at least one; each has a thread, or is unused if the system refuses that thread
   */
  public Pipeline(String name, List<? extends S> slots) {
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("a pipeline needs at least 1 slot, not 0");
    }
    this.name = name;
    this.slots = List.copyOf(slots);
  }

  /**
   * Adds a stage that runs on one slot at a time, in the order of the first stage.
   *
   * @param stage a word for its profile; stages of the same name are counted together
   */
  public Pipeline<S, X> inOrder(String stage, Stage<? super S, ? extends X> work) {
    return add(stage, work, Order.ALL);
  }

  /**
   * Adds a stage that runs on several slots at the same time.
   *
   * @param stage a word for its profile; stages of the same name are counted together
   * @throws IllegalStateException if it would be the first stage
   */
  public Pipeline<S, X> anyOrder(String stage, Stage<? super S, ? extends X> work) {
    return add(stage, work, Order.NONE);
  }

  /**
   * Adds a stage that runs on several slots at the same time, once the slot that was filled first
   * has passed the stages before it.
   *
   * @param stage a word for its profile; stages of the same name are counted together
   * @throws IllegalStateException if it would be the first stage
   */
  public Pipeline<S, X> afterFirst(String stage, Stage<? super S, ? extends X> work) {
    return add(stage, work, Order.FIRST);
  }

  /**
   * Adds a stage that runs in order only if a condition holds.
   *
   * @see #inOrder
   * @see #anyOrder
   */
  public Pipeline<S, X> inOrderIf(
      boolean isInOrder, String stage, Stage<? super S, ? extends X> work) {
    return isInOrder ? inOrder(stage, work) : anyOrder(stage, work);
  }

  private Pipeline<S, X> add(String stage, Stage<? super S, ? extends X> work, Order order) {
    if (steps.isEmpty() && order != Order.ALL) {
      throw new IllegalStateException("the first stage, '%s', must be in order".formatted(stage));
    }
    steps.add(new Step(stage, work, order));
    return this;
  }

  /**
   * Sets the listener that receives the work of each stage on each slot as a phase. Its track is
   * the name of the thread, its name that of the stage.
   */
  public Pipeline<S, X> withPhaseListener(PhaseListener phases) {
    listener = phases;
    return this;
  }

  /**
   * Runs until the first stage has ended and every slot has passed the last.
   *
   * @return a profile for each name of a stage, in order; times are sums over the threads
   * @throws X the first failure of a stage
   * @throws InterruptedException if the calling thread is interrupted; the stages have then stopped
   */
  public List<StageProfile> run() throws X, InterruptedException {
    if (steps.isEmpty()) {
      throw new IllegalStateException("a pipeline needs at least 1 stage, not 0");
    }
    List<Thread> threads = new ArrayList<>();
    for (S slot : slots) {
      String thread = "fieldstone-%s-%d".formatted(name, threads.size());
      threads.add(Thread.ofPlatform().daemon().name(thread).unstarted(() -> repeat(slot)));
    }
    Threads.start(threads);
    boolean interrupted =
        Threads.join(
            threads,
            () -> {
              // No wake(): a stage that works holds its lock until it is interrupted.
              failure.compareAndSet(null, new InterruptedException());
              threads.forEach(Thread::interrupt);
            });
    rethrow(failure.get(), interrupted);
    return profile();
  }

  private void repeat(S slot) {
    try {
      while (pass(slot)) {}
    } catch (Throwable e) {
      stop(e);
    }
  }

  /** Lets no further stage start; only the first cause counts. */
  private void stop(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      steps.forEach(Step::wake);
    }
  }

  private boolean isStopped() {
    return failure.get() != null;
  }

  /** Takes a slot through all stages; returns false at the end, or after a failure. */
  private boolean pass(S slot) throws X, InterruptedException {
    long number = steps.getFirst().fill(slot);
    if (number == Stage.END) {
      return false;
    }
    for (Step step : steps.subList(1, steps.size())) {
      if (!step.pass(slot, number)) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private void rethrow(@Nullable Throwable cause, boolean interrupted)
      throws X, InterruptedException {
    if (interrupted) {
      throw new InterruptedException("the work was interrupted");
    }
    if (cause == null) {
      return;
    }
    switch (cause) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case InterruptedException e -> throw e;
      // X is the only checked exception of a stage.
      default -> throw (X) cause;
    }
  }

  private List<StageProfile> profile() {
    Map<String, StageProfile> byName = new LinkedHashMap<>();
    steps.forEach(step -> byName.merge(step.name, step.profile(), Pipeline::together));
    return List.copyOf(byName.values());
  }

  /** Returns the profile of two stages that work on the same items. */
  private static StageProfile together(StageProfile one, StageProfile other) {
    return new StageProfile(
        one.name(),
        one.busyNs() + other.busyNs(),
        Math.max(one.items(), other.items()),
        Math.max(one.bytes(), other.bytes()));
  }

  /** The slots that a stage waits for. */
  private enum Order {
    /** The slots that were filled before. */
    ALL,
    /** The slot that was filled first. */
    FIRST,
    NONE
  }

  private final class Step {
    private final String name;
    private final Stage<? super S, ? extends X> stage;
    private final Order order;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition next = lock.newCondition();

    /** The number of slots that need not be waited for any more; guarded by the lock. */
    private long turn;

    private final LongAdder busyNs = new LongAdder();
    private final LongAdder items = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    Step(String name, Stage<? super S, ? extends X> stage, Order order) {
      this.name = name;
      this.stage = stage;
      this.order = order;
    }

    StageProfile profile() {
      return new StageProfile(name, busyNs.sum(), items.sum(), bytes.sum());
    }

    /** As the first stage, fills a slot; returns its number, or {@link Stage#END}. */
    long fill(S slot) throws X, InterruptedException {
      lock.lockInterruptibly();
      try {
        if (!isEnded && !isStopped()) {
          isEnded = work(slot) == Stage.END;
        }
        return isEnded || isStopped() ? Stage.END : turn++;
      } finally {
        lock.unlock();
      }
    }

    /** Works on the slot with this number in its turn; returns false after a failure. */
    boolean pass(S slot, long number) throws X, InterruptedException {
      switch (order) {
        case ALL -> {
          lock.lockInterruptibly();
          try {
            if (await(number)) {
              work(slot);
              advance();
            }
          } finally {
            lock.unlock();
          }
        }
        case FIRST -> {
          lock.lockInterruptibly();
          try {
            if (number == 0) {
              advance();
            } else {
              await(1);
            }
          } finally {
            lock.unlock();
          }
          workUnlessStopped(slot);
        }
        case NONE -> workUnlessStopped(slot);
      }
      return !isStopped();
    }

    /** Waits until the turn is at least a number; returns false after a failure. */
    private boolean await(long number) throws InterruptedException {
      while (turn < number && !isStopped()) {
        next.await();
      }
      return !isStopped();
    }

    private void advance() {
      turn++;
      next.signalAll();
    }

    /** Lets those that wait see the failure. */
    void wake() {
      lock.lock();
      try {
        next.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void workUnlessStopped(S slot) throws X, InterruptedException {
      if (!isStopped()) {
        work(slot);
      }
    }

    private long work(S slot) throws X, InterruptedException {
      long start = System.nanoTime();
      long worked = stage.run(slot);
      long end = System.nanoTime();
      busyNs.add(end - start);
      if (worked != Stage.END) {
        items.increment();
        bytes.add(worked);
        listener.onPhase(new Phase(Thread.currentThread().getName(), name, start, end, worked));
      }
      return worked;
    }
  }
}

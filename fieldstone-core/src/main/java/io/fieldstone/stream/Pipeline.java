package io.fieldstone.stream;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stages that overlap: each has its own thread, and a few reusable slots go round through all of
 * them in order, so that one batch is read while the one before is computed and the one before that
 * is written. The first stage fills slots until it returns {@link Stage#END}.
 *
 * <p>The slots bound the memory, and whoever is slowest holds the others back. The first failure
 * stops every stage and is what {@link #run} throws. When {@code run} has returned, in whatever
 * way, no stage is running.
 *
 * <p>A pipeline is built and run by one thread, once.
 *
 * @param <S> what slots hold; they belong to the caller, who may free them after {@code run}
 * @param <X> what stages throw
 */
public final class Pipeline<S, X extends Exception> {

  private final List<S> slots;
  private final List<Worker> workers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private PhaseListener listener = PhaseListener.NONE;

  /**
   * A pipeline without stages yet.
   *
   * @param slots at least one; as many as stages keeps all of them busy
   */
  public Pipeline(List<? extends S> slots) {
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("a pipeline of 0 slots does not move");
    }
    this.slots = List.copyOf(slots);
  }

  /**
   * Adds a stage after those already there.
   *
   * @param name what it does in a word, for its thread and its profile
   */
  public Pipeline<S, X> stage(String name, Stage<? super S, ? extends X> stage) {
    workers.add(new Worker(name, stage, workers.isEmpty()));
    return this;
  }

  /**
   * Tells somebody of every slot that a stage has worked on, as a phase of the stage's name at a
   * place of the same name.
   */
  public Pipeline<S, X> telling(PhaseListener phases) {
    listener = phases;
    return this;
  }

  /**
   * Runs until the first stage has ended and every slot has been through the last.
   *
   * @return a profile of each stage, in order
   * @throws X the first failure of a stage
   * @throws InterruptedException if the calling thread was interrupted; the stages were too, and
   *     have stopped
   */
  public List<StageProfile> run() throws X, InterruptedException {
    if (workers.isEmpty()) {
      throw new IllegalStateException("a pipeline of 0 stages");
    }
    connect();
    List<Thread> threads = new ArrayList<>();
    for (Worker worker : workers) {
      threads.add(Thread.ofPlatform().daemon().name("fieldstone-" + worker.name).unstarted(worker));
    }
    Runnable cancel = () -> threads.forEach(Thread::interrupt);
    workers.forEach(worker -> worker.cancel = cancel);
    threads.forEach(Thread::start);
    boolean interrupted = join(threads, cancel);
    rethrow(failure.get(), interrupted);
    return workers.stream().map(Worker::profile).toList();
  }

  /** A ring of queues, each with room for every slot: putting never waits, taking does. */
  private void connect() {
    BlockingQueue<Passage<S>> free = queue();
    slots.forEach(slot -> free.add(new Passage.Slot<>(slot)));
    BlockingQueue<Passage<S>> from = free;
    for (Worker worker : workers) {
      boolean last = worker == workers.getLast();
      worker.from = from;
      worker.to = last ? free : queue();
      worker.announcesEnd = !last;
      from = worker.to;
    }
  }

  private BlockingQueue<Passage<S>> queue() {
    return new ArrayBlockingQueue<>(slots.size() + 1);
  }

  /** Waits for every thread; an interruption is passed on to them once and remembered. */
  private static boolean join(List<Thread> threads, Runnable cancel) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          cancel.run();
        }
      }
    }
    return interrupted;
  }

  @SuppressWarnings("unchecked")
  private void rethrow(@Nullable Throwable cause, boolean interrupted)
      throws X, InterruptedException {
    if (interrupted) {
      throw new InterruptedException("the pipeline was interrupted");
    }
    switch (cause) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case InterruptedException e -> throw e;
      // A stage can throw nothing else that is checked.
      default -> throw (X) cause;
    }
  }

  /** What travels through the queues: a slot, or the news that no more will come. */
  private sealed interface Passage<S> {
    record Slot<S>(S slot) implements Passage<S> {}

    record End<S>() implements Passage<S> {}
  }

  private final class Worker implements Runnable {
    private final String name;
    private final Stage<? super S, ? extends X> stage;
    private final boolean first;
    private BlockingQueue<Passage<S>> from = queue();
    private BlockingQueue<Passage<S>> to = queue();
    private boolean announcesEnd;
    private Runnable cancel = () -> {};
    private long busyNs;
    private long items;
    private long bytes;

    Worker(String name, Stage<? super S, ? extends X> stage, boolean first) {
      this.name = name;
      this.stage = stage;
      this.first = first;
    }

    StageProfile profile() {
      return new StageProfile(name, busyNs, items, bytes);
    }

    @Override
    public void run() {
      try {
        while (from.take() instanceof Passage.Slot<S> passage && work(passage.slot())) {
          to.put(passage);
        }
        if (announcesEnd) {
          to.put(new Passage.End<>());
        }
      } catch (Throwable e) {
        // Only the first failure counts: the others follow from the cancellation.
        if (failure.compareAndSet(null, e)) {
          cancel.run();
        }
      }
    }

    /** Whether the slot has something in it for the next stage. */
    private boolean work(S slot) throws X, InterruptedException {
      long start = System.nanoTime();
      long worked = stage.run(slot);
      long end = System.nanoTime();
      busyNs += end - start;
      if (first && worked == Stage.END) {
        return false;
      }
      items++;
      bytes += worked;
      listener.spent(new Phase(name, name, start, end, worked));
      return true;
    }
  }
}

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
 * A pipeline of overlapping stages. Each stage has its own thread, and a few reusable slots pass
 * through all stages in order. So one batch is read while the previous one is computed and the one
 * before it is written. The first stage fills slots until it returns {@link Stage#END}.
 *
 * {@snippet :
 * List<StageProfile> profiles =
 *     new Pipeline<Batch, IOException>(slots)
 *         .stage("read", batch -> batch.read(source))
 *         .stage("write", batch -> batch.write(target))
 *         .run();
 * }
 *
 * <p>The slots bound the memory, and the slowest stage determines the speed. The first failure
 * stops every stage and is thrown by {@link #run}. After {@code run} returns or throws, no stage is
 * running.
 *
 * <p>A pipeline is built and run by one thread, once.
 *
 * @param <S> the contents of slots; the caller owns them, and may free them after {@code run}
 * @param <X> the exceptions of stages
 */
public final class Pipeline<S, X extends Exception> {

  private final List<S> slots;
  private final List<Worker> workers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private PhaseListener listener = PhaseListener.NONE;

  /**
   * Creates a pipeline without stages.
   *
   * @param slots at least one; one slot per stage keeps all stages busy
   */
  public Pipeline(List<? extends S> slots) {
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("a pipeline needs at least 1 slot, not 0");
    }
    this.slots = List.copyOf(slots);
  }

  /**
   * Adds a stage after the existing ones.
   *
   * @param name a word for its thread and its profile
   */
  public Pipeline<S, X> stage(String name, Stage<? super S, ? extends X> stage) {
    workers.add(new Worker(name, stage, workers.isEmpty()));
    return this;
  }

  /**
   * Sets the listener that receives the work of each stage on each slot as a phase. The name of the
   * stage is both the name and the track of its phases.
   */
  public Pipeline<S, X> withPhaseListener(PhaseListener phases) {
    listener = phases;
    return this;
  }

  /**
   * Runs until the first stage has ended and every slot has passed the last.
   *
   * @return a profile of each stage, in order
   * @throws X the first failure of a stage
   * @throws InterruptedException if the calling thread is interrupted; the stages have then stopped
   */
  public List<StageProfile> run() throws X, InterruptedException {
    if (workers.isEmpty()) {
      throw new IllegalStateException("a pipeline needs at least 1 stage, not 0");
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

  /**
   * Connects the stages by a ring of queues, each with room for every slot, so that only taking
   * waits.
   */
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

  /** Waits for every thread; the first interruption cancels them and is remembered. */
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
      // X is the only checked exception of a stage.
      default -> throw (X) cause;
    }
  }

  /** An element of the queues: a slot, or the end. */
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

    /** Runs the stage on a slot; returns true if the slot has contents for the next stage. */
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
      listener.onPhase(new Phase(name, name, start, end, worked));
      return true;
    }
  }
}

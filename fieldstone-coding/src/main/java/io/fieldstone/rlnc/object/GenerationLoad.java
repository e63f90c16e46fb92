package io.fieldstone.rlnc.object;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads one generation into a {@link GenerationCache}. {@link #run} may be called on any thread,
 * once; then {@link #finish} is called on the thread of the cache.
 */
public final class GenerationLoad implements Runnable {

  private enum State {
    WAITING,
    RUNNING,
    DONE
  }

  private final CachedGeneration generation;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private volatile @Nullable Exception failure;

  GenerationLoad(CachedGeneration generation) {
    this.generation = generation;
  }

  /** Reads the generation. Does nothing if the cache was closed before. */
  @Override
  public void run() {
    if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
      return;
    }
    try {
      generation.object().source().read(generation.generation(), generation.source());
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (Error e) {
      failure = new IOException("generation " + generation() + " cannot be read: " + e, e);
    } finally {
      state.set(State.DONE);
    }
  }

  /**
   * Gives the generation to its cache, whose thread calls this. If the read has failed, each sender
   * that wants the generation throws the exception once, and the next of them to try again begins a
   * new load. Does nothing the second time.
   *
   * @throws IllegalStateException if the load has not run
   */
  public void finish() {
    if (!isDone()) {
      throw new IllegalStateException(
          "the load of generation %d has not run".formatted(generation()));
    }
    generation.cache().finish(this);
  }

  /** Returns the object. */
  public SourceObject object() {
    return generation.object();
  }

  /** Returns the number of the generation. */
  public int generation() {
    return generation.generation();
  }

  /** Returns the bytes of the generation. */
  public long bytes() {
    return generation.shape().bytes();
  }

  /** Returns true if the load has run and the generation was read. */
  public boolean hasSucceeded() {
    return isDone() && failure == null;
  }

  CachedGeneration cached() {
    return generation;
  }

  /** Returns true if nothing reads, or will read. */
  boolean isDone() {
    return state.get() == State.DONE;
  }

  /** Prevents the read, unless it has begun. */
  void cancel() {
    state.compareAndSet(State.WAITING, State.DONE);
  }

  /** Returns the exception of the read; null if there is none. */
  @Nullable Exception failure() {
    return failure;
  }
}

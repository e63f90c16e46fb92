package io.fieldstone.rlnc.object;

import io.fieldstone.engine.coding.Scratch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The scratch memory of threads that decode, recode or compare blocks. There are as many as work at
 * a time, and not one for each generation. Thread-safe.
 */
final class Workspaces implements AutoCloseable {

  private final Queue<Workspace> idle = new ConcurrentLinkedQueue<>();

  /** The scratch memory of one thread: coefficients, and products of them with blocks. */
  record Workspace(Scratch combinations, Scratch products) {}

  /** Runs work with scratch memory that no other thread uses meanwhile. */
  void run(Consumer<Workspace> work) {
    Workspace taken = idle.poll();
    Workspace own = taken != null ? taken : new Workspace(new Scratch(), new Scratch());
    try {
      work.accept(own);
    } finally {
      idle.add(own);
    }
  }

  /** Frees the memory, while no work runs. */
  @Override
  public void close() {
    for (Workspace each = idle.poll(); each != null; each = idle.poll()) {
      each.combinations().close();
      each.products().close();
    }
  }
}

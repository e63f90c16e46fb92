package io.fieldstone.rlnc.object;

import io.fieldstone.engine.coding.Scratch;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The scratch memory of threads that decode, recode or compare blocks. There are as many as work at
 * a time, and not one for each generation. Thread-safe.
 */
final class Workspaces implements AutoCloseable {

  private final ArrayDeque<Workspace> idle = new ArrayDeque<>();

  /** The scratch memory of one thread: coefficients, and products of them with blocks. */
  record Workspace(Scratch combinations, Scratch products) {}

  /** Runs work with scratch memory that no other thread uses meanwhile. */
  void run(Consumer<Workspace> work) {
    Workspace own = take();
    try {
      work.accept(own);
    } finally {
      giveBack(own);
    }
  }

  private synchronized Workspace take() {
    Workspace taken = idle.pollLast();
    return taken != null ? taken : new Workspace(new Scratch(), new Scratch());
  }

  private synchronized void giveBack(Workspace own) {
    idle.addLast(own);
  }

  /** Frees the memory, while no work runs. */
  @Override
  public synchronized void close() {
    for (Workspace each = idle.poll(); each != null; each = idle.poll()) {
      each.combinations().close();
      each.products().close();
    }
  }
}

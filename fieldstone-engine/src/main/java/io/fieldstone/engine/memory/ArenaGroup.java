package io.fieldstone.engine.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The arenas of an engine, of which it frees those that were left open when it closes.
 *
 * <p>Thread-safe. It keeps no arena that nothing else refers to.
 */
public final class ArenaGroup implements AutoCloseable {

  private final Set<CountedArena.Calls> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /** Opens an arena of this group, which is closed already if the group is. */
  public CountedArena open() {
    CountedArena.Calls calls = new CountedArena.Calls(open::remove);
    CountedArena arena = new CountedArena(calls);
    open.add(calls);
    if (isClosed) {
      calls.abandon();
    }
    return arena;
  }

  /** Returns the number of arenas that are not closed. */
  int size() {
    return open.size();
  }

  /** Frees the memory of all arenas, at the end of the calls that use it. Idempotent. */
  @Override
  public void close() {
    isClosed = true;
    open.forEach(CountedArena.Calls::abandon);
  }
}

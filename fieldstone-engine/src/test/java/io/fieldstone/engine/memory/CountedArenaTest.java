package io.fieldstone.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CountedArenaTest {

  @Test
  void closesWhenTheLastCallHasReleasedIt() {
    CountedArena arena = new CountedArena();
    MemorySegment memory = arena.allocate(8, 64);
    assertThat(memory.address() % 64).isZero();
    CountedArena.Calls calls = CountedArena.of(memory.asSlice(4).scope()).orElseThrow();
    calls.acquire();
    calls.acquire();
    calls.release();
    assertThatIllegalStateException().isThrownBy(arena::close).withMessageContaining("uses");
    assertThat(memory.scope().isAlive()).isTrue();
    calls.release();
    arena.close();
    assertThat(memory.scope().isAlive()).isFalse();
    assertThat(CountedArena.of(memory.scope())).isEmpty();
  }

  @Test
  void aClosedArenaIsRefused() {
    CountedArena arena = new CountedArena();
    CountedArena.Calls calls = CountedArena.of(arena.allocate(1).scope()).orElseThrow();
    arena.close();
    assertThatIllegalStateException().isThrownBy(calls::acquire).withMessage("Already closed");
    assertThatIllegalStateException().isThrownBy(arena::close).withMessage("Already closed");
  }

  @Test
  void anArenaThatCouldNotAllocateNeedsNoClose() {
    CountedArena arena = new CountedArena();
    assertThatIllegalArgumentException().isThrownBy(() -> arena.allocate(-1, 1));
    assertThat(CountedArena.of(arena.scope())).isEmpty();
    arena.close();
  }

  @Test
  void countsCallsThatUseMappedPages() {
    try (CountedArena arena = new CountedArena()) {
      MemorySegment pages = FreshPages.allocate(8 << 20, 64, arena);
      assertThat(CountedArena.of(pages.scope())).isPresent();
    }
  }

  @Test
  void anArenaIsFreedWhenNothingRefersToIt() {
    Scope forgotten = scopeOf(new CountedArena());
    Scope kept = scopeOf(CountedArena.untilClosed());
    awaitFreed(forgotten);
    assertThat(kept.isAlive()).isTrue();
  }

  @Test
  void aCallEndsBeforeForgottenMemoryIsFreed() {
    Scope called = scopeOf(new CountedArena());
    CountedArena.Calls calls = CountedArena.of(called).orElseThrow();
    calls.acquire();
    awaitFreed(scopeOf(new CountedArena()));
    assertThat(called.isAlive()).isTrue();
    calls.release();
    awaitFreed(called);
  }

  @Test
  void aGroupFreesWhatIsOpenWhenItCloses() {
    ArenaGroup group = new ArenaGroup();
    CountedArena idle = group.open();
    CountedArena called = group.open();
    CountedArena closed = group.open();
    Scope scope = scopeOf(called);
    CountedArena.Calls calls = CountedArena.of(scope).orElseThrow();
    calls.acquire();
    closed.close();
    assertThat(group.size()).isEqualTo(2);
    group.close();
    assertThat(idle.scope().isAlive()).isFalse();
    assertThat(scope.isAlive()).isTrue();
    calls.release();
    assertThat(scope.isAlive()).isFalse();
    assertThat(group.size()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> group.open().allocate(1));
  }

  @Test
  void aGroupKeepsNoArena() {
    ArenaGroup group = new ArenaGroup();
    Scope scope = scopeOf(group.open());
    await(() -> group.size() == 0);
    assertThat(scope.isAlive()).isFalse();
  }

  /** Returns the scope of an arena with memory, which refers to the memory only. */
  private static Scope scopeOf(CountedArena arena) {
    return arena.allocate(1000).scope();
  }

  private static void awaitFreed(Scope scope) {
    await(() -> CountedArena.of(scope).isEmpty());
    assertThat(scope.isAlive()).isFalse();
  }

  private static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("nanoseconds waited").isLessThan(60_000_000_000L);
      System.gc();
      LockSupport.parkNanos(100_000_000);
    }
  }
}

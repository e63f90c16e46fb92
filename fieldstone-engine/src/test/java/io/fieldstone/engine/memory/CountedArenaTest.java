package io.fieldstone.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class CountedArenaTest {

  @Test
  void closesWhenTheLastCallHasReleasedIt() {
    CountedArena arena = new CountedArena();
    MemorySegment memory = arena.allocate(8, 64);
    assertThat(memory.address() % 64).isZero();
    assertThat(CountedArena.of(memory.asSlice(4).scope())).containsSame(arena);
    arena.acquire();
    arena.acquire();
    arena.release();
    assertThatIllegalStateException().isThrownBy(arena::close).withMessageContaining("uses");
    assertThat(memory.scope().isAlive()).isTrue();
    arena.release();
    arena.close();
    assertThat(memory.scope().isAlive()).isFalse();
    assertThat(CountedArena.of(memory.scope())).isEmpty();
  }

  @Test
  void aClosedArenaIsRefused() {
    CountedArena arena = new CountedArena();
    arena.close();
    assertThatIllegalStateException().isThrownBy(arena::acquire).withMessage("Already closed");
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
      assertThat(CountedArena.of(pages.scope())).containsSame(arena);
    }
  }
}

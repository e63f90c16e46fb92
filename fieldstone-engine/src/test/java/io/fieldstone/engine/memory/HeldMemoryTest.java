package io.fieldstone.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldMemoryTest {

  /** Closes an arena in another thread; returns whether that was possible. */
  private static boolean closes(Arena arena) {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                arena.close();
                return true;
              } catch (IllegalStateException kept) {
                return false;
              }
            })
        .join();
  }

  /** Whether each of four arenas counts its calls. */
  @ParameterizedTest
  @ValueSource(strings = {"0000", "1111", "0110"})
  void memoryStaysOpenUntilTheWorkReturns(String counted) {
    List<Arena> arenas = new ArrayList<>();
    MemorySegment[] memory = new MemorySegment[4];
    for (int i = 0; i < memory.length; i++) {
      arenas.add(counted.charAt(i) == '1' ? new CountedArena() : Arena.ofShared());
      memory[i] = arenas.get(i).allocate(8);
    }
    boolean[] closed = new boolean[memory.length];
    HeldMemory.run(
        () -> {
          for (int i = 0; i < memory.length; i++) {
            closed[i] = closes(arenas.get(i));
          }
        },
        memory);
    assertThat(closed).containsOnly(false);
    assertThat(arenas).allMatch(HeldMemoryTest::closes);
  }

  @Test
  void aThreadKeepsItsOwnMemoryOnlyIfTheWorkCallsBack() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(8);
      HeldMemory.run(() -> assertThatIllegalStateException().isThrownBy(arena::close), memory);
      boolean[] ran = new boolean[1];
      HeldMemory.runWithoutCallbacks(
          () -> {
            HeldMemory.requireHeld(memory);
            ran[0] = true;
          },
          memory);
      assertThat(ran[0]).isTrue();
    }
  }

  @Test
  void otherThreadsCanCloseOnlySharedMemoryThatIsNotHeld() {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      MemorySegment memory = shared.allocate(8);
      assertThat(HeldMemory.canBeClosedByOthers(memory)).isTrue();
      assertThat(HeldMemory.canBeClosedByOthers(confined.allocate(8))).isFalse();
      assertThat(HeldMemory.canBeClosedByOthers(Arena.global().allocate(8))).isFalse();
      assertThat(HeldMemory.canBeClosedByOthers(Arena.ofAuto().allocate(8))).isFalse();
      assertThat(HeldMemory.canBeClosedByOthers(MemorySegment.ofArray(new byte[8]))).isFalse();
      boolean[] held = new boolean[1];
      HeldMemory.run(() -> held[0] = !HeldMemory.canBeClosedByOthers(memory), memory);
      assertThat(held[0]).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void exceptionsOfTheWorkPassAndReleaseTheMemory(boolean isCounted) {
    Arena arena = isCounted ? new CountedArena() : Arena.ofShared();
    MemorySegment memory = arena.allocate(8);
    for (Throwable thrown : List.of(new ArithmeticException("x"), new AssertionError("y"))) {
      assertThatThrownBy(() ->
              HeldMemory.run(
                  () -> {
                    if (thrown instanceof Error error) {
                      throw error;
                    }
                    throw (RuntimeException) thrown;
                  },
                  memory))
          .isSameAs(thrown);
    }
    assertThatIllegalStateException().isThrownBy(() -> HeldMemory.unconfined(memory));
    assertThat(closes(arena)).isTrue();
  }

  @Test
  void anAddressIsOnlyForMemoryThatTheCallKeepsOpen() {
    try (Arena arena = Arena.ofShared();
        Arena other = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(8).asReadOnly();
      MemorySegment forgotten = other.allocate(8);
      HeldMemory.run(
          () -> {
            MemorySegment same = HeldMemory.unconfined(memory);
            assertThat(same.address()).isEqualTo(memory.address());
            assertThat(same.byteSize()).isEqualTo(8);
            assertThat(same.isReadOnly()).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> HeldMemory.unconfined(forgotten));
            HeldMemory.run(() -> HeldMemory.requireHeld(memory), forgotten);
            assertThatIllegalStateException().isThrownBy(() -> HeldMemory.unconfined(forgotten));
          },
          memory);
    }
    HeldMemory.requireHeld(MemorySegment.ofArray(new int[1]));
    HeldMemory.requireHeld(Arena.global().allocate(8));
  }

  @Test
  void memoryThatCannotBeUsedIsRefused() {
    Arena freed = Arena.ofShared();
    MemorySegment dead = freed.allocate(8);
    freed.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> HeldMemory.run(() -> {}, dead))
        .withMessageContaining("freed");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(8);
      assertThatThrownBy(
              () -> CompletableFuture.runAsync(() -> HeldMemory.run(() -> {}, mine)).join())
          .hasCauseInstanceOf(WrongThreadException.class);
    }
    MemorySegment none = MemorySegment.NULL;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeldMemory.run(() -> {}, none, none, none, none, none))
        .withMessage("5 segments, more than 4");
  }

  /** An exception on the way through C and back would end the process. */
  @Test
  void aStackThatIsNearlyFullIsAnErrorAndNoMore() throws Exception {
    assertThat(ChildJvm.run(NearlyFullStack.class)).contains("ended well");
  }

  /** Comes to a call with any room on the stack that there can be. */
  static final class NearlyFullStack {

    private static final int DEPTHS = 2_000;

    private static int calls;

    private NearlyFullStack() {}

    /** Takes no arguments. */
    public static void main(String... arguments) throws InterruptedException {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = arena.allocate(8);
        for (int i = 0; i < 30_000; i++) {
          HeldMemory.run(() -> calls++, memory);
        }
        Thread thread = new Thread(null, () -> comeToTheEnd(memory), "deep", 256 << 10);
        thread.start();
        thread.join();
      }
      System.out.println("ended well");
    }

    private static void comeToTheEnd(MemorySegment memory) {
      int overflows = 0;
      for (int depth = 1; overflows < DEPTHS; depth++) {
        try {
          callAt(depth, memory);
        } catch (StackOverflowError e) {
          overflows++;
        }
      }
    }

    private static void callAt(int depth, MemorySegment memory) {
      if (depth == 0) {
        HeldMemory.run(() -> calls++, memory);
      } else {
        callAt(depth - 1, memory);
        calls++;
      }
    }
  }
}

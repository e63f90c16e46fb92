package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshPagesTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4095, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 9_999_999})
  void memoryIsZeroAlignedAndFreedWithItsArena(long bytes) {
    MemorySegment memory;
    try (Arena arena = Arena.ofShared()) {
      memory = FreshPages.allocate(bytes, 64, arena);
      assertThat(memory.byteSize()).isEqualTo(bytes);
      assertThat(memory.address() % 64).isZero();
      long ones = 0;
      for (long at = 0; at < bytes; at++) {
        ones |= memory.get(JAVA_BYTE, at);
      }
      assertThat(ones).isZero();
      memory.fill((byte) -1);
    }
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> memory.fill((byte) 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4096, (4 << 20) + 1})
  @EnabledOnOs(OS.LINUX)
  void largePagesAreZeroAlignedAndFreedWithTheirArena(long bytes) {
    MemorySegment memory;
    try (Arena arena = Arena.ofShared()) {
      memory = FreshPages.allocateLarge(bytes, arena).orElseThrow();
      assertThat(memory.byteSize()).isEqualTo(bytes);
      assertThat(memory.address() % (2 << 20)).isZero();
      assertThat(memory.mismatch(arena.allocate(bytes))).isEqualTo(-1);
      memory.fill((byte) -1);
    }
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> memory.fill((byte) 0));
  }

  @Test
  void releasingLeavesWhatIsAroundIt() {
    int bytes = 4 << 20;
    long from = 300_001;
    long to = 3_000_001;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = FreshPages.allocate(bytes, 64, arena);
      memory.fill((byte) 1);
      FreshPages.release(memory, from, to);
      FreshPages.release(memory, 5, 9);
      long ones = 0;
      for (long at = 0; at < bytes; at++) {
        byte value = memory.get(JAVA_BYTE, at);
        ones += value;
        assertThat(value == 1 || (at >= from && at < to)).isTrue();
      }
      if (OS.current() == OS.LINUX) {
        assertThat(ones).isBetween(bytes - (to - from), bytes - (to - from) + (128 << 10));
      }
      memory.fill((byte) 1);
    }
  }

  /** Other tests run in this process, and take less than the margin. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void onlyAccessedPagesTakeMemory() throws Exception {
    long bytes = 1L << 31;
    long before = resident();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = FreshPages.allocate(bytes, 64, arena);
      memory.set(JAVA_LONG_UNALIGNED, bytes - Long.BYTES, 7);
      assertThat(resident() - before).isLessThan(bytes / 2);
    }
  }

  /** Returns the resident bytes of this process. */
  private static long resident() throws IOException {
    List<String> pages = List.of(Files.readString(Path.of("/proc/self/statm")).split(" "));
    return Long.parseLong(pages.get(1)) * 4096;
  }
}

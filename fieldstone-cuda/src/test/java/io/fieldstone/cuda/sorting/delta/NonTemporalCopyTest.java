package io.fieldstone.cuda.sorting.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NonTemporalCopyTest {
  private static final int MOST = 5000;

  private final SplittableRandom random = new SplittableRandom(25);

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NonTemporalCopy.NAME);
  }

  @Test
  void isThereIfTheLibraryHasIt() {
    assertThat(NonTemporalCopy.find().isPresent()).isEqualTo(!levels().isEmpty());
    assertThat(NonTemporalDeltaKernel.find().isPresent()).isEqualTo(!levels().isEmpty());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void copiesBytesAtAnyAlignmentAndNoOthers(NativeLevel level) {
    NonTemporalCopy copy = new NonTemporalCopy(level);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(2 * MOST, Long.BYTES);
      MemorySegment to = arena.allocate(2 * MOST, Long.BYTES);
      for (int round = 0; round < 2000; round++) {
        random(from);
        random(to);
        int bytes = random.nextInt(round % 2 == 0 ? MOST : 300);
        int source = random.nextInt(MOST);
        int target = random.nextInt(MOST);
        MemorySegment expected = MemorySegment.ofArray(to.toArray(ValueLayout.JAVA_BYTE));
        MemorySegment.copy(from, source, expected, target, bytes);
        copy.copy(from.address() + source, to.address() + target, bytes);
        copy.fence();
        assertThat(to.mismatch(expected)).isEqualTo(-1);
      }
    }
  }

  private void random(MemorySegment memory) {
    byte[] bytes = new byte[(int) memory.byteSize()];
    random.nextBytes(bytes);
    memory.copyFrom(MemorySegment.ofArray(bytes));
  }
}

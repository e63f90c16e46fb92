package io.fieldstone.bench.radix;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks more records than one task has. */
class SortedCheckTest {

  private static final int COUNT = 600_000;
  private static final int BLOCK = 1 << 18;

  private final int[] keys = IntStream.range(0, COUNT).toArray();
  private final SortedCheck check =
      new SortedCheck(RecordFormat.of(KeyType.I32), MemorySegment.ofArray(keys.clone()));

  @Test
  void theSameInOrderPasses() {
    assertThatCode(() -> check.require("it", MemorySegment.ofArray(keys)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, COUNT - 1})
  void findsRecordsOutOfOrder(int at) {
    int other = keys[at - 1];
    keys[at - 1] = keys[at];
    keys[at] = other;
    assertThatThrownBy(() -> check.require("it", MemorySegment.ofArray(keys)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leaves record " + at + " out of order");
  }

  @Test
  void findsDifferentRecords() {
    keys[BLOCK] = BLOCK + 1;
    assertThatThrownBy(() -> check.require("it", MemorySegment.ofArray(keys)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has changed some");
  }
}

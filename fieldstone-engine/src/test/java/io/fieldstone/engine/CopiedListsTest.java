package io.fieldstone.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Tests that lists of offsets and lengths are copied, so that callers cannot change them. */
final class CopiedListsTest {

  @Test
  void aCopyOfExtentsKeepsThem() {
    long[] offsets = {3, 0, 8};
    long[] lengths = {1, 2, 4};
    Extents copy = Extents.listed(offsets, lengths).copy();
    offsets[1] = Long.MAX_VALUE;
    lengths[2] = -1;
    assertEquals(3, copy.count());
    assertEquals(0, copy.offset(1));
    assertEquals(4, copy.length(2));
    assertEquals(7, copy.totalLength());
    Extents equal = new Extents.Equal(3, 1, 5, 2);
    assertEquals(equal, equal.copy());
  }

  @Test
  void anOrderIsCheckedAsItIsCopied() {
    try (Engine engine = Engine.open("cpu");
        ResidentBlocks rights = engine.allocate(Gf256.DEFAULT, 1, 2, 4)) {
      ByteMatrices lower =
          ByteMatrices.packed(MemorySegment.ofArray(new byte[] {1, 0, 5, 2}), 1, 2, 2);
      ByteMatrices solutions = ByteMatrices.packed(MemorySegment.ofArray(new byte[8]), 1, 2, 4);
      int[] order = {1, 0};
      int[] rows = TriangularSystems.requireSolvable(lower, rights, 0, order, solutions);
      order[0] = 1 << 20;
      assertArrayEquals(new int[] {1, 0}, rows);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> TriangularSystems.requireSolvable(lower, rights, 0, order, solutions));
    }
  }

  @Test
  void aFieldOfStarsKeepsItsCoordinates() {
    double[] xs = {0, 1};
    double[] ys = {0, 0};
    StarField field = new StarField(xs, ys, 2, StarRule.CIRCUMCIRCLE);
    xs[1] = 100;
    assertEquals(1, field.xs()[1]);
  }
}

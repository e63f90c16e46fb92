package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MemoryPiecesTest {

  private static final int PIECES = 1000;

  @AutoClose private final Engine engine = Engine.open("cpu:scalar");

  private static List<MemorySegment> take(MemoryPieces pieces, int count) {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(pieces.take());
    }
    return taken;
  }

  private static int allocations(List<MemorySegment> pieces) {
    Set<Scope> scopes = new HashSet<>();
    pieces.forEach(piece -> scopes.add(piece.scope()));
    return scopes.size();
  }

  /** Freeing an allocation costs a stop of all threads. */
  @Test
  void manyPiecesShareFewAllocations() {
    try (MemoryPieces pieces = new MemoryPieces(engine, 80, PIECES)) {
      assertThat(allocations(take(pieces, PIECES))).isLessThanOrEqualTo(11);
      assertThat(pieces.bytes()).isEqualTo(80 * PIECES);
    }
  }

  @Test
  void anAllocationIsBounded() {
    int half = 1 << 19;
    try (MemoryPieces pieces = new MemoryPieces(engine, half, PIECES)) {
      assertThat(allocations(take(pieces, 10))).isEqualTo(6);
    }
    try (MemoryPieces pieces = new MemoryPieces(engine, 3 * half, PIECES)) {
      assertThat(allocations(take(pieces, 4))).isEqualTo(4);
    }
  }

  @Test
  void piecesBeyondThoseExpectedAreAllocatedOneByOne() {
    try (MemoryPieces pieces = new MemoryPieces(engine, 80, 5)) {
      take(pieces, 6);
      assertThat(pieces.bytes()).isEqualTo(6 * 80);
    }
  }

  @Test
  void piecesAreAlignedAndDoNotOverlap() {
    try (MemoryPieces pieces = new MemoryPieces(engine, 81, PIECES)) {
      List<MemorySegment> taken = take(pieces, 100);
      for (int i = 0; i < taken.size(); i++) {
        assertThat(taken.get(i).address() % 64).isZero();
        taken.get(i).fill((byte) i);
      }
      for (int i = 0; i < taken.size(); i++) {
        assertThat(taken.get(i).toArray(ValueLayout.JAVA_BYTE)).hasSize(81).containsOnly(i);
      }
    }
  }

  @Test
  void aPieceThatWasGivenBackIsUsedAgain() {
    try (MemoryPieces pieces = new MemoryPieces(engine, 80, PIECES)) {
      MemorySegment first = pieces.take();
      MemorySegment second = pieces.take();
      pieces.giveBack(first);
      assertThat(pieces.take().address()).isEqualTo(first.address());
      assertThat(second.scope().isAlive()).isTrue();
      assertThat(pieces.bytes()).isEqualTo(2 * 80);
    }
  }
}

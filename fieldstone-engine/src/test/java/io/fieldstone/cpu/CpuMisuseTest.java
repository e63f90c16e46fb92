package io.fieldstone.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Kernels work on addresses without checks, so the ports must check. */
class CpuMisuseTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;

  @Test
  void aClosedBasisRejectsAllCalls() {
    try (Engine engine = Engine.open("cpu")) {
      Basis basis = engine.eliminations().basis(FIELD, 8);
      basis.close();
      basis.close();
      MemorySegment vector = MemorySegment.ofArray(new byte[8]);
      assertThatIllegalStateException().isThrownBy(() -> basis.add(vector));
      assertThatIllegalStateException().isThrownBy(() -> basis.isInnovative(vector));
      assertThatIllegalStateException().isThrownBy(() -> basis.isSolved(0));
      assertThatIllegalStateException().isThrownBy(() -> basis.solution(0, vector));
      assertThatIllegalStateException().isThrownBy(basis::clear);
    }
  }

  @Test
  void closedBlocksRejectAllCalls() {
    try (Engine engine = Engine.open("cpu");
        Arena arena = Arena.ofConfined()) {
      ResidentBlocks blocks = engine.allocate(FIELD, 1, 2, 64);
      blocks.close();
      blocks.close();
      ByteMatrices coefficients = ByteMatrices.of(arena.allocate(2), 1, 2);
      ByteMatrices products = ByteMatrices.of(arena.allocate(64), 1, 64);
      assertThatIllegalStateException()
          .isThrownBy(() -> blocks.multiply(0, coefficients, products));
      ByteMatrices square = ByteMatrices.of(arena.allocate(4), 2, 2);
      ByteMatrices solutions = ByteMatrices.of(arena.allocate(128), 2, 64);
      assertThatIllegalStateException().isThrownBy(() -> blocks.solve(0, square, solutions));
      assertThatIllegalStateException().isThrownBy(() -> blocks.read(0, solutions));
      assertThatIllegalStateException().isThrownBy(() -> blocks.store(0, 0, arena.allocate(64)));
    }
  }

  @Test
  void aClosedEngineRefusesProducts() {
    Engine engine = Engine.open("cpu");
    engine.close();
    engine.close();
    ByteMatrices one = ByteMatrices.of(MemorySegment.ofArray(new byte[1]), 1, 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.products().multiply(FIELD, one, one, one))
        .withMessageContaining("closed");
  }

  @Test
  void memoryThatCannotBeUsedIsRefused() {
    try (Engine engine = Engine.open("cpu");
        Arena arena = Arena.ofConfined()) {
      Arena freed = Arena.ofConfined();
      ByteMatrices dead = ByteMatrices.of(freed.allocate(1), 1, 1);
      freed.close();
      ByteMatrices mine = ByteMatrices.of(arena.allocate(1), 1, 1);
      ByteMatrices readOnly = ByteMatrices.of(arena.allocate(1).asReadOnly(), 1, 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> engine.products().multiply(FIELD, dead, mine, mine));
      assertThatIllegalStateException()
          .isThrownBy(() -> engine.products().multiply(FIELD, mine, mine, dead));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.products().multiply(FIELD, mine, mine, readOnly))
          .withMessageContaining("read-only");
      assertThatThrownBy(() ->
              CompletableFuture.runAsync(() -> engine.products().multiply(FIELD, mine, mine, mine))
                  .join())
          .hasCauseInstanceOf(WrongThreadException.class);
    }
  }

  @Test
  void shapesThatDoNotAgreeAreNamed() {
    try (Engine engine = Engine.open("cpu")) {
      MemorySegment data = MemorySegment.ofArray(new byte[100]);
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              engine
                  .products()
                  .multiply(
                      FIELD,
                      ByteMatrices.of(data, 2, 3),
                      ByteMatrices.of(data, 4, 5),
                      ByteMatrices.of(data, 2, 5)))
          .withMessageContaining("2×3")
          .withMessageContaining("4×5");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.eliminations().basis(FIELD, 0))
          .withMessageContaining("0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.eliminations().basis(FIELD, 4).add(data))
          .withMessageContaining("100");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ByteMatrices.of(data, 11, 10))
          .withMessageContaining("110 bytes");
    }
  }

  /** Measurements and the conformance suite wait for it; it must come, and must come again. */
  @Test
  void warmUpReturns() {
    try (Engine engine = Engine.open("cpu")) {
      engine.warmUp(FIELD);
      engine.warmUp(FIELD);
      assertThat(engine.description()).isNotEmpty();
    }
  }

  @Test
  void theThreadsOfAJobAreThoseOfTheEngine() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(3))) {
      assertThat(engine.threads()).isEqualTo(3);
      int alone = engine.onCallingThread(engine::threads);
      assertThat(alone).isEqualTo(1);
    }
  }
}

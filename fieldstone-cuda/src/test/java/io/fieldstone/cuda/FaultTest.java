package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.Recoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the engine on a GPU that is out of memory, fails, or is closed. */
class FaultTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int UNKNOWN = 999;
  private static final ByteMatrices ONE = ByteMatrices.of(MemorySegment.ofArray(new byte[1]), 1, 1);

  private final FakeGpu gpu = new FakeGpu();

  private boolean isLost;

  @AfterEach
  void noMemoryIsLeft() {
    // Memory of a lost GPU cannot be freed.
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "true, 3", "false, 2"})
  void anAllocationThatFailsMakesSmallerPieces(boolean pinned, int nth) {
    try (Engine engine = gpu.open("cuda:0");
        RandomProducts products = new RandomProducts(engine, pinned)) {
      ByteMatrices sources = products.matrices(40, 8, 8192, 3, 5);
      ByteMatrices target = products.matrices(40, 8, 8192, 3, 5);
      gpu.driver().fail("cuMemAlloc_v2", nth, OUT_OF_MEMORY);
      products.check(products.draws(40, 8, 8), sources, target);
      gpu.driver().fail("cuMemAlloc_v2", nth, OUT_OF_MEMORY);
      products.checkResident(products.draws(40, 8, 8), sources, target);
      ByteMatrices larger = products.matrices(40, 16, 8192, 0, 0);
      gpu.driver().fail("cuMemHostAlloc", 1, OUT_OF_MEMORY);
      products.check(products.draws(40, 16, 8), sources, larger);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2 << 20, 700_000})
  void littleMemoryIsEnough(long bytes) {
    gpu.driver().withMemory(bytes);
    try (Engine engine = gpu.open("cuda:0");
        RandomProducts products = new RandomProducts(engine, false)) {
      ByteMatrices sources = products.matrices(40, 8, 8192, 0, 0);
      products.check(products.draws(40, 8, 8), sources, products.matrices(40, 8, 8192, 0, 0));
    }
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(1 << 20);
    try (Engine engine = gpu.open("cuda:0")) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.allocate(FIELD, 100, 64, 4096))
          .withMessageContaining("engine cuda:0")
          .withMessageContaining("26214400 bytes were requested")
          .withMessageContaining("of the GPU's 1048576 bytes are free");
      engine.products().multiply(FIELD, ONE, ONE, ONE);
    }
  }

  @Test
  void memoryThatCannotBeFilledIsFreed() {
    gpu.driver().withMemory(1 << 20);
    Arena arena = Arena.ofConfined();
    MemorySegment freed = arena.allocate(64);
    arena.close();
    try (Engine engine = gpu.open("cuda:0")) {
      engine.allocate(FIELD, 1, 1, 64).close();
      List<String> before = gpu.driver().leaks();
      gpu.driver().fail("cuMemsetD8Async", 1, UNKNOWN);
      assertThatIllegalStateException().isThrownBy(() -> engine.allocate(FIELD, 1, 1, 64));
      assertThatIllegalStateException()
          .isThrownBy(() -> engine.load(FIELD, ByteMatrices.of(freed, 1, 64)));
      assertThatIllegalStateException().isThrownBy(() -> engine.loadBytes(freed));
      GenerationShape shape = new GenerationShape(FIELD, new Code.Dense(), 900, 100);
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> new Recoder(engine, shape, 0, 1))
          .withMessageContaining("900×900");
      assertThat(before).containsAll(gpu.driver().leaks());
    }
  }

  @Test
  void aFailedKernelClosesTheEngineAndIsNamed() {
    gpu.driver()
        .kernel(
            "product_loop_tile",
            112,
            (shape, struct) -> {
              throw new AssertionError("astray");
            });
    isLost = true;
    Engine engine = gpu.open("cuda:0:loop-tile");
    ResidentBlocks blocks = engine.allocate(FIELD, 1, 2, 64);
    HostMemory memory = engine.allocateHost(64);
    byte[] source = {7};
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.products().multiply(FIELD, ONE, bytes(source), ONE))
        .withMessageContaining("engine cuda:0:loop-tile was closed after")
        .withMessageContaining("1 of 1×1")
        .withMessageContaining("product_loop_tile")
        .withMessageContaining("CUDA_ERROR_LAUNCH_FAILED");
    assertThat(source).containsExactly(7);
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.products().multiply(FIELD, ONE, ONE, ONE))
        .withMessageContaining("was closed after");
    assertThatIllegalStateException()
        .isThrownBy(() -> blocks.store(0, 0, MemorySegment.ofArray(new byte[64])))
        .withMessageContaining("was closed after");
    assertThatIllegalStateException().isThrownBy(() -> engine.eliminations().basis(FIELD, 3));
    blocks.close();
    memory.close();
    engine.close();
  }

  @Test
  void aGpuThatIsLostClosesTheEngine() {
    Engine engine = gpu.open("cuda:0");
    isLost = true;
    gpu.driver().lose(0, ILLEGAL_ADDRESS);
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.allocate(FIELD, 1, 2, 64))
        .withMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.allocateHost(64))
        .withMessageContaining("was closed after");
    assertThatIllegalStateException()
        .isThrownBy(engine::requireOpen)
        .withMessageContaining("was closed after");
    engine.close();
  }

  @Test
  void anEngineKnowsThatItIsClosed() {
    Engine engine = gpu.open("cuda:0");
    engine.requireOpen();
    engine.close();
    assertThatIllegalStateException()
        .isThrownBy(engine::requireOpen)
        .withMessage("engine cuda:0 is closed");
  }

  @Test
  void memoryInUseOutlivesALostGpu() {
    Engine engine = gpu.open("cuda:0");
    HostMemory memory = engine.allocateHost(64);
    isLost = true;
    gpu.driver().lose(0, ILLEGAL_ADDRESS);
    HeldMemory.run(
        () ->
            assertThatIllegalStateException()
                .isThrownBy(() -> engine.allocate(FIELD, 1, 2, 64))
                .withMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1)),
        memory.segment());
    assertThat(memory.segment().scope().isAlive()).isTrue();
    memory.close();
    engine.close();
  }

  @Test
  void blocksOfAClosedEngineRejectAllCalls() {
    Engine engine = gpu.open("cuda:0");
    ResidentBlocks blocks = engine.allocate(FIELD, 1, 2, 64);
    blocks.store(0, 0, MemorySegment.ofArray(new byte[64]));
    engine.close();
    engine.close();
    ByteMatrices products = ByteMatrices.of(MemorySegment.ofArray(new byte[64]), 1, 64);
    assertThatIllegalStateException()
        .isThrownBy(() -> blocks.multiply(0, ByteMatrices.of(products.data(), 1, 2), products))
        .withMessageContaining("engine cuda:0 is closed");
    blocks.close();
    blocks.close();
  }

  @Test
  void closedBlocksRejectAllCalls() {
    try (Engine engine = gpu.open("cuda:0")) {
      ResidentBlocks blocks = engine.allocate(FIELD, 1, 2, 64);
      blocks.close();
      blocks.close();
      ByteMatrices products = ByteMatrices.of(MemorySegment.ofArray(new byte[64]), 1, 64);
      assertThatIllegalStateException()
          .isThrownBy(() -> blocks.multiply(0, ByteMatrices.of(products.data(), 1, 2), products));
      assertThatIllegalStateException().isThrownBy(() -> blocks.store(0, 0, products.data()));
      assertThatIllegalStateException().isThrownBy(() -> blocks.read(0, 0, products.data()));
    }
  }

  private static ByteMatrices bytes(byte[] bytes) {
    return ByteMatrices.of(MemorySegment.ofArray(bytes), 1, bytes.length);
  }
}

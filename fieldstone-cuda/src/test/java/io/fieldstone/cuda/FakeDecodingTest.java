package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes on a GPU that runs work only when a thread waits for it, and on one that fails. */
class FakeDecodingTest extends DecodingContract {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int SIZE = 20;

  private final FakeGpu gpu = FakeGpu.lazy();

  private boolean isLost;

  @Override
  Engine open(String spec) {
    return gpu.open(spec);
  }

  @AfterEach
  void noMemoryIsLeft() {
    // Memory of a lost GPU cannot be freed.
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  @Test
  void aBlockIsOneLaunchAndOneWait() {
    try (Engine engine = open("cuda:0");
        ProgressiveElimination system = engine.progressive(FIELD, SIZE, SIZE)) {
      system.add(ones(), ones());
      Map<String, Integer> before = gpu.driver().calls();
      system.add(MemorySegment.ofArray(new byte[] {1, 2}), ones());
      assertThat(callsSince(before))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("cuCtxSetCurrent", 2, "cuLaunchKernel", 1, "cuStreamSynchronize", 1));
    }
  }

  @Test
  void aFrameIsOneCopyEachWayAndOneWait() {
    try (Engine engine = open("cuda:0");
        Substitution system = engine.substitutions().open(FIELD, SIZE, SIZE)) {
      system.next(ones(), ones(), ones());
      Map<String, Integer> before = gpu.driver().calls();
      system.next(ones(), ones(), ones());
      assertThat(callsSince(before))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "cuCtxSetCurrent",
                  4,
                  "cuMemcpyHtoDAsync_v2",
                  1,
                  "cuLaunchKernel",
                  1,
                  "cuMemcpyDtoHAsync_v2",
                  1,
                  "cuStreamSynchronize",
                  1));
    }
  }

  private Map<String, Integer> callsSince(Map<String, Integer> before) {
    Map<String, Integer> since = new HashMap<>(gpu.driver().calls());
    before.forEach((name, count) -> since.merge(name, -count, Integer::sum));
    since.values().removeIf(count -> count == 0);
    return since;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuMemsetD8Async", "cuStreamSynchronize"})
  void aSystemThatFailsToOpenFreesItsMemory(String call) {
    try (Engine engine = open("cuda:0")) {
      engine.progressive(FIELD, SIZE, SIZE).close();
      int before = buffers();
      gpu.driver().fail(call, 1, INVALID_VALUE);
      assertThatIllegalStateException()
          .isThrownBy(() -> engine.progressive(FIELD, SIZE, SIZE))
          .withMessageContaining("begin to eliminate 20 blocks of 20 bytes")
          .withMessageContaining(call);
      assertThat(buffers()).isEqualTo(before);
    }
  }

  @Test
  void warmingUpFreesItsMemory() {
    try (Engine engine = open("cuda:0")) {
      engine.warmUp(FIELD);
      int before = buffers();
      engine.warmUp(FIELD);
      assertThat(buffers()).isEqualTo(before);
    }
  }

  /** Returns the number of buffers on the GPU. */
  private int buffers() {
    Map<String, Integer> calls = gpu.driver().calls();
    return calls.getOrDefault("cuMemAlloc_v2", 0) - calls.getOrDefault("cuMemFree_v2", 0);
  }

  /** An engine that closes frees the systems, frames and bytes that are still open. */
  @Test
  void theEngineFreesWhatIsLeftOpen() {
    Engine engine = open("cuda:0");
    ProgressiveElimination system = engine.progressive(FIELD, SIZE, SIZE);
    system.add(ones(), ones());
    Substitution frames = engine.substitutions().open(FIELD, SIZE, SIZE);
    frames.next(ones(), ones(), ones());
    ResidentBytes bytes = engine.allocateBytes(1000);
    engine.close();
    assertThat(gpu.driver().leaks()).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> system.add(ones(), ones()));
    system.close();
    frames.close();
    bytes.close();
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(1 << 20);
    try (Engine engine = open("cuda:0")) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.progressive(FIELD, 1000, 1000))
          .withMessageContaining("engine cuda:0")
          .withMessageContaining("begin to eliminate 1000 blocks of 1000 bytes");
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.substitutions().open(FIELD, 2000, 1000))
          .withMessageContaining("begin to solve 2000 frames of 1000 bytes");
    }
  }

  @Test
  void aBlockWhoseUploadFailsChangesNoState() {
    try (Engine engine = open("cuda:0");
        ProgressiveElimination system = engine.progressive(FIELD, SIZE, SIZE)) {
      gpu.driver().fail("cuMemHostAlloc", 1, OUT_OF_MEMORY);
      // Idle slots are closed to free memory, and the allocation is retried.
      assertThat(system.isInnovative(ones())).isTrue();
      gpu.driver().fail("cuLaunchKernel", 1, INVALID_VALUE);
      assertThatIllegalStateException().isThrownBy(() -> system.add(ones(), ones()));
      assertThat(system.rank()).isZero();
      assertThat(system.add(ones(), ones())).isTrue();
      assertThat(system.add(ones(), ones())).isFalse();
      assertThat(system.rank()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuLaunchKernel", "cuStreamSynchronize"})
  void aGpuThatIsLostClosesTheEngine(String call) {
    isLost = true;
    Engine engine = open("cuda:0");
    ProgressiveElimination system = engine.progressive(FIELD, SIZE, SIZE);
    Substitution substitution = engine.substitutions().open(FIELD, SIZE, SIZE);
    gpu.driver().loseAt(call, 1, ILLEGAL_ADDRESS);
    assertThatIllegalStateException()
        .isThrownBy(() -> system.add(ones(), ones()))
        .withMessageContaining("engine cuda:0 was closed after")
        .withMessageContaining("add a block to 0 of 20")
        .withMessageContaining("progressive_add");
    assertThat(system.rank()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> substitution.next(ones(), ones(), ones()))
        .withMessageContaining("was closed after");
    assertThat(substitution.solved()).isZero();
    system.close();
    substitution.close();
    engine.close();
  }

  @Test
  void closedSystemsRejectAllCalls() {
    try (Engine engine = open("cuda:0")) {
      ProgressiveElimination system = engine.progressive(FIELD, SIZE, SIZE);
      Substitution substitution = engine.substitutions().open(FIELD, SIZE, SIZE);
      system.close();
      system.close();
      substitution.close();
      substitution.close();
      assertThatIllegalStateException().isThrownBy(() -> system.add(ones(), ones()));
      assertThatIllegalStateException().isThrownBy(() -> system.isInnovative(ones()));
      assertThatIllegalStateException().isThrownBy(system::clear);
      assertThatIllegalStateException().isThrownBy(() -> substitution.next(ones(), ones(), ones()));
    }
  }

  private static MemorySegment ones() {
    return MemorySegment.ofArray(new byte[SIZE]).fill((byte) 1);
  }
}

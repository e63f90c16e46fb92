package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.cuda.driver.DriverStatus;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CudaProviderTest {

  @Test
  void withoutADriverOneEngineGivesTheReason() {
    CudaProvider provider = provider(new DriverStatus.Missing("no NVIDIA driver (libcuda.so.1)"));
    assertThat(provider.engines())
        .containsExactly(
            EngineStatus.missing(
                "cuda", EngineKind.GPU, "NVIDIA GPUs", "no NVIDIA driver (libcuda.so.1)"));
  }

  /** Starting the driver of a GPU takes longer than small jobs on the cores. */
  @Test
  void theDriverIsLoadedWhenEnginesAreAskedFor() {
    AtomicInteger loads = new AtomicInteger();
    CudaProvider provider =
        new CudaProvider(
            () -> {
              loads.incrementAndGet();
              return new DriverStatus.Missing("no driver");
            },
            (context, _) -> context.load(MemorySegment.ofArray(new byte[1])));

    assertThat(provider.preference()).isPositive();
    assertThat(loads).hasValue(0);
    assertThat(provider.engines()).hasSize(1);
    assertThat(loads).hasValue(1);
  }

  @Test
  void aDriverWithoutGpusGivesTheReason() {
    try (FakeDriver driver = new FakeDriver(0)) {
      List<EngineStatus> engines = provider(driver.status()).engines();
      assertThat(engines).hasSize(1);
      assertThat(engines.getFirst().missing())
          .hasValueSatisfying(why -> assertThat(why).contains("GPU"));
    }
  }

  @Test
  void namedKernelsAreForMeasurement() {
    try (FakeDriver driver = new FakeDriver(2)) {
      assertThat(provider(driver.status()).engines())
          .filteredOn(engine -> !engine.isForMeasurement())
          .extracting(EngineStatus::spec)
          .containsExactly("cuda:0", "cuda:1");
    }
  }

  @Test
  void eachGpuIsListedWithEachKernel() {
    try (FakeDriver driver = new FakeDriver(2)) {
      List<EngineStatus> engines = provider(driver.status()).engines();
      assertThat(engines)
          .allMatch(EngineStatus::isPresent)
          .extracting(EngineStatus::spec)
          .containsExactly(
              "cuda:0",
              "cuda:0:tensor",
              "cuda:0:tensor-warps",
              "cuda:0:bilinear",
              "cuda:0:four-russians",
              "cuda:0:loop-tile",
              "cuda:0:cpu-vectors",
              "cuda:1",
              "cuda:1:tensor",
              "cuda:1:tensor-warps",
              "cuda:1:bilinear",
              "cuda:1:four-russians",
              "cuda:1:loop-tile",
              "cuda:1:cpu-vectors");
      assertThat(engines.getFirst().description())
          .contains("132 multiprocessors", "1 GiB", "CUDA 13.0");
    }
  }

  @Test
  void anEngineThatDoesNotOpenGivesTheReasonAndFreesAll() {
    try (FakeDriver driver = FakeKernels.register(new FakeDriver(1))) {
      driver.fail("cuModuleLoadData", 1, 209);
      assertThatExceptionOfType(EngineFailedException.class)
          .isThrownBy(() -> provider(driver.status()).open("cuda:0", EngineOptions.DEFAULT))
          .withMessageContaining("engine 'cuda:0' does not open")
          .withMessageContaining("CUDA_ERROR_NO_BINARY_FOR_GPU");
      assertThat(driver.leaks()).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> provider(driver.status()).open("cuda:7", EngineOptions.DEFAULT))
          .withMessageContaining("cuda:7");
    }
  }

  private static CudaProvider provider(DriverStatus status) {
    return new CudaProvider(
        () -> status, (context, _) -> context.load(MemorySegment.ofArray(new byte[1])));
  }
}

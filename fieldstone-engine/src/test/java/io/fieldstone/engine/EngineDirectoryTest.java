package io.fieldstone.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.cpu.CpuProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineDirectoryTest {

  private static final EngineProvider CORES =
      new Provider("cpu", () -> Engine.open("cpu:scalar", new EngineOptions(1)));
  private static final EngineProvider FAILING =
      new Provider(
          "gpu:0",
          () -> {
            throw new EngineFailedException("engine 'gpu:0' does not open", new Exception());
          });

  @Test
  void autoTakesTheFirstEngineThatOpens() {
    try (Engine engine = EngineDirectory.openAny(List.of(FAILING, CORES), EngineOptions.DEFAULT)) {
      assertThat(engine.spec()).isEqualTo("cpu:scalar");
    }
  }

  @Test
  void autoTakesTheSecondGpuIfTheFirstDoesNotOpen() {
    EngineProvider gpus =
        new Provider("gpu:0", () -> Engine.open("cpu:vector", new EngineOptions(1))) {
          @Override
          public List<String> names() {
            return List.of("gpu:0", "gpu:0:variant", "gpu:1");
          }

          @Override
          public Engine open(String spec, EngineOptions options) {
            if (!spec.equals("gpu:1")) {
              throw new EngineFailedException(spec + " does not open", new Exception());
            }
            return super.open(spec, options);
          }
        };
    try (Engine engine = EngineDirectory.openAny(List.of(gpus, CORES), EngineOptions.DEFAULT)) {
      assertThat(engine.spec()).isEqualTo("cpu:vector");
    }
  }

  @Test
  void autoReportsWhyNoEngineOpens() {
    assertThatExceptionOfType(EngineFailedException.class)
        .isThrownBy(() -> EngineDirectory.openAny(List.of(FAILING), EngineOptions.DEFAULT))
        .withMessageContaining("gpu:0");
  }

  @Test
  void theEnginesOfPapersAreForMeasurement() {
    assertThat(EngineDirectory.list())
        .filteredOn(engine -> engine.kind() == EngineKind.CPU && !engine.isForMeasurement())
        .extracting(EngineStatus::spec)
        .containsExactly("cpu", "cpu:vector", "cpu:scalar");
  }

  /** Names are known before the engines are described. */
  @Test
  void theCoresNameTheEnginesThatTheyList() {
    EngineProvider cores = new CpuProvider();
    assertThat(cores.engines()).extracting(EngineStatus::spec).isEqualTo(cores.names());
  }

  /** The module that combines engines is not on the class path of this one. */
  @Test
  void severalEnginesNeedAModuleOfTheirOwn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Engine.open("cpu+cpu:scalar"))
        .withMessage(
            "engine 'cpu+cpu:scalar' is several engines as one, which needs fieldstone-hybrid on"
                + " the class path");
  }

  /** A provider that lists its engines would load the driver. */
  @Test
  void autoLeavesSmallJobsToTheCoresWithoutAskingForGpus() {
    EngineProvider gpus =
        new Provider(
            "gpu:0",
            () -> {
              throw new AssertionError("opened");
            }) {
          @Override
          public List<EngineStatus> engines() {
            throw new AssertionError("asked");
          }
        };
    EngineOptions options = new EngineOptions(2).forWorkload(Workload.ofBlocks(1_000_000, 192));
    try (Engine engine = EngineDirectory.openAny(List.of(gpus, CORES), options)) {
      assertThat(engine.spec()).isEqualTo("cpu:scalar");
    }
  }

  @Test
  void autoGivesLargeJobsToTheGpu() {
    EngineProvider gpu =
        new Provider("gpu:0", () -> Engine.open("cpu:vector", new EngineOptions(1)));
    EngineOptions options = new EngineOptions(16).forWorkload(Workload.ofBlocks(1L << 34, 192));
    try (Engine engine = EngineDirectory.openAny(List.of(gpu, CORES), options)) {
      assertThat(engine.spec()).isEqualTo("cpu:vector");
    }
  }

  @Test
  void moreThreadsFinishLargerJobsBeforeAGpu() {
    Workload job = Workload.ofBlocks(1_000_000_000, 128);

    assertThat(job.isForCores(2)).isFalse();
    assertThat(job.isForCores(16)).isTrue();
    assertThat(Workload.ofBlocks(-1, 64).isForCores(16)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Workload(-1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException().isThrownBy(() -> new Workload(Double.NaN));
  }

  private interface Opening {
    Engine open();
  }

  private static class Provider implements EngineProvider {
    private final String spec;
    private final Opening opening;

    Provider(String spec, Opening opening) {
      this.spec = spec;
      this.opening = opening;
    }

    @Override
    public int preference() {
      return 0;
    }

    @Override
    public List<EngineStatus> engines() {
      return List.of(
          EngineStatus.missing("gone", EngineKind.GPU, "never here", "made up"),
          EngineStatus.present(spec, EngineKind.GPU, "made up"));
    }

    @Override
    public Engine open(String spec, EngineOptions options) {
      return opening.open();
    }
  }
}

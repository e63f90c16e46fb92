package io.fieldstone.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
  void autoReportsWhyNoEngineOpens() {
    assertThatExceptionOfType(EngineFailedException.class)
        .isThrownBy(() -> EngineDirectory.openAny(List.of(FAILING), EngineOptions.DEFAULT))
        .withMessageContaining("gpu:0");
  }

  private interface Opening {
    Engine open();
  }

  private record Provider(String spec, Opening opening) implements EngineProvider {
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

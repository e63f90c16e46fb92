package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.Disturbances;
import io.fieldstone.engine.Engine;
import io.fieldstone.testing.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * As on the cores: memory that another thread writes or closes leads neither the host nor kernels
 * out of their buffers. What is a GPU's memory here is this machine's, so that a kernel which
 * leaves it ends the process.
 */
class CudaDisturbancesTest {

  /** Enough for the GPU to sort them; it is a slow one. */
  private static final int MAX_RECORDS = 30_000;

  private static final String SECONDS = System.getProperty("fieldstone.disturbances.seconds", "1");

  @Test
  void memoryThatIsWrittenOrClosedDuringACallEndsNoProcess() throws Exception {
    assertThat(ChildJvm.run(OnFakeGpu.class, SECONDS))
        .contains("cuda:0: ")
        .contains(" calls returned");
  }

  /** Disturbs a GPU that does nothing before somebody waits for it. */
  static final class OnFakeGpu {

    private OnFakeGpu() {}

    /**
     * Disturbs it.
     *
     * @param arguments for how many seconds
     */
    public static void main(String... arguments) {
      Duration time = Duration.ofMillis((long) (1000 * Double.parseDouble(arguments[0])));
      try (FakeGpu gpu = FakeGpu.lazy();
          Engine engine = gpu.open("cuda:0")) {
        System.out.println(Disturbances.run(engine, System.nanoTime(), time, MAX_RECORDS));
      }
    }
  }
}

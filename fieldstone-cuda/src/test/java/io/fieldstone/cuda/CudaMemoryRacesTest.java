package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.MemoryRaces;
import io.fieldstone.engine.Engine;
import io.fieldstone.testing.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Checks, as for the CPU, that memory which another thread writes or closes does not make the host
 * or kernels leave their buffers. The device memory of the fake GPU is memory of this process, so
 * an invalid access ends the process.
 */
class CudaMemoryRacesTest {

  /** Enough records for the GPU path; the fake GPU is slow. */
  private static final int MAX_RECORDS = 30_000;

  private static final String SECONDS = System.getProperty("fieldstone.races.seconds", "1");

  @Test
  void memoryThatIsWrittenOrClosedDuringACallEndsNoProcess() throws Exception {
    assertThat(ChildJvm.run(OnFakeGpu.class, SECONDS))
        .contains("cuda:0: ")
        .contains(" calls returned");
  }

  /** Races with the calls of a GPU that runs work only when a thread waits for it. */
  static final class OnFakeGpu {

    private OnFakeGpu() {}

    /**
     * Runs the races.
     *
     * @param arguments the duration in seconds
     */
    public static void main(String... arguments) {
      Duration time = Duration.ofMillis((long) (1000 * Double.parseDouble(arguments[0])));
      try (FakeGpu gpu = FakeGpu.lazy();
          Engine engine = gpu.open("cuda:0")) {
        try {
          System.out.println(MemoryRaces.run(engine, System.nanoTime(), time, MAX_RECORDS));
        } finally {
          gpu.driver().kernelFailure().ifPresent(Throwable::printStackTrace);
        }
      }
    }
  }
}

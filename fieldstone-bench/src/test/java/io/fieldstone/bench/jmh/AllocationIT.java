package io.fieldstone.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The hot loops allocate nothing: an object for each row, block or tile, or a boxed vector (which
 * makes a loop a hundred times slower), shows here as tens of kilobytes to hundreds of megabytes an
 * operation. What remains is what a call costs once, such as views of the caller's memory, and a
 * word on each strip of columns.
 */
class AllocationIT {

  private static final String BYTES_AN_OPERATION = "gc.alloc.rate.norm";

  /**
   * @param most bytes an operation
   */
  @ParameterizedTest
  @CsvSource({
    "ProductBenchmark.resident, 128x128x4096, 2048",
    "ProductBenchmark.resident, 64x64x1000, 1024",
    "ProductBenchmark.drawn, 128x128x4096, 4096",
    "ProductBenchmark.inPlace, 64x1024x2048, 2048",
    "DecodeBenchmark.basisInsertion, 128x4096, 1024",
    "DecodeBenchmark.progressiveDecode, 128x4096, 1024",
  })
  void allocatesNothing(String benchmark, String shape, double most) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("\\." + benchmark.replace(".", "\\.") + "$")
            .param("shape", shape)
            .addProfiler(GCProfiler.class)
            // JMH looks into the JVM through sun.misc.Unsafe.
            .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow")
            .warmupIterations(2)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(8)
            .measurementTime(TimeValue.milliseconds(500))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).hasSize(1);
    // The least of the iterations: on a busy machine the compiler may not be done with the first.
    double bytes =
        results.iterator().next().getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(one -> one.getSecondaryResults().get(BYTES_AN_OPERATION).getScore())
            .min()
            .orElseThrow();
    assertThat(bytes).as("bytes allocated by one %s at %s", benchmark, shape).isLessThan(most);
  }
}

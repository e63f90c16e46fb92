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
 * The hot paths allocate nothing: a boxed vector or a segment a row would show as kilobytes here,
 * and is what makes a vector loop a hundred times slower.
 */
class AllocationIT {

  private static final String BYTES_AN_OPERATION = "gc.alloc.rate.norm";

  /**
   * @param most bytes an operation; what a call may cost once, not a row or a vector
   */
  @ParameterizedTest
  @CsvSource({
    "ProductBenchmark.resident, 128x128x4096, 64",
    "ProductBenchmark.resident, 64x64x1000, 64",
    "ProductBenchmark.inPlace, 64x1024x2048, 64",
    "DecodeBenchmark.basisInsertion, 128x4096, 64",
    "DecodeBenchmark.progressiveDecode, 128x4096, 64",
  })
  void allocatesNothing(String benchmark, String shape, double most) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("\\." + benchmark.replace(".", "\\.") + "$")
            .param("shape", shape)
            .addProfiler(GCProfiler.class)
            .warmupIterations(4)
            .warmupTime(TimeValue.milliseconds(500))
            .measurementIterations(2)
            .measurementTime(TimeValue.milliseconds(500))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).hasSize(1);
    double bytes =
        results.iterator().next().getSecondaryResults().get(BYTES_AN_OPERATION).getScore();
    assertThat(bytes).as("bytes allocated by one %s at %s", benchmark, shape).isLessThan(most);
  }
}

package io.fieldstone.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the hot loops do not allocate. An object for each row, block or tile shows as tens of
 * kilobytes per operation. A boxed vector, which makes a loop a hundred times slower, shows as up
 * to hundreds of megabytes. A call may allocate a little, such as views of the memory of its
 * caller.
 *
 * <p>A loop boxes until the JIT compiler has compiled it, and other work delays that. So an
 * operation is repeated until it allocates little, or until any compiler is done.
 */
class AllocationIT {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(3);

  /**
   * An operation of a benchmark.
   *
   * @param max bytes that it may allocate
   * @param times runs of the operation over which single allocations are spread
   */
  private record Loop(
      String name, String shape, double max, int times, Consumer<Consumer<Runnable>> run) {

    static Loop product(
        String name, String shape, double max, Consumer<ProductBenchmark> operation) {
      return new Loop(
          name,
          shape,
          max,
          16,
          use -> {
            ProductBenchmark benchmark = new ProductBenchmark();
            benchmark.shape = shape;
            benchmark.engine = "cpu";
            benchmark.load();
            use.accept(() -> operation.accept(benchmark));
            benchmark.close();
          });
    }

    /** An operation on one of 128 blocks. */
    static Loop decode(String name, String shape, double max, Consumer<DecodeBenchmark> operation) {
      return new Loop(
          name,
          shape,
          max,
          4 * 128,
          use -> {
            DecodeBenchmark benchmark = new DecodeBenchmark();
            benchmark.shape = shape;
            benchmark.engine = "cpu";
            benchmark.encode();
            use.accept(() -> operation.accept(benchmark));
            benchmark.close();
          });
    }

    @Override
    public String toString() {
      return name + " " + shape;
    }
  }

  static Stream<Loop> loops() {
    return Stream.of(
        Loop.product("resident", "128x128x4096", 2048, ProductBenchmark::resident),
        Loop.product("resident", "64x64x1000", 1024, ProductBenchmark::resident),
        Loop.product("drawn", "128x128x4096", 4096, ProductBenchmark::drawn),
        Loop.product("inPlace", "64x1024x2048", 2048, ProductBenchmark::inPlace),
        Loop.decode("basisInsertion", "128x4096", 1024, DecodeBenchmark::basisInsertion),
        Loop.decode("progressiveDecode", "128x4096", 1024, DecodeBenchmark::progressiveDecode));
  }

  @ParameterizedTest
  @MethodSource("loops")
  void allocatesNothing(Loop loop) {
    loop.run()
        .accept(operation ->
            assertThat(minBytes(loop, operation))
                .as("bytes allocated by one %s", loop)
                .isLessThan(loop.max()));
  }

  /**
   * Returns the bytes that all threads allocate per operation: the first that are few enough, or
   * the fewest.
   */
  private static double minBytes(Loop loop, Runnable operation) {
    long start = System.nanoTime();
    double min = Double.POSITIVE_INFINITY;
    do {
      long before = THREADS.getTotalThreadAllocatedBytes();
      for (int i = 0; i < loop.times(); i++) {
        operation.run();
      }
      long bytes = THREADS.getTotalThreadAllocatedBytes() - before;
      min = Math.min(min, (double) bytes / loop.times());
    } while (min >= loop.max() && System.nanoTime() - start < TIMEOUT_NS);
    return min;
  }
}

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
 * The hot loops allocate nothing: an object for each row, block or tile, or a boxed vector (which
 * makes a loop a hundred times slower), shows here as tens of kilobytes to hundreds of megabytes an
 * operation. What remains is what a call costs once, such as views of the caller's memory, and a
 * word on each strip of columns.
 *
 * <p>Until the JIT compiler has compiled a loop it boxes; when that is depends on what else the
 * machine does. So an operation is repeated until it allocates little, and given up after a time in
 * which any compiler is done.
 */
class AllocationIT {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

  /**
   * An operation of a benchmark.
   *
   * @param most bytes that it may allocate
   * @param times it is done at once, over which what is allocated once is spread
   */
  private record Loop(
      String name, String shape, double most, int times, Consumer<Consumer<Runnable>> run) {

    static Loop product(
        String name, String shape, double most, Consumer<ProductBenchmark> operation) {
      return new Loop(
          name,
          shape,
          most,
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

    /** Of 128 blocks. */
    static Loop decode(
        String name, String shape, double most, Consumer<DecodeBenchmark> operation) {
      return new Loop(
          name,
          shape,
          most,
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
            assertThat(leastBytes(loop, operation))
                .as("bytes allocated by one %s", loop)
                .isLessThan(loop.most()));
  }

  /** Bytes of all threads for each operation: the first that are few enough, or the fewest. */
  private static double leastBytes(Loop loop, Runnable operation) {
    long start = System.nanoTime();
    double least = Double.POSITIVE_INFINITY;
    do {
      long before = THREADS.getTotalThreadAllocatedBytes();
      for (int i = 0; i < loop.times(); i++) {
        operation.run();
      }
      long bytes = THREADS.getTotalThreadAllocatedBytes() - before;
      least = Math.min(least, (double) bytes / loop.times());
    } while (least >= loop.most() && System.nanoTime() - start < PATIENCE_NS);
    return least;
  }
}

package io.fieldstone.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
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
   * At least the bytes of a view of memory. The compiler removes views, but not in a JVM that has
   * run the operation with memory of several kinds before.
   */
  private static final int VIEW_BYTES = 64;

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

    /** An operation on a packet or a symbol of a stream. */
    static Loop window(String name, double max, Consumer<WindowStream> operation) {
      return new Loop(
          name,
          "256x1318",
          max,
          4 * 128,
          use -> {
            try (WindowStream stream = new WindowStream()) {
              use.accept(() -> operation.accept(stream));
            }
          });
    }

    @Override
    public String toString() {
      return name + " " + shape;
    }
  }

  /** An encoder and a decoder with windows of 256 packets of 1316 bytes. */
  private static final class WindowStream implements PacketSink, AutoCloseable {
    private final Engine engine = Engine.open("cpu", new EngineOptions(1));
    private final WindowShape shape = WindowShape.of(1316, 256);
    private final WindowEncoder encoder = WindowEncoder.open(engine, shape, WindowCode.GF256, 0);
    private final WindowDecoder decoder =
        WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, 0);
    private final MemorySegment packet = MemorySegment.ofArray(new byte[shape.largestPacket()]);
    private final MemorySegment symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
    private long received;

    WindowStream() {
      add();
    }

    void add() {
      encoder.add(packet);
    }

    void receive() {
      decoder.source(received++, packet, this);
    }

    void repair() {
      encoder.repair(1, symbol);
    }

    @Override
    public void packet(long id, MemorySegment delivered) {}

    @Override
    public void gap(long first, long count) {}

    @Override
    public void close() {
      encoder.close();
      decoder.close();
      engine.close();
    }
  }

  static Stream<Loop> loops() {
    return Stream.of(
        Loop.product("resident", "128x128x4096", 2048, ProductBenchmark::resident),
        Loop.product("resident", "64x64x1000", 1024, ProductBenchmark::resident),
        Loop.product("drawn", "128x128x4096", 4096, ProductBenchmark::drawn),
        Loop.product("inPlace", "64x1024x2048", 2048, ProductBenchmark::inPlace),
        Loop.decode("basisInsertion", "128x4096", 1024, DecodeBenchmark::basisInsertion),
        Loop.decode("progressiveDecode", "128x4096", 1024, DecodeBenchmark::progressiveDecode),
        Loop.window("windowAdd", 4 * VIEW_BYTES, WindowStream::add),
        Loop.window("windowReceive", 4 * VIEW_BYTES, WindowStream::receive),
        Loop.window("windowRepair", 1024, WindowStream::repair));
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

package io.fieldstone.cuda;

import io.fieldstone.cuda.coding.DrawKernel;
import io.fieldstone.cuda.coding.ProductVariant;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.coding.RandomCoefficients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the upper bounds of a GPU's throughput, such as memory bandwidth; takes about a second.
 */
final class CudaCeilings implements Ceilings {

  /** The maximum device memory: caches then hold about 1% of it, and blocks end together. */
  private static final long MAX_DEVICE_BYTES = 4L << 30;

  /** The maximum pinned memory. */
  private static final long MAX_HOST_BYTES = 512L << 20;

  /** The measurement uses one part in this many of the free device memory. */
  private static final int FREE_MEMORY_DIVISOR = 8;

  private static final int RUNS = 7;

  /**
   * Passes over device memory between two events: some milliseconds, so that launch time is
   * negligible.
   */
  private static final int DEVICE_PASSES = 10;

  /** Passes of one bus measurement: a single copy takes milliseconds. */
  private static final int BUS_PASSES = 1;

  private static final int LAUNCHES = 200;

  /** Launches before the measurement, until the JVM has compiled the launching code. */
  private static final int WARM_UP_LAUNCHES = 5000;

  private static final double GIGA = 1e9;
  private static final double KILO = 1e3;
  private static final int VECTOR_BYTES = 16;

  /** The bytes that a block of {@code memory_read} reads per iteration. */
  private static final long READ_TILE_BYTES = 64 << 10;

  /** The products of {@code tensor_ceiling} per block and iteration. */
  private static final int TENSOR_PRODUCTS = 8;

  private static final int TENSOR_THREADS = 256;
  private static final int TENSOR_ROUNDS = 4000;
  private static final int TENSOR_SHARED_BYTES = 64 << 10;

  /** The block size of {@code memory_read}. */
  private static final int READ_THREADS = 512;

  /** The smallest kernel launch: it draws one byte. */
  private static final RandomCoefficients ONE_BYTE = new RandomCoefficients(0, 0, 0, 0, 1, 1, 1);

  private final Gpu gpu;

  CudaCeilings(Gpu gpu) {
    this.gpu = gpu;
  }

  @Override
  public List<Ceiling> measure() {
    return gpu.call(() -> "measure the ceilings", this::all);
  }

  private List<Ceiling> all() {
    long free = gpu.context().memory().freeBytes() / FREE_MEMORY_DIVISOR;
    long deviceBytes = Math.min(MAX_DEVICE_BYTES, free);
    long bytes = Math.min(MAX_HOST_BYTES, free);
    List<Ceiling> ceilings = new ArrayList<>();
    try (DeviceBuffer from = gpu.allocate(deviceBytes);
        DeviceBuffer to = gpu.allocate(deviceBytes);
        PinnedBuffer up = gpu.context().allocatePinned(bytes);
        PinnedBuffer down = gpu.context().allocatePinned(bytes);
        Stream mainStream = gpu.context().stream();
        Stream secondStream = gpu.context().stream()) {
      long source = from.address();
      long target = to.address();
      ceilings.add(readRate(source, target, deviceBytes));
      ceilings.add(
          rate(
              "device memory, write",
              deviceBytes,
              DEVICE_PASSES,
              mainStream,
              stream -> stream.fill(target, 0, deviceBytes)));
      ceilings.add(
          rate(
              "device memory, copy (read + write)",
              2 * deviceBytes,
              DEVICE_PASSES,
              mainStream,
              stream -> stream.copy(source, target, deviceBytes)));
      ceilings.add(
          rate(
              "bus, up",
              bytes,
              BUS_PASSES,
              mainStream,
              stream -> stream.upload(up.segment(), target)));
      ceilings.add(
          rate(
              "bus, down",
              bytes,
              BUS_PASSES,
              mainStream,
              stream -> stream.download(source, down.segment())));
      ceilings.add(
          rate(
              "bus, both ways at once, each",
              bytes,
              BUS_PASSES,
              mainStream,
              stream -> {
                try (Event begin = gpu.context().event();
                    Event end = gpu.context().event()) {
                  stream.record(begin);
                  secondStream.await(begin);
                  secondStream.download(source, down.segment());
                  secondStream.record(end);
                  stream.upload(up.segment(), target);
                  stream.await(end);
                }
              }));
    }
    if (ProductVariant.hasWarpgroups(gpu.context().device())) {
      ceilings.add(tensorRate());
    }
    ceilings.add(clock());
    ceilings.add(launchFloor());
    return ceilings;
  }

  /** Returns the highest clock that the driver names, for all multiprocessors. */
  private Ceiling clock() {
    Device device = gpu.context().device();
    double gigahertz = device.attribute(DeviceAttribute.CLOCK_KILOHERTZ) * KILO / GIGA;
    return new Ceiling(
        "clock of all multiprocessors", device.multiprocessors() * gigahertz, "G cycles/s");
  }

  private Ceiling readRate(long address, long sums, long bytes) {
    GridStrideKernel read = gpu.modules().kernel("ceilings", "memory_read", READ_THREADS, 0, 1);
    List<Ceiling> rate = new ArrayList<>();
    gpu.streams()
        .useOne(slot ->
            rate.add(
                rate(
                    "device memory, read",
                    bytes,
                    DEVICE_PASSES,
                    slot.stream(),
                    _ -> {
                      slot.arguments().int64(address).int64(bytes / VECTOR_BYTES).int64(sums);
                      read.launchBlocks(slot, Math.ceilDiv(bytes, READ_TILE_BYTES));
                    })));
    return rate.getFirst();
  }

  /** Measures binary tensor cores: products of 64×256 by 256×128 bits in sequence. */
  private Ceiling tensorRate() {
    GridStrideKernel kernel =
        gpu.modules()
            .kernel("product_tensor", "tensor_ceiling", TENSOR_THREADS, TENSOR_SHARED_BYTES, 1);
    int blocks = gpu.context().device().multiprocessors();
    double work = (double) blocks * TENSOR_ROUNDS * TENSOR_PRODUCTS * (64L * 128 * 256);
    try (DeviceBuffer counts = gpu.allocate((long) blocks * TENSOR_THREADS * Integer.BYTES)) {
      List<Ceiling> rate = new ArrayList<>();
      gpu.streams()
          .useOne(slot ->
              rate.add(
                  rate(
                      "binary tensor cores",
                      (long) (work / KILO),
                      DEVICE_PASSES,
                      slot.stream(),
                      _ -> {
                        slot.arguments().int64(counts.address()).int32(TENSOR_ROUNDS).int32(0);
                        kernel.launchBlocks(slot, blocks);
                      })));
      return new Ceiling(rate.getFirst().name(), rate.getFirst().value(), "T bit-MAC/s");
    }
  }

  /**
   * Returns the median rate of several runs, timed by events of the GPU.
   *
   * @param bytes the bytes that a pass moves
   * @param passes the passes of a run, enqueued without waiting
   */
  private Ceiling rate(String name, long bytes, int passes, Stream stream, Consumer<Stream> work) {
    double[] rates = new double[RUNS];
    try (Event begin = gpu.context().timingEvent();
        Event end = gpu.context().timingEvent()) {
      work.accept(stream);
      for (int run = 0; run < RUNS; run++) {
        stream.record(begin);
        for (int pass = 0; pass < passes; pass++) {
          work.accept(stream);
        }
        stream.record(end);
        end.synchronize();
        rates[run] = (double) passes * bytes / (end.millisSince(begin) * 1e-3) / GIGA;
      }
    }
    Arrays.sort(rates);
    return new Ceiling(name, rates[RUNS / 2], "GB/s");
  }

  /**
   * Measures the time from a launch of the smallest kernel until the host observes its completion.
   */
  private Ceiling launchFloor() {
    double[] micros = new double[LAUNCHES];
    DrawKernel draw = new DrawKernel(gpu.modules());
    ScratchLayout scratch = new ScratchLayout();
    long offset = scratch.device(1);
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              for (int launch = -WARM_UP_LAUNCHES; launch < LAUNCHES; launch++) {
                long begin = System.nanoTime();
                draw.draw(slot, ONE_BYTE, DeviceMatrices.packed(slot.device(offset), 1, 1, 1));
                slot.stream().synchronize();
                micros[Math.max(0, launch)] = (System.nanoTime() - begin) / 1e3;
              }
            });
    Arrays.sort(micros);
    return new Ceiling("launch and wait", micros[LAUNCHES / 2], "µs");
  }
}

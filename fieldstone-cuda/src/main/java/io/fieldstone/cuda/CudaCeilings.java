package io.fieldstone.cuda;

import io.fieldstone.cuda.coding.DrawKernel;
import io.fieldstone.cuda.coding.ProductVariant;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.coding.RandomCoefficients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Measures what no kernel on a GPU can beat; takes a second. */
final class CudaCeilings {

  /** Of device memory: so large that caches hold a hundredth of it, and blocks end together. */
  private static final long MAX_DEVICE_BYTES = 4L << 30;

  /** Of pinned memory. */
  private static final long MAX_HOST_BYTES = 512L << 20;

  /** Of what is free. */
  private static final int FREE_MEMORY_DIVISOR = 8;

  private static final int RUNS = 7;

  /**
   * Passes over device memory between two events: some milliseconds, beside which a launch is none.
   */
  private static final int DEVICE_PASSES = 10;

  /** Of a run over the bus, which takes as long by itself. */
  private static final int BUS_PASSES = 1;

  private static final int LAUNCHES = 200;

  /** Before them: until the JVM has compiled what launches. */
  private static final int WARM_UP_LAUNCHES = 5000;

  private static final double GIGA = 1e9;
  private static final double KILO = 1e3;
  private static final int VECTOR_BYTES = 16;

  /** What a block of {@code memory_read} reads in a round. */
  private static final long READ_TILE_BYTES = 64 << 10;

  /** Of {@code tensor_ceiling}: products of a block in a round. */
  private static final int TENSOR_PRODUCTS = 8;

  private static final int TENSOR_THREADS = 256;
  private static final int TENSOR_ROUNDS = 4000;
  private static final int TENSOR_SHARED_BYTES = 64 << 10;

  /** Threads of a block of {@code memory_read}. */
  private static final int READ_THREADS = 512;

  /** The least work there is: one byte drawn. */
  private static final RandomCoefficients ONE_BYTE = new RandomCoefficients(0, 0, 0, 0, 1, 1, 1);

  private final Gpu gpu;

  CudaCeilings(Gpu gpu) {
    this.gpu = gpu;
  }

  List<Ceiling> measure() {
    long free = gpu.context().memory().freeBytes() / FREE_MEMORY_DIVISOR;
    long deviceBytes = Math.min(MAX_DEVICE_BYTES, free);
    long bytes = Math.min(MAX_HOST_BYTES, free);
    List<Ceiling> ceilings = new ArrayList<>();
    try (DeviceBuffer from = gpu.allocate(deviceBytes);
        DeviceBuffer to = gpu.allocate(deviceBytes);
        PinnedBuffer up = gpu.context().allocatePinned(bytes);
        PinnedBuffer down = gpu.context().allocatePinned(bytes);
        Stream one = gpu.context().stream();
        Stream other = gpu.context().stream()) {
      long source = from.address();
      long target = to.address();
      ceilings.add(readRate(source, target, deviceBytes));
      ceilings.add(
          rate(
              "device memory, write",
              deviceBytes,
              DEVICE_PASSES,
              one,
              stream -> stream.fill(target, 0, deviceBytes)));
      ceilings.add(
          rate(
              "device memory, copy (read + write)",
              2 * deviceBytes,
              DEVICE_PASSES,
              one,
              stream -> stream.copy(source, target, deviceBytes)));
      ceilings.add(
          rate("bus, up", bytes, BUS_PASSES, one, stream -> stream.upload(up.segment(), target)));
      ceilings.add(
          rate(
              "bus, down",
              bytes,
              BUS_PASSES,
              one,
              stream -> stream.download(source, down.segment())));
      ceilings.add(
          rate(
              "bus, both ways at once, each",
              bytes,
              BUS_PASSES,
              one,
              stream -> {
                try (Event begin = gpu.context().event();
                    Event end = gpu.context().event()) {
                  stream.record(begin);
                  other.await(begin);
                  other.download(source, down.segment());
                  other.record(end);
                  stream.upload(up.segment(), target);
                  stream.await(end);
                }
              }));
    }
    if (ProductVariant.hasWarpgroups(gpu.context().device())) {
      ceilings.add(tensorRate());
    }
    ceilings.add(launchFloor());
    return ceilings;
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

  /** Binary tensor cores: products of 64×256 by 256×128 bits, one after another. */
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
   * The median of several runs, by the clock of the GPU.
   *
   * @param bytes that a pass takes
   * @param passes of a run, one after another without a wait
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

  /** From a launch of the smallest kernel to knowing that it is done. */
  private Ceiling launchFloor() {
    double[] micros = new double[LAUNCHES];
    DrawKernel draw = new DrawKernel(gpu.modules());
    ScratchLayout scratch = new ScratchLayout();
    long offset = scratch.device(1);
    gpu.streams()
        .use(
            1,
            scratch,
            slots -> {
              StreamSlot slot = slots.getFirst();
              for (int launch = -WARM_UP_LAUNCHES; launch < LAUNCHES; launch++) {
                long begin = System.nanoTime();
                draw.draw(slot, ONE_BYTE, DeviceMatrices.packed(slot.device(offset), 1, 1, 1));
                slot.stream().synchronize();
                micros[Math.max(0, launch)] = (System.nanoTime() - begin) / 1e3;
              }
              return micros;
            });
    Arrays.sort(micros);
    return new Ceiling("launch and wait", micros[LAUNCHES / 2], "µs");
  }
}

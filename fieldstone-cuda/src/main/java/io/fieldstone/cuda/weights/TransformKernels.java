package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;
import java.util.stream.IntStream;

/** Launches the kernels of transforms.cu for slices of one shape. Thread-safe. */
final class TransformKernels {

  private static final int THREADS = 256;
  private static final int WARP = 32;

  /** Shared memory that a kernel may use without opting in. */
  private static final int DEFAULT_SHARED_BYTES = 48 << 10;

  /** Waves of blocks of the grid-stride loops over low parts and symmetries. */
  private static final int WAVES = 4;

  private static final int COUNT_THREADS = 512;
  private static final int COUNT_SHARED_BYTES = 67_856;
  private static final int COUNT_SHARED_BYTES_PER_INT = 4224;

  private static final int FIRST_BITS = 10;
  private static final int FIRST_PAIRS = 16;
  private static final int FIRST_EXCHANGE_BYTES = 33_792;

  private static final int MIDDLE_BITS = 6;

  /** Maximum bits that a thread transforms in registers; more need shared memory. */
  private static final int LAST_THREAD_BITS = 6;

  private static final int LAST_SHARED_BYTES = 133_120;

  private static final int PRODUCT_THREADS = 384;
  private static final int PRODUCT_WARPS = PRODUCT_THREADS / WARP;
  private static final int PRODUCT_PADDING = 16;
  private static final int PRODUCT_TILE = 256;
  private static final int PRODUCT_SHARED_BYTES = 160 << 10;

  private static final int EXACT_SHARED_BYTES_PER_WEIGHT = 128;
  private static final int EXACT_TRIPLES = 4 * THREADS;

  private final TransformShape shape;
  private final int multiprocessors;
  private final int maxSharedBytes;
  private final GridStrideKernel orbits;
  private final GridStrideKernel images;
  private final KernelModules modules;
  private final Function first;
  private final List<Function> middle;
  private final Function last;
  private final GridStrideKernel products;
  private final GridStrideKernel exact;
  private final int productTile;

  private TransformKernels(KernelModules modules, Device device, TransformShape shape) {
    this.modules = modules;
    this.shape = shape;
    this.multiprocessors = device.multiprocessors();
    this.maxSharedBytes = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    this.orbits = modules.kernel("transforms", "transform_orbits", THREADS, 0, WAVES);
    this.images = modules.kernel("transforms", "transform_images", THREADS, 0, WAVES);
    this.first = function("transform_first", firstShared(shape));
    this.middle =
        IntStream.rangeClosed(1, MIDDLE_BITS)
            .mapToObj(bits -> function("transform_middle_" + bits, 0))
            .toList();
    this.last = function("transform_last", lastShared(shape));
    this.productTile = productTile(shape, maxSharedBytes);
    this.products =
        modules.kernel(
            "transforms",
            "transform_products",
            PRODUCT_THREADS,
            productShared(shape, productTile),
            1);
    this.exact =
        modules.kernel(
            "transforms",
            "transform_products_exact",
            THREADS,
            EXACT_SHARED_BYTES_PER_WEIGHT * shape.order(),
            2);
  }

  private Function function(String name, int sharedBytes) {
    Function function = modules.function("transforms", name);
    if (sharedBytes > DEFAULT_SHARED_BYTES) {
      function.allowSharedBytes(sharedBytes);
    }
    return function;
  }

  static TransformKernels find(Gpu gpu, TransformShape shape) {
    return new TransformKernels(gpu.modules(), gpu.context().device(), shape);
  }

  /** Whether a GPU has the instructions and the shared memory for slices of a shape. */
  static boolean isSupported(Gpu gpu, TransformShape shape) {
    int sharedBytes = gpu.context().device().attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    return gpu.hasBinaryTensorCores()
        && countShared(shape, 1) <= sharedBytes
        && firstShared(shape) <= sharedBytes
        && lastShared(shape) <= sharedBytes
        && productShared(shape, WARP) <= sharedBytes;
  }

  /** Returns the shared memory of a count, which has two bytes for each symmetry. */
  static int countShared(TransformShape shape, int symmetries) {
    return COUNT_SHARED_BYTES
        + COUNT_SHARED_BYTES_PER_INT * shape.wordInts()
        + Short.BYTES * symmetries;
  }

  private static int firstShared(TransformShape shape) {
    int pairs = Math.min(shape.pairs(), FIRST_PAIRS);
    return WARP * Integer.BYTES * (WARP * pairs + 1) + FIRST_EXCHANGE_BYTES;
  }

  private static int lastShared(TransformShape shape) {
    return shape.lastBits() > LAST_THREAD_BITS ? LAST_SHARED_BYTES : 0;
  }

  /** Returns the size of two tiles of at least two weights, because units name a second one. */
  private static int productShared(TransformShape shape, int tile) {
    return 2 * Integer.BYTES * Math.max(2, shape.order()) * (tile + PRODUCT_PADDING);
  }

  private static int productTile(TransformShape shape, int maxSharedBytes) {
    int tile = PRODUCT_TILE;
    while (tile > WARP
        && productShared(shape, tile) > Math.min(PRODUCT_SHARED_BYTES, maxSharedBytes)) {
      tile /= 2;
    }
    return tile;
  }

  /** Whether a block has shared memory for the symmetries. */
  boolean canCount(int symmetries) {
    return countShared(shape, symmetries) <= maxSharedBytes;
  }

  /** Counts the orbits of low parts, and lists one of each if {@code representatives} is not 0. */
  void orbits(StreamSlot slot, long lowImages, long representatives, long count, int symmetries) {
    slot.stream().fill(count, 0, Long.BYTES);
    new TransformArguments.Orbits(lowImages, representatives, count, symmetries, shape.lowBits())
        .write(slot.arguments());
    orbits.launchThreads(slot, 1L << shape.lowBits());
  }

  /** Computes all images of the representatives. */
  void images(
      StreamSlot slot, long lowImages, long representatives, long to, long count, int symmetries) {
    new TransformArguments.Images(
            lowImages, representatives, to, count, symmetries, shape.lowBits())
        .write(slot.arguments());
    long gridY = Math.min(count, (long) WAVES * multiprocessors);
    images.launchPlane(slot, Math.ceilDiv(symmetries, THREADS), gridY);
  }

  /** Counts the words of a slice by weight and low part, transformed over the high parts. */
  void count(StreamSlot slot, TransformMemory memory) {
    if (shape.lowBits() < shape.paddedBits()) {
      slot.stream().fill(memory.counted(), 0, memory.countedBytes());
    }
    int symmetries = memory.symmetries();
    new TransformArguments.Count(
            memory.basis(),
            memory.weightIndices(),
            memory.representatives(),
            memory.images(),
            memory.functionals(),
            memory.counted(),
            memory.countedBytes() / Integer.BYTES,
            memory.representativeCount(),
            symmetries,
            1,
            shape.highBits(),
            shape.lowBits(),
            shape.length(),
            shape.wordInts(),
            shape.pairs())
        .write(slot.arguments());
    int tileBits = TransformShape.MIN_BITS - shape.highBits();
    countKernel(symmetries)
        .launchBlocks(slot, Math.ceilDiv(memory.representativeCount(), 1L << tileBits));
  }

  private GridStrideKernel countKernel(int symmetries) {
    String name = "transform_count_" + shape.wordInts() * Integer.SIZE;
    return modules.kernel("transforms", name, COUNT_THREADS, countShared(shape, symmetries), 1);
  }

  /** Transforms the lowest bits, in 32-bit integers. */
  void transform(StreamSlot slot, TransformMemory memory) {
    new TransformArguments.First(
            memory.counted(),
            memory.transforms(),
            shape.paddedBits(),
            Math.min(shape.shortBits(), FIRST_BITS),
            shape.order(),
            shape.pairs())
        .write(slot.arguments());
    int blocks = (int) (shape.points() >> FIRST_BITS);
    slot.launch(first, new LaunchShape(blocks, 1, 1, THREADS, firstShared(shape)));
    int firstBit = FIRST_BITS;
    while (firstBit < shape.shortBits()) {
      int left = shape.shortBits() - firstBit;
      int bits = Math.ceilDiv(left, Math.ceilDiv(left, MIDDLE_BITS));
      new TransformArguments.Middle(
              memory.transforms(), shape.paddedBits(), firstBit, shape.order())
          .write(slot.arguments());
      long threads = (long) shape.order() << (shape.paddedBits() - bits);
      slot.launch(
          middle.get(bits - 1), LaunchShape.of((int) Math.ceilDiv(threads, THREADS), THREADS));
      firstBit += bits;
    }
  }

  /** Transforms the highest bits of a chunk of functionals, and adds up its products. */
  void addChunk(StreamSlot slot, TransformMemory memory, long first) {
    long tiles = memory.chunkPoints() >> TransformShape.MIN_BITS;
    new TransformArguments.Last(
            memory.transforms(),
            memory.values(),
            memory.large(),
            memory.chunkPoints(),
            first >> TransformShape.MIN_BITS,
            tiles,
            TransformMemory.LIMIT,
            shape.paddedBits(),
            shape.lastBits())
        .write(slot.arguments());
    int blocks = Math.toIntExact(tiles * shape.order());
    slot.launch(last, new LaunchShape(blocks, 1, 1, THREADS, lastShared(shape)));
    slot.stream().fill(memory.leftOutCount(), 0, Integer.BYTES);
    addProducts(slot, memory);
    addExactly(slot, memory);
  }

  private void addProducts(StreamSlot slot, TransformMemory memory) {
    new TransformArguments.Products(
            memory.values(),
            memory.chunkPoints(),
            memory.chunkPoints(),
            memory.units(),
            memory.sums(),
            memory.leftOut(),
            memory.leftOutCount(),
            memory.unitCount(),
            shape.order(),
            productTile)
        .write(slot.arguments());
    products.launchPlane(
        slot, memory.chunkPoints() / productTile, Math.ceilDiv(memory.unitCount(), PRODUCT_WARPS));
  }

  /** Adds the products of the functionals that {@link #addProducts} left out. */
  private void addExactly(StreamSlot slot, TransformMemory memory) {
    new TransformArguments.Exact(
            memory.values(),
            memory.large(),
            memory.chunkPoints(),
            memory.leftOut(),
            memory.leftOutCount(),
            memory.chunkPoints(),
            memory.triples(),
            memory.sums(),
            memory.tripleCount(),
            shape.order())
        .write(slot.arguments());
    exact.launchPlane(
        slot, 2L * multiprocessors, Math.ceilDiv(memory.tripleCount(), EXACT_TRIPLES));
  }
}

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

/** The kernels of transforms.cu, launched for slices of one shape. Thread-safe. */
final class TransformKernels {

  private static final int THREADS = 256;
  private static final int WARP = 32;
  private static final int USUAL_SHARED_BYTES = 48 << 10;

  /**
   * Low parts and symmetries: what a grid-stride loop may have more blocks for than run at once.
   */
  private static final int WAVES = 4;

  private static final int COUNT_THREADS = 512;
  private static final int COUNT_SHARED = 67_856;
  private static final int COUNT_SHARED_OF_PART = 4224;

  private static final int FIRST_BITS = 10;
  private static final int FIRST_PAIRS = 16;
  private static final int FIRST_EXCHANGE = 33_792;

  private static final int MIDDLE_BITS = 6;

  /** More of the highest bits than a thread has in registers need shared memory. */
  private static final int LAST_THREAD_BITS = 6;

  private static final int LAST_SHARED = 133_120;

  private static final int PRODUCT_THREADS = 384;
  private static final int PRODUCT_WARPS = PRODUCT_THREADS / WARP;
  private static final int PRODUCT_PADDING = 16;
  private static final int PRODUCT_TILE = 256;
  private static final int PRODUCT_SHARED = 160 << 10;

  private static final int EXACT_SHARED_OF_WEIGHT = 128;
  private static final int EXACT_TRIPLES = 4 * THREADS;

  private final TransformShape shape;
  private final int multiprocessors;
  private final int mostShared;
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
    this.mostShared = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    this.orbits = modules.kernel("transforms", "transform_orbits", THREADS, 0, WAVES);
    this.images = modules.kernel("transforms", "transform_images", THREADS, 0, WAVES);
    this.first = function("transform_first", firstShared(shape));
    this.middle =
        IntStream.rangeClosed(1, MIDDLE_BITS)
            .mapToObj(bits -> function("transform_middle_" + bits, 0))
            .toList();
    this.last = function("transform_last", lastShared(shape));
    this.productTile = productTile(shape, mostShared);
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
            EXACT_SHARED_OF_WEIGHT * shape.order(),
            2);
  }

  private Function function(String name, int sharedBytes) {
    Function function = modules.function("transforms", name);
    if (sharedBytes > USUAL_SHARED_BYTES) {
      function.allowSharedBytes(sharedBytes);
    }
    return function;
  }

  static TransformKernels find(Gpu gpu, TransformShape shape) {
    return new TransformKernels(gpu.modules(), gpu.context().device(), shape);
  }

  /** Whether a GPU has the instructions, and the shared memory for slices of a shape. */
  static boolean suit(Gpu gpu, TransformShape shape) {
    int shared = gpu.context().device().attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    return gpu.hasBinaryTensorCores()
        && countShared(shape, 1) <= shared
        && firstShared(shape) <= shared
        && lastShared(shape) <= shared
        && productShared(shape, WARP) <= shared;
  }

  /** A slice's counting has so many symmetries in shared memory, two bytes each. */
  static int countShared(TransformShape shape, int symmetries) {
    return COUNT_SHARED + COUNT_SHARED_OF_PART * shape.parts() + Short.BYTES * symmetries;
  }

  private static int firstShared(TransformShape shape) {
    int pairs = Math.min(shape.pairs(), FIRST_PAIRS);
    return WARP * Integer.BYTES * (WARP * pairs + 1) + FIRST_EXCHANGE;
  }

  private static int lastShared(TransformShape shape) {
    return shape.lastBits() > LAST_THREAD_BITS ? LAST_SHARED : 0;
  }

  /** Two tiles; units name a second weight even if there is one only. */
  private static int productShared(TransformShape shape, int tile) {
    return 2 * Integer.BYTES * Math.max(2, shape.order()) * (tile + PRODUCT_PADDING);
  }

  private static int productTile(TransformShape shape, int mostShared) {
    int tile = PRODUCT_TILE;
    while (tile > WARP && productShared(shape, tile) > Math.min(PRODUCT_SHARED, mostShared)) {
      tile /= 2;
    }
    return tile;
  }

  /** Whether a block has room for so many symmetries. */
  boolean hasRoom(int symmetries) {
    return countShared(shape, symmetries) <= mostShared;
  }

  /** Counts the orbits of low parts, and lists one of each unless {@code representatives} is 0. */
  void orbits(StreamSlot slot, long lowImages, long representatives, long count, int symmetries) {
    slot.stream().fill(count, 0, Long.BYTES);
    slot.arguments()
        .int64(lowImages)
        .int64(representatives)
        .int64(count)
        .int32(symmetries)
        .int32(shape.lowBits());
    orbits.launchThreads(slot, 1L << shape.lowBits());
  }

  /** Lists all images of the representatives. */
  void images(
      StreamSlot slot, long lowImages, long representatives, long to, long count, int symmetries) {
    slot.arguments()
        .int64(lowImages)
        .int64(representatives)
        .int64(to)
        .int64(count)
        .int32(symmetries)
        .int32(shape.lowBits());
    long down = Math.min(count, (long) WAVES * multiprocessors);
    images.launchPlane(slot, Math.ceilDiv(symmetries, THREADS), down);
  }

  /** Counts the words of a slice by weight and low part, transformed over the high parts. */
  void count(StreamSlot slot, TransformMemory memory) {
    if (shape.lowBits() < shape.paddedBits()) {
      slot.stream().fill(memory.counted(), 0, memory.countedBytes());
    }
    int symmetries = memory.symmetries();
    slot.arguments()
        .int64(memory.basis())
        .int64(memory.places())
        .int64(memory.representatives())
        .int64(memory.images())
        .int64(memory.functionals())
        .int64(memory.counted())
        .int64(memory.countedBytes() / Integer.BYTES)
        .int64(memory.representativeCount())
        .int32(symmetries)
        .int32(1)
        .int32(shape.highBits())
        .int32(shape.lowBits())
        .int32(shape.length())
        .int32(shape.parts())
        .int32(shape.pairs())
        .int32(0);
    int tileBits = TransformShape.MIN_BITS - shape.highBits();
    countKernel(symmetries)
        .launchBlocks(slot, Math.ceilDiv(memory.representativeCount(), 1L << tileBits));
  }

  private GridStrideKernel countKernel(int symmetries) {
    String name = "transform_count_" + shape.parts() * Integer.SIZE;
    return modules.kernel("transforms", name, COUNT_THREADS, countShared(shape, symmetries), 1);
  }

  /** Transforms the bits that 32-bit numbers have room for. */
  void transform(StreamSlot slot, TransformMemory memory) {
    slot.arguments()
        .int64(memory.counted())
        .int64(memory.transforms())
        .int32(shape.paddedBits())
        .int32(Math.min(shape.shortBits(), FIRST_BITS))
        .int32(shape.order())
        .int32(shape.pairs());
    int blocks = (int) (shape.points() >> FIRST_BITS);
    slot.launch(first, new LaunchShape(blocks, 1, 1, THREADS, firstShared(shape)));
    int at = FIRST_BITS;
    while (at < shape.shortBits()) {
      int left = shape.shortBits() - at;
      int bits = Math.ceilDiv(left, Math.ceilDiv(left, MIDDLE_BITS));
      slot.arguments()
          .int64(memory.transforms())
          .int32(shape.paddedBits())
          .int32(at)
          .int32(shape.order())
          .int32(0);
      long threads = (long) shape.order() << (shape.paddedBits() - bits);
      slot.launch(
          middle.get(bits - 1), LaunchShape.of((int) Math.ceilDiv(threads, THREADS), THREADS));
      at += bits;
    }
  }

  /** Transforms the other bits of a chunk of functionals, and adds up their products. */
  void addChunk(StreamSlot slot, TransformMemory memory, long first) {
    long tiles = memory.chunk() >> TransformShape.MIN_BITS;
    slot.arguments()
        .int64(memory.transforms())
        .int64(memory.values())
        .int64(memory.large())
        .int64(memory.chunk())
        .int64(first >> TransformShape.MIN_BITS)
        .int64(tiles)
        .int64(TransformMemory.LIMIT)
        .int32(shape.paddedBits())
        .int32(shape.lastBits());
    int blocks = Math.toIntExact(tiles * shape.order());
    slot.launch(last, new LaunchShape(blocks, 1, 1, THREADS, lastShared(shape)));
    slot.stream().fill(memory.leftOutCount(), 0, Integer.BYTES);
    addProducts(slot, memory);
    addExactly(slot, memory);
  }

  private void addProducts(StreamSlot slot, TransformMemory memory) {
    slot.arguments()
        .int64(memory.values())
        .int64(memory.chunk())
        .int64(memory.chunk())
        .int64(memory.units())
        .int64(memory.sums())
        .int64(memory.leftOut())
        .int64(memory.leftOutCount())
        .int32(memory.unitCount())
        .int32(shape.order())
        .int32(productTile)
        .int32(0);
    products.launchPlane(
        slot, memory.chunk() / productTile, Math.ceilDiv(memory.unitCount(), PRODUCT_WARPS));
  }

  /** Those of the functionals that were left out. */
  private void addExactly(StreamSlot slot, TransformMemory memory) {
    slot.arguments()
        .int64(memory.values())
        .int64(memory.large())
        .int64(memory.chunk())
        .int64(memory.leftOut())
        .int64(memory.leftOutCount())
        .int64(memory.chunk())
        .int64(memory.triples())
        .int64(memory.sums())
        .int32(memory.tripleCount())
        .int32(shape.order());
    exact.launchPlane(
        slot, 2L * multiprocessors, Math.ceilDiv(memory.tripleCount(), EXACT_TRIPLES));
  }
}

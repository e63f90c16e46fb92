package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.weights.PairArguments.Bins;
import io.fieldstone.cuda.weights.PairArguments.Collect;
import io.fieldstone.cuda.weights.PairArguments.Run;
import io.fieldstone.cuda.weights.PairArguments.Tiles;
import io.fieldstone.cuda.weights.PairArguments.Weights;
import java.lang.foreign.StructLayout;
import java.util.Map;

/** The kernels of pairs.cu in Java: every pair, and every word, by its definition. */
public final class FakeWeightKernels {

  private static final int WARP = 32;

  private FakeWeightKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.ofEntries(
        Map.entry("PairRun", Run.class),
        Map.entry("PairTilesArguments", Tiles.class),
        Map.entry("PairBinsArguments", Bins.class),
        Map.entry("PairCollectArguments", Collect.class),
        Map.entry("WeightCountArguments", Weights.class),
        Map.entry("SumTableArguments", DistanceArguments.Table.class),
        Map.entry("LightSumsArguments", DistanceArguments.Sums.class),
        Map.entry("TrialsArguments", DistanceArguments.Walks.class),
        Map.entry("WalshArguments", WalshArguments.class),
        Map.entry("TransformOrbitsArguments", TransformArguments.Orbits.class),
        Map.entry("TransformImagesArguments", TransformArguments.Images.class),
        Map.entry("TransformCountArguments", TransformArguments.Count.class),
        Map.entry("TransformFirstArguments", TransformArguments.First.class),
        Map.entry("TransformMiddleArguments", TransformArguments.Middle.class),
        Map.entry("TransformLastArguments", TransformArguments.Last.class),
        Map.entry("TransformProductsArguments", TransformArguments.Products.class),
        Map.entry("TransformExactArguments", TransformArguments.Exact.class));
  }

  /** Returns the layouts of structs, by the names of the CUDA source. */
  public static Map<String, StructLayout> layouts() {
    return Map.of("TripleUnit", TripleSchedule.UNIT);
  }

  public static FakeDriver register(FakeDriver driver) {
    return FakeWalshKernels.register(
            FakeDistanceKernels.register(FakeTransformKernels.register(driver)))
        .kernel(
            "pairs_global",
            Struct.bytes(Bins.class),
            (shape, struct) -> bins(shape, Struct.read(struct, Bins.class), false))
        .kernel(
            "pairs_local",
            Struct.bytes(Bins.class),
            (shape, struct) -> bins(shape, Struct.read(struct, Bins.class), true))
        .kernel(
            "pairs_collect",
            Struct.bytes(Collect.class),
            (_, struct) -> collect(Struct.read(struct, Collect.class)))
        .kernel(
            "pairs_tensor_128",
            Struct.bytes(Tiles.class),
            (shape, struct) -> tensor(shape, Struct.read(struct, Tiles.class), 4))
        .kernel(
            "pairs_tensor_256",
            Struct.bytes(Tiles.class),
            (shape, struct) -> tensor(shape, Struct.read(struct, Tiles.class), 8))
        .kernel(
            "weights_count",
            Struct.bytes(Weights.class),
            (shape, struct) -> weights(shape, Struct.read(struct, Weights.class)));
  }

  private static void add(long address, long value) {
    set(address, int64(address) + value);
  }

  private static int commonOnes(long left, long right, int length) {
    int ones = 0;
    for (int part = 0; part < Math.ceilDiv(length, Integer.SIZE); part++) {
      int common = int32(left + 4L * part) & int32(right + 4L * part);
      ones += Integer.bitCount(common & mask(length, part));
    }
    return ones;
  }

  /** Returns a mask of the bits of a part that are within the length. */
  private static int mask(int length, int part) {
    return (int) ((1L << Math.clamp(length - (long) Integer.SIZE * part, 0, Integer.SIZE)) - 1);
  }

  private static void bins(LaunchShape shape, Bins a, boolean isLocal) {
    int side = a.length() + 1;
    int most = (a.length() / 2 + 1) * (a.length() - a.length() / 2 + 1);
    require(shape.blockX() % WARP == 0, "whole warps");
    require(!isLocal || shape.sharedBytes() >= 4 * most, "bins of all (y, z)");
    long wordBytes = 4L * a.wordInts();
    for (long u = a.left(); u < a.left() + a.leftCount() * wordBytes; u += wordBytes) {
      int t = commonOnes(u, u, a.length());
      for (long v = a.right(); v < a.right() + a.rightCount() * wordBytes; v += wordBytes) {
        int x = commonOnes(u, v, a.length());
        int z = commonOnes(v, v, a.length()) - x;
        add(a.bins() + 8 * (((long) x * side + t - x) * side + z), 1);
      }
    }
  }

  private static void collect(Collect a) {
    int side = a.length() + 1;
    for (int u = a.firstLeft(); u < a.firstLeft() + a.leftCount(); u++) {
      for (int v = a.firstRight(); v < a.firstRight() + a.rightCount(); v++) {
        int left = int32(a.leftWeights() + 4L * u);
        int right = int32(a.rightWeights() + 4L * v);
        for (int x = 0; x <= Math.min(left, right); x++) {
          long bin = a.bins() + 8 * (((long) x * side + left - x) * side + right - x);
          add(a.counts() + 8 * (((long) u * a.rightGroups() + v) * side + x), int64(bin));
          set(bin, 0L);
        }
      }
    }
  }

  private static void tensor(LaunchShape shape, Tiles a, int wordInts) {
    require(shape.blockX() == 256 && shape.gridX() <= a.tiles(), "the launch");
    require(shape.sharedBytes() == 128 * (a.length() + 1), "bins of each lane");
    long wordBytes = 4L * wordInts;
    long seen = 0;
    for (int i = 0; i < a.runCount(); i++) {
      Run run = GpuMemory.struct(a.runs() + (long) Run.BYTES * i, Run.class);
      require(run.firstTile() == seen, "tiles follow each other");
      seen +=
          Math.ceilDiv(run.leftCount(), (long) TensorPairs.TILE_ROWS)
              * Math.ceilDiv(run.rightCount(), TensorPairs.TILE_COLUMNS);
      get(run.right() + (run.rightCount() + PairMemory.PADDING_WORDS) * wordBytes - 1);
      for (long u = 0; u < run.leftCount(); u++) {
        for (long v = 0; v < run.rightCount(); v++) {
          long left = run.left() + u * wordBytes;
          long right = run.right() + v * wordBytes;
          add(run.counts() + 8L * commonOnes(left, right, a.length()), 1);
        }
      }
    }
    require(seen == a.tiles(), "all tiles");
  }

  private static void weights(LaunchShape shape, Weights a) {
    require(a.splitBits() >= 0 && a.splitBits() <= a.rows(), "the split");
    require(
        shape.sharedBytes() == 128 * (a.length() + 1) + 128 * a.wordInts(), "the shared memory");
    for (long i = 0; i < a.offsetCount(); i++) {
      int[] word = word(a.offsets() + i * a.wordInts() * 4, a.wordInts());
      for (long step = 1; step <= 1L << a.rows(); step++) {
        int ones = 0;
        for (int part = 0; part < a.wordInts(); part++) {
          ones += Integer.bitCount(word[part] & mask(a.length(), part));
        }
        add(a.counts() + 8L * ones, int64(a.multiplicities() + 8 * i));
        int row = Long.numberOfTrailingZeros(step);
        if (row < a.rows()) {
          addTo(word, a.basis() + row * a.wordInts() * 4L);
        }
      }
    }
  }

  private static int[] word(long address, int parts) {
    int[] word = new int[parts];
    for (int part = 0; part < parts; part++) {
      word[part] = int32(address + 4L * part);
    }
    return word;
  }

  private static void addTo(int[] word, long row) {
    for (int part = 0; part < word.length; part++) {
      word[part] ^= int32(row + 4L * part);
    }
  }
}

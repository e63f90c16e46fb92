package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static io.fieldstone.cuda.KernelTwins.require;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/** What the kernels of pairs.cu do: every pair, and every word, by its definition. */
public final class WeightTwins {

  private static final int WARP = 32;
  private static final int RUN_BYTES = 48;
  private static final int TILE_ROWS = 512;
  private static final int TILE_COLUMNS = 2048;
  private static final int MORE_WORDS = 64;

  private WeightTwins() {}

  public static FakeDriver register(FakeDriver driver) {
    return TransformTwins.register(driver)
        .kernel("pairs_global", 48, (shape, struct) -> bins(shape, struct, false))
        .kernel("pairs_local", 48, (shape, struct) -> bins(shape, struct, true))
        .kernel("pairs_collect", 56, (_, struct) -> collect(struct))
        .kernel("pairs_tensor_128", 24, (shape, struct) -> tensor(shape, struct, 4))
        .kernel("pairs_tensor_256", 24, (shape, struct) -> tensor(shape, struct, 8))
        .kernel("weights_count", 56, WeightTwins::weights);
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

  /** Bits past the length are not looked at. */
  private static int mask(int length, int part) {
    return (int) ((1L << Math.clamp(length - (long) Integer.SIZE * part, 0, Integer.SIZE)) - 1);
  }

  private static void bins(LaunchShape shape, MemorySegment memory, boolean isLocal) {
    Struct struct = new Struct(memory);
    long left = struct.int64();
    long right = struct.int64();
    long leftCount = struct.int64();
    long rightCount = struct.int64();
    long bins = struct.int64();
    int side = struct.int32() + 1;
    int parts = struct.int32();
    int length = side - 1;
    int most = (length / 2 + 1) * (length - length / 2 + 1);
    require(shape.blockX() % WARP == 0, "whole warps");
    require(!isLocal || shape.sharedBytes() >= 4 * most, "bins of all (y, z)");
    for (long u = left; u < left + leftCount * parts * 4; u += parts * 4L) {
      int t = commonOnes(u, u, length);
      for (long v = right; v < right + rightCount * parts * 4; v += parts * 4L) {
        int x = commonOnes(u, v, length);
        int z = commonOnes(v, v, length) - x;
        add(bins + 8 * (((long) x * side + t - x) * side + z), 1);
      }
    }
  }

  private static void collect(MemorySegment memory) {
    Struct struct = new Struct(memory);
    long bins = struct.int64();
    long counts = struct.int64();
    long leftWeights = struct.int64();
    long rightWeights = struct.int64();
    int firstLeft = struct.int32();
    int leftCount = struct.int32();
    int firstRight = struct.int32();
    int rightCount = struct.int32();
    int rightGroups = struct.int32();
    int side = struct.int32() + 1;
    for (int u = firstLeft; u < firstLeft + leftCount; u++) {
      for (int v = firstRight; v < firstRight + rightCount; v++) {
        int left = int32(leftWeights + 4L * u);
        int right = int32(rightWeights + 4L * v);
        for (int x = 0; x <= Math.min(left, right); x++) {
          long bin = bins + 8 * (((long) x * side + left - x) * side + right - x);
          add(counts + 8 * (((long) u * rightGroups + v) * side + x), int64(bin));
          set(bin, 0L);
        }
      }
    }
  }

  private static void tensor(LaunchShape shape, MemorySegment memory, int parts) {
    Struct struct = new Struct(memory);
    long runs = struct.int64();
    long tiles = struct.int64();
    int runCount = struct.int32();
    int length = struct.int32();
    require(shape.blockX() == 256 && shape.gridX() <= tiles, "the launch");
    require(shape.sharedBytes() == 128 * (length + 1), "bins of each lane");
    long seen = 0;
    for (long run = runs; run < runs + (long) runCount * RUN_BYTES; run += RUN_BYTES) {
      long left = int64(run);
      long right = int64(run + 8);
      long leftCount = int64(run + 16);
      long rightCount = int64(run + 24);
      long counts = int64(run + 32);
      require(int64(run + 40) == seen, "tiles follow each other");
      seen += Math.ceilDiv(leftCount, (long) TILE_ROWS) * Math.ceilDiv(rightCount, TILE_COLUMNS);
      get(right + (rightCount + MORE_WORDS) * parts * 4 - 1);
      for (long u = left; u < left + leftCount * parts * 4; u += parts * 4L) {
        for (long v = right; v < right + rightCount * parts * 4; v += parts * 4L) {
          add(counts + 8L * commonOnes(u, v, length), 1);
        }
      }
    }
    require(seen == tiles, "all tiles");
  }

  private static void weights(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long basis = struct.int64();
    long offsets = struct.int64();
    long multiplicities = struct.int64();
    long offsetCount = struct.int64();
    long counts = struct.int64();
    int rows = struct.int32();
    int length = struct.int32();
    int parts = struct.int32();
    int splitBits = struct.int32();
    require(splitBits >= 0 && splitBits <= rows, "the split");
    require(shape.sharedBytes() == 128 * (length + 1) + 128 * parts, "the shared memory");
    for (long i = 0; i < offsetCount; i++) {
      int[] word = word(offsets + i * parts * 4, parts);
      for (long step = 1; step <= 1L << rows; step++) {
        int ones = 0;
        for (int part = 0; part < parts; part++) {
          ones += Integer.bitCount(word[part] & mask(length, part));
        }
        add(counts + 8L * ones, int64(multiplicities + 8 * i));
        int row = Long.numberOfTrailingZeros(step);
        if (row < rows) {
          addTo(word, basis + row * parts * 4L);
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

package io.fieldstone.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.get;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.FakeKernel;
import io.fieldstone.cuda.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/**
 * Java versions of the kernels of checksums.cu. They use the tables bit by bit as the kernels do,
 * so that a wrong or misplaced table yields a wrong remainder.
 */
final class FakeChecksumKernels {

  private static final int WARPS = 12;
  private static final int STRIP = 32 << 10;
  private static final int STEPS = 32;
  private static final int BLOCK = 64;
  private static final long MAP_BYTES = 512;

  private FakeChecksumKernels() {}

  static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel("checksum_pcrc", bytes("ChecksumChunksArguments"), FakeChecksumKernels::chunks)
        .kernel(
            "checksum_pcrc_reduction",
            bytes("ChecksumChunksArguments"),
            FakeChecksumKernels::chunks)
        .kernel(
            "checksum_strips_32",
            bytes("ChecksumStripsArguments"),
            (shape, struct) -> strips(shape, struct, 4))
        .kernel(
            "checksum_strips_64",
            bytes("ChecksumStripsArguments"),
            (shape, struct) -> strips(shape, struct, 8))
        .kernel(
            "checksum_rows_32",
            bytes("ChecksumRowsArguments"),
            (shape, struct) -> rows(shape, struct, 4))
        .kernel(
            "checksum_rows_64",
            bytes("ChecksumRowsArguments"),
            (shape, struct) -> rows(shape, struct, 8));
  }

  private static long word(long address) {
    require(address % Long.BYTES == 0, "aligned words");
    return GpuMemory.int64(address);
  }

  /** Returns the image of a remainder under a map. */
  private static long image(long map, long remainder) {
    long image = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      image ^= (remainder >>> i & 1) == 0 ? 0 : word(map + (long) i * Long.BYTES);
    }
    return image;
  }

  /** Messages, and the register in front of each. */
  private record Batch(
      long data,
      long offsets,
      long lengths,
      long offset,
      long stride,
      long length,
      long count,
      long front,
      long remainder,
      int width) {

    static Batch of(Struct struct) {
      return new Batch(
          struct.int64("messages.data"),
          struct.int64("messages.offsets"),
          struct.int64("messages.lengths"),
          struct.int64("messages.offset"),
          struct.int64("messages.stride"),
          struct.int64("messages.length"),
          struct.int64("messages.count"),
          struct.int64("initial.front"),
          struct.int64("initial.remainder"),
          struct.int32("initial.width"));
    }

    long start(long i) {
      return data + (offsets == 0 ? offset + i * stride : word(offsets + i * Long.BYTES));
    }

    long bytes(long i) {
      return lengths == 0 ? length : word(lengths + i * Long.BYTES);
    }

    /** Returns a byte of a message with the register added. */
    int at(long i, long place) {
      int added = place < Long.BYTES ? (int) (front >>> Byte.SIZE * place) & 0xFF : 0;
      return get(start(i) + place) ^ added;
    }

    /** Returns the part of the register beyond the end of a message. */
    long rest(long bytes) {
      return Byte.SIZE * bytes < width
          ? remainder << Byte.SIZE * bytes & -1L >>> (Long.SIZE - width)
          : 0;
    }
  }

  /** For each bit of a step that a thread of a row may have loaded, its power of x. */
  private static long[] powers(long operands, int steps, int tiles) {
    long[] powers = new long[steps * 4 * 2 * Integer.SIZE];
    for (int step = 0; step < steps; step++) {
      for (int bit = 0; bit < Byte.SIZE * tiles; bit++) {
        for (int t = 0; t < 4; t++) {
          for (int j = 0; j < 2; j++) {
            int lane = bit % 8 * 4 + t;
            int pair = step * tiles / 2 + bit / 16;
            int operand =
                ALL.get(
                    JAVA_INT, operands + 16L * (32 * pair + lane) + 8L * (bit / 8 % 2) + 4L * j);
            for (int i = 0; i < Integer.SIZE; i++) {
              powers[index(step, t, j, i)] |= (long) (operand >>> i & 1) << bit;
            }
          }
        }
      }
    }
    return powers;
  }

  private static int index(int step, int t, int j, int i) {
    return ((step * 4 + t) * 2 + j) * Integer.SIZE + i;
  }

  /** Adds a byte to one of the two rows that it may be in, as its word has it. */
  private static void add(long[] sums, int row, long[] powers, int step, int inRow, int value) {
    int word = inRow % 16 / 4;
    for (int rest = value; rest != 0; rest &= rest - 1) {
      int i = inRow % 4 * Byte.SIZE + Integer.numberOfTrailingZeros(rest);
      sums[2 * row + word % 2] ^= powers[index(step, inRow / 16, word / 2, i)];
    }
  }

  private static void strips(LaunchShape shape, MemorySegment memory, int tiles) {
    Struct struct = new Struct(memory, "ChecksumStripsArguments");
    Batch batch = Batch.of(struct);
    long operands = struct.int64("operands");
    long weights = struct.int64("weights");
    long maps = struct.int64("strips");
    long back = struct.int64("back");
    long remainders = struct.int64("remainders");
    int blocks = struct.int32("blocks");
    require(shape.blockX() == WARPS * 32, "the threads");
    require(shape.gridX() % blocks == 0, "whole messages");
    require(shape.sharedBytes() == (tiles == 4 ? 49_152 : 90_112), "the shared memory");
    long[] powers = powers(operands, STEPS, tiles);
    long warps = (long) blocks * WARPS;
    for (long i = 0; i < batch.count(); i++) {
      long sum = 0;
      long end = batch.start(i) + batch.bytes(i) + 15 & -16;
      long strips = Math.ceilDiv(end - batch.start(i), (long) STRIP);
      for (long warp = 0; warp < Math.min(warps, strips); warp++) {
        long remainder = 0;
        for (long strip = warp + (strips - 1 - warp) / warps * warps; strip >= 0; strip -= warps) {
          remainder = advanced(maps, remainder, warps);
          remainder ^= strip(batch, i, end - (strip + 1) * STRIP, powers, weights, tiles);
        }
        sum ^= advanced(maps, remainder, warp);
      }
      long pad = end - batch.start(i) - batch.bytes(i);
      for (int bit = 0; bit < 4; bit++) {
        sum = (pad >>> bit & 1) == 0 ? sum : image(back + bit * MAP_BYTES, sum);
      }
      long rest = batch.rest(batch.bytes(i));
      long target = remainders + i * Long.BYTES;
      FakeKernel.memory(target, Long.BYTES).set(JAVA_LONG, 0, word(target) ^ sum ^ rest);
    }
  }

  private static long advanced(long maps, long remainder, long strips) {
    long image = remainder;
    for (int bit = 0; bit < 16; bit++) {
      image = (strips >>> bit & 1) == 0 ? image : image(maps + bit * MAP_BYTES, image);
    }
    return image;
  }

  private static long strip(
      Batch batch, long i, long begin, long[] powers, long weights, int tiles) {
    long[] sums = new long[2 * 16];
    long first = Math.max(0, begin - batch.start(i));
    long last = Math.min(batch.bytes(i), begin + STRIP - batch.start(i));
    for (long place = first; place < last; place++) {
      int at = (int) (batch.start(i) + place - begin);
      add(sums, at % 1024 / BLOCK, powers, at / 1024, at % BLOCK, batch.at(i, place));
    }
    long remainder = 0;
    for (int row = 0; row < 16; row++) {
      for (int word = 0; word < 2; word++) {
        for (int bit = 0; bit < Byte.SIZE * tiles; bit++) {
          long vector =
              ((long) (row / 8 * tiles + bit / 8) * 2 + word) * 32 + row % 8 * 4 + bit % 8 / 2;
          boolean isSet = (sums[2 * row + word] >>> bit & 1) != 0;
          remainder ^= isSet ? word(weights + 16 * vector + 8L * (bit % 2)) : 0;
        }
      }
    }
    return remainder;
  }

  private static void rows(LaunchShape shape, MemorySegment memory, int tiles) {
    Struct struct = new Struct(memory, "ChecksumRowsArguments");
    Batch batch = Batch.of(struct);
    long operands = struct.int64("operands");
    long back = struct.int64("back");
    long segmentMap = struct.int64("segments");
    long remainders = struct.int64("remainders");
    long addend = struct.int64("addend");
    int segment = struct.int32("segment");
    require(shape.blockX() == WARPS * 32, "the threads");
    require(segment > 0 && segment % 4 == 0, "whole rounds");
    int shared = tiles == 4 ? 22_816 + 1024 * segment : 40_480 + 2048 * segment;
    require(shape.sharedBytes() == shared, "the shared memory");
    long[] powers = powers(operands, segment, tiles);
    for (long i = 0; i < batch.count(); i++) {
      long end = batch.start(i) + batch.bytes(i) + BLOCK - 1 & -BLOCK;
      long[] parts = new long[2];
      long segmentBytes = (long) segment * BLOCK;
      long segments = Math.ceilDiv(end - batch.start(i), segmentBytes);
      for (long s = segments - 1; s >= 0; s--) {
        long[] sums = new long[2];
        long begin = end - (s + 1) * segmentBytes;
        long first = Math.max(0, begin - batch.start(i));
        long last = Math.min(batch.bytes(i), begin + segmentBytes - batch.start(i));
        for (long place = first; place < last; place++) {
          int at = (int) (batch.start(i) + place - begin);
          int block = segment - 1 - at / BLOCK;
          add(sums, 0, powers, block, at % BLOCK, batch.at(i, place));
        }
        for (int part = 0; part < 2; part++) {
          parts[part] = image(segmentMap, parts[part]) ^ sums[part];
        }
      }
      long pad = end - batch.start(i) - batch.bytes(i);
      long remainder =
          image(back + pad * MAP_BYTES, parts[0])
              ^ image(back + (pad + 4) * MAP_BYTES, parts[1])
              ^ addend
              ^ batch.rest(batch.bytes(i));
      FakeKernel.memory(remainders + i * Long.BYTES, Long.BYTES).set(JAVA_LONG, 0, remainder);
    }
  }

  private static void chunks(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory, "ChecksumChunksArguments");
    long start = struct.int64("start");
    long length = struct.int64("length");
    long betas = struct.int64("beta");
    long betaCount = struct.int64("beta_count");
    long partials = struct.int64("partials");
    long terms = struct.int64("terms");
    int width = struct.int32("width");
    boolean lowBitFirst = struct.int32("low_bit_first") != 0;
    int threads = shape.blockX();
    require(Integer.bitCount(threads) == 1 && betaCount % threads == 0, "the threads");
    long chunks = Math.ceilDiv(Byte.SIZE * length, (long) width);
    require(shape.gridX() == Math.ceilDiv(chunks, (long) threads), "a block for all chunks");
    for (int block = 0; block < shape.gridX(); block++) {
      long sum = 0;
      for (long i = (long) block * threads; i < Math.min(chunks, (block + 1L) * threads); i++) {
        long beta = word(betas + i % betaCount * Long.BYTES);
        // The chunk from its lowest bit on: each is the next one from the end of the message.
        int value = 0;
        for (int bit = 0; bit < width && i * width + bit < Byte.SIZE * length; bit++) {
          long place = i * width + bit;
          int shift = (int) (place % Byte.SIZE);
          if (bit == 0 || shift == 0) {
            value = get(start + length - 1 - place / Byte.SIZE);
          }
          int at = lowBitFirst ? Byte.SIZE - 1 - shift : shift;
          sum ^= (value >>> at & 1) == 0 ? 0 : beta;
          boolean carries = (beta >>> (width - 1) & 1) != 0;
          beta = (beta << 1 & -1L >>> (Long.SIZE - width)) ^ (carries ? terms : 0);
        }
      }
      long target = partials + (long) block * Long.BYTES;
      FakeKernel.memory(target, Long.BYTES).set(JAVA_LONG, 0, sum);
    }
  }
}

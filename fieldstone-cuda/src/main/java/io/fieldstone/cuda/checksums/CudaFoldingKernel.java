package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.checksums.FoldingTables.Part;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.checksums.Divisor;

/**
 * The kernels of checksums.cu that divide on binary tensor cores, for degrees up to 32 or up to 64.
 * The strips kernel divides a long message by several blocks, or by the warps of one block. The
 * rows kernel divides sixteen messages per warp. Thread-safe.
 */
final class CudaFoldingKernel {

  private static final int WARPS = 12;
  private static final int WARP = 32;
  private static final int THREADS = WARPS * WARP;

  /** The messages that a warp divides at once. */
  private static final int GROUP = 16;

  /** The 64-byte blocks that a warp loads at once. */
  private static final int ROUND = 4;

  /** The maximum message of the rows kernel, whose offsets have 31 bits. */
  static final long MAX_BYTES_OF_ROW = 1L << 30;

  private static final int NARROW_STRIPS_SHARED = 49_152;
  private static final int WIDE_STRIPS_SHARED = 90_112;
  private static final int NARROW_ROWS_SHARED = 22_816;
  private static final int WIDE_ROWS_SHARED = 40_480;
  private static final int DEFAULT_SHARED_BYTES = 48 << 10;

  // The cost model that selects the kernel: times, and rates in bytes per nanosecond, of one
  // multiprocessor of an H200. Strips are measured; a round of rows waits for memory once.
  private static final double ROWS_START_NS = 3000;
  private static final double ROWS_ROUND_NS = 800;
  private static final double ROWS_RATE = 20;
  private static final double STRIPS_START_NS = 4000;
  private static final double STRIP_RATE = 5;
  private static final double STRIPS_RATE = 30;

  private final int tiles;
  private final int multiprocessors;
  private final Function strips;
  private final Function rows;
  private final int stripsShared;
  private final int rowsShared;
  private final int segment;

  private CudaFoldingKernel(
      KernelModules modules, Device device, int tiles, int stripsShared, int minRowsShared) {
    int width = Byte.SIZE * tiles;
    this.tiles = tiles;
    this.multiprocessors = device.multiprocessors();
    this.strips = modules.function("checksums", "checksum_strips_" + width);
    this.rows = modules.function("checksums", "checksum_rows_" + width);
    this.stripsShared = stripsShared;
    int maxSharedBytes = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    int operandBytes = (int) FoldingTables.operandBytes(tiles);
    int maxBlocks = (maxSharedBytes - minRowsShared) / operandBytes;
    this.segment = Math.min(FoldingTables.SEGMENT, maxBlocks) / ROUND * ROUND;
    this.rowsShared = minRowsShared + segment * operandBytes;
    allow(strips, stripsShared);
    allow(rows, rowsShared);
  }

  private static void allow(Function function, int sharedBytes) {
    if (sharedBytes > DEFAULT_SHARED_BYTES) {
      function.allowSharedBytes(sharedBytes);
    }
  }

  /** Loads the kernels for remainders of {@link FoldingTables#tiles}. */
  static CudaFoldingKernel find(Gpu gpu, int tiles) {
    KernelModules modules = gpu.modules();
    Device device = gpu.context().device();
    return tiles == FoldingTables.NARROW_TILES
        ? new CudaFoldingKernel(modules, device, tiles, NARROW_STRIPS_SHARED, NARROW_ROWS_SHARED)
        : new CudaFoldingKernel(modules, device, tiles, WIDE_STRIPS_SHARED, WIDE_ROWS_SHARED);
  }

  /** Returns a divider that reads the {@link FoldingTables} at an address. */
  Divider divider(long tablesAddress, Divisor divisor) {
    return new Divider(new FoldingTables(tablesAddress, tiles), divisor);
  }

  /** Returns whether the rows kernel is estimated to be faster. */
  private boolean suitsRows(long count, long longest, long total) {
    if (longest > MAX_BYTES_OF_ROW) {
      return false;
    }
    long groups = Math.ceilDiv(count, GROUP);
    long waves = Math.ceilDiv(groups, (long) WARPS * multiprocessors);
    long rounds = Math.ceilDiv(longest, ROUND * FoldingTables.BLOCK_BYTES);
    double rowsNs =
        Math.max(
            waves * (ROWS_START_NS + ROWS_ROUND_NS * rounds), total / ROWS_RATE / multiprocessors);
    long mean = total / count;
    int blocks = blocks(count, mean);
    long turns = Math.ceilDiv(count, multiprocessors / blocks);
    double stripNs = Math.min(mean, FoldingTables.STRIP_BYTES) / STRIP_RATE;
    double stripsNs = turns * (STRIPS_START_NS + Math.max(stripNs, mean / STRIPS_RATE / blocks));
    return rowsNs <= stripsNs;
  }

  /** Returns the thread blocks per message: all of the GPU, if the message has enough strips. */
  private int blocks(long count, long length) {
    long strips = length / FoldingTables.STRIP_BYTES + 1;
    return (int) Math.min(strips, Math.max(1, multiprocessors / count));
  }

  /** Divides by one divisor. */
  final class Divider implements PieceDivider {

    private final FoldingTables tables;
    private final Divisor divisor;

    private Divider(FoldingTables tables, Divisor divisor) {
      this.tables = tables;
      this.divisor = divisor;
    }

    @Override
    public void enqueueDivide(StreamSlot slot, long address, long bytes, long resultAddress) {
      launchStrips(slot, DeviceMessages.one(address, bytes), bytes, 0, resultAddress);
    }

    /**
     * Enqueues the division of a batch.
     *
     * @param maxBytes the length of the longest message
     * @param totalBytes the sum of all lengths
     * @param remainders address of 8 bytes for each message
     */
    void enqueueDivide(
        StreamSlot slot,
        DeviceMessages messages,
        long maxBytes,
        long totalBytes,
        long register,
        long remainders) {
      if (suitsRows(messages.count(), maxBytes, totalBytes)) {
        launchRows(slot, messages, register, remainders);
      } else {
        launchStrips(slot, messages, totalBytes / messages.count(), register, remainders);
      }
    }

    private void launchStrips(
        StreamSlot slot, DeviceMessages messages, long mean, long register, long remainders) {
      slot.stream().fill(remainders, 0, messages.count() * Long.BYTES);
      int blocks = blocks(messages.count(), mean);
      long grid = Math.min(blocks * messages.count(), (long) multiprocessors / blocks * blocks);
      KernelArguments arguments = slot.arguments();
      messages.write(arguments);
      writeRegister(arguments, register);
      arguments
          .int64(tables.address(Part.STRIP_OPERANDS))
          .int64(tables.address(Part.WEIGHTS))
          .int64(tables.address(Part.STRIPS))
          .int64(tables.address(Part.STRIPS_BACK))
          .int64(remainders)
          .int32(blocks)
          .int32(0);
      slot.launch(strips, new LaunchShape((int) grid, 1, 1, THREADS, stripsShared));
    }

    private void launchRows(
        StreamSlot slot, DeviceMessages messages, long register, long remainders) {
      // Messages of one length have a common contribution of the register, added at the end.
      long common = messages.isListed() ? 0 : register;
      long power = divisor.modulus().xToThe(Byte.SIZE * messages.length());
      KernelArguments arguments = slot.arguments();
      messages.write(arguments);
      writeRegister(arguments, register ^ common);
      arguments
          .int64(tables.address(Part.ROW_OPERANDS))
          .int64(tables.address(Part.ROWS_BACK))
          .int64(tables.segmentMap(segment))
          .int64(remainders)
          .int64(divisor.modulus().multiply(common, power))
          .int32(segment)
          .int32(0);
      long grid = Math.min(Math.ceilDiv(messages.count(), GROUP), multiprocessors);
      slot.launch(rows, new LaunchShape((int) grid, 1, 1, THREADS, rowsShared));
    }

    /** Appends a {@code struct Register}. */
    private void writeRegister(KernelArguments arguments, long register) {
      arguments.int64(divisor.overlay(register)).int64(register).int32(divisor.degree()).int32(0);
    }
  }
}

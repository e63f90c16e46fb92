package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;

/**
 * Stages single blocks for a {@link BlockStore} in pinned memory with the row layout of the store,
 * so that hundreds are uploaded in one copy. Thread-safe.
 */
final class StagedBlocks {

  /** The maximum staging memory; larger stores are written directly. */
  private static final long MAX_STAGED_BYTES = 256L << 20;

  private final Gpu gpu;
  private final BlockStore store;
  private final long stride;
  private final long pitch;
  private final BitSet filled = new BitSet();
  private Optional<PinnedBuffer> memory = Optional.empty();
  private boolean canStage;

  StagedBlocks(Gpu gpu, BlockStore store) {
    this.gpu = gpu;
    this.store = store;
    DeviceMatrices rows = store.rows();
    this.stride = rows.stride();
    this.pitch = rows.rows() * stride;
    this.canStage = pitch > 0 && rows.count() <= MAX_STAGED_BYTES / pitch;
  }

  /** Stages a block; {@link #flush} writes it to the store. */
  synchronized void add(long matrix, int row, MemorySegment block) {
    if (canStage && memory.isEmpty()) {
      memory = reserve();
    }
    if (memory.isPresent()) {
      long offset = matrix * pitch + row * stride;
      MemorySegment.copy(block, 0, memory.get().segment(), offset, block.byteSize());
      filled.set(Math.toIntExact(matrix * store.rows().rows() + row));
    } else {
      store(matrix, row, ByteMatrices.of(block, 1, store.rows().columns()));
    }
  }

  private Optional<PinnedBuffer> reserve() {
    try {
      return Optional.of(gpu.context().allocatePinned(store.rows().count() * pitch));
    } catch (OutOfDeviceMemoryException e) {
      canStage = false;
      return Optional.empty();
    }
  }

  /** Writes all staged blocks to the store. */
  synchronized void flush() {
    int rows = store.rows().rows();
    while (!filled.isEmpty()) {
      int from = filled.nextSetBit(0);
      int to = Math.min(filled.nextClearBit(from), (from / rows + 1) * rows);
      long matrix = from / rows;
      int count = 1;
      while (isFilled(from + (long) count * rows, to + (long) count * rows)) {
        count++;
      }
      storeStaged(matrix, count, from % rows, to - from);
      for (int i = 0; i < count; i++) {
        filled.clear(from + i * rows, to + i * rows);
      }
    }
  }

  private boolean isFilled(long from, long to) {
    return to <= store.rows().count() * store.rows().rows()
        && filled.nextClearBit((int) from) >= to;
  }

  private void storeStaged(long matrix, long count, int row, int rows) {
    MemorySegment from = memory.orElseThrow().segment().asSlice(matrix * pitch + row * stride);
    store(matrix, row, new ByteMatrices(from, count, rows, store.rows().columns(), stride, pitch));
  }

  private void store(long matrix, int row, ByteMatrices blocks) {
    store.enterToTransfer();
    try {
      HeldMemory.run(
          () ->
              gpu.jobs()
                  .run(
                      new StoreJob(
                          HostMatrices.input(gpu, blocks), store.sink(matrix, row, false))),
          blocks.data());
    } finally {
      store.leave();
    }
  }

  /** Frees the staging memory. Idempotent. */
  synchronized void close() {
    memory.ifPresent(PinnedBuffer::close);
  }
}

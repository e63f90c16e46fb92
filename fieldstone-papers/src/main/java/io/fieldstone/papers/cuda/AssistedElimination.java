package io.fieldstone.papers.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.coding.DownloadJob;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Decodes progressively on the GPU with CPU assistance (Nuclei, Sec. IV-F 1): the GPU reduces an
 * arriving row [C | x], the CPU finds its pivot, and the GPU eliminates the pivot's column.
 * Thread-safe as specified by {@link ProgressiveElimination}.
 */
final class AssistedElimination implements ProgressiveElimination {

  private static final int NO_PIVOT = -1;

  private final Gpu gpu;
  private final GaussJordanKernels kernels;
  private final FieldTables field;
  private final DeviceBuffer buffer;
  private final GaussJordanKernels.State state;
  private final ScratchLayout scratch = new ScratchLayout();
  private final long arrivalOffset;
  private final long pinnedOffset;
  private final long pivotOffset;

  /** The offset of the payload after the vector, in device and in pinned memory. */
  private final long payloadOffset;

  /** By slot, 1 if its source block is solved; out of date if {@link #isSolvedKnown} is false. */
  private final byte[] solved;

  private boolean isSolvedKnown = true;
  private int rank;

  private AssistedElimination(
      Gpu gpu,
      GaussJordanKernels kernels,
      FieldTables field,
      DeviceBuffer buffer,
      GaussJordanKernels.State state) {
    this.gpu = gpu;
    this.kernels = kernels;
    this.field = field;
    this.buffer = buffer;
    this.state = state;
    this.solved = new byte[state.n()];
    this.payloadOffset = DeviceMatrices.alignedStride(state.n());
    this.arrivalOffset = scratch.device(payloadOffset + state.k());
    this.pinnedOffset = scratch.pinned(payloadOffset + state.k());
    this.pivotOffset = scratch.pinned(Integer.BYTES);
  }

  /**
   * Creates an empty system of n blocks of k bytes.
   *
   * @throws IllegalArgumentException if n or k is less than 1
   * @throws OutOfMemoryError if device memory is insufficient
   */
  public static AssistedElimination open(
      ProductKernels kernels, GaussJordanKernels steps, Gf256 field, int n, int k) {
    if (n < 1 || k < 1) {
      throw new IllegalArgumentException(n + " blocks of " + k + " bytes: both must be at least 1");
    }
    Gpu gpu = kernels.gpu();
    return gpu.call(
        () -> "begin to eliminate %d blocks of %d bytes".formatted(n, k),
        () -> {
          FieldTables tables = kernels.tables(field);
          return gpu.withReserved(
              GaussJordanKernels.State.bytes(n, k),
              buffer -> {
                GaussJordanKernels.State state =
                    new GaussJordanKernels.State(buffer.address(), n, k);
                AssistedElimination elimination =
                    new AssistedElimination(gpu, steps, tables, buffer, state);
                elimination.clearState();
                return elimination;
              });
        });
  }

  @Override
  public int blocks() {
    return state.n();
  }

  @Override
  public int blockSize() {
    return state.k();
  }

  @Override
  public synchronized boolean add(MemorySegment vector, MemorySegment payload) {
    CodingPreconditions.requirePayload(this, payload);
    int before = rank;
    return onSlot(
        () -> "add a block to %d of %d".formatted(before, blocks()),
        vector,
        slot -> {
          pinned(slot).asSlice(payloadOffset).copyFrom(payload);
          GaussJordanKernels.Arrival arrival = upload(slot, vector, blockSize());
          kernels.reduce(slot, field, arrival);
          int pivot = findPivot(slot);
          if (pivot == NO_PIVOT) {
            return false;
          }
          pinnedPivot(slot).set(JAVA_INT, 0, pivot);
          kernels.eliminate(slot, field, arrival);
          slot.stream().synchronize();
          rank++;
          isSolvedKnown = false;
          return true;
        });
  }

  @Override
  public synchronized boolean isInnovative(MemorySegment vector) {
    return onSlot(
        () -> "try a vector of %d".formatted(blocks()),
        vector,
        slot -> {
          kernels.reduceVector(slot, field, upload(slot, vector, 0));
          return findPivot(slot) != NO_PIVOT;
        });
  }

  /** A step of a coded block; returns whether its vector is innovative. */
  private interface Step {
    boolean run(StreamSlot slot);
  }

  private boolean onSlot(Supplier<String> description, MemorySegment vector, Step step) {
    CodingPreconditions.requireVector(this, vector);
    if (rank == blocks()) {
      gpu.requireOpen();
      return false;
    }
    boolean[] innovative = new boolean[1];
    gpu.run(
        description, () -> gpu.streams().useOne(scratch, slot -> innovative[0] = step.run(slot)));
    return innovative[0];
  }

  private MemorySegment pinned(StreamSlot slot) {
    return slot.pinned(pinnedOffset, payloadOffset + blockSize());
  }

  private MemorySegment pinnedPivot(StreamSlot slot) {
    return slot.pinned(pivotOffset, Integer.BYTES);
  }

  /** Enqueues the upload of a vector, and of the payload in pinned memory if it has bytes. */
  private GaussJordanKernels.Arrival upload(
      StreamSlot slot, MemorySegment vector, int payloadBytes) {
    MemorySegment pinned = pinned(slot);
    pinned.asSlice(0, payloadOffset).fill((byte) 0).copyFrom(vector);
    long address = slot.device(arrivalOffset);
    slot.stream().upload(pinned.asSlice(0, payloadOffset + payloadBytes), address);
    return new GaussJordanKernels.Arrival(
        state, address, address + payloadOffset, pinnedPivot(slot).address());
  }

  /** Waits for the reduced vector and returns the column of its first entry, the CPU's part. */
  private int findPivot(StreamSlot slot) {
    MemorySegment reduced = pinned(slot).asSlice(0, blocks());
    slot.stream().download(state.reduced(), reduced);
    slot.stream().synchronize();
    for (int column = 0; column < blocks(); column++) {
      if (reduced.get(JAVA_BYTE, column) != 0) {
        return column;
      }
    }
    return NO_PIVOT;
  }

  @Override
  public synchronized int rank() {
    return rank;
  }

  @Override
  public synchronized boolean isSolved(int source) {
    Objects.checkIndex(source, blocks());
    findSolved();
    return solved[source] != 0;
  }

  @Override
  public synchronized int solved() {
    findSolved();
    int count = 0;
    for (byte one : solved) {
      count += one;
    }
    return count;
  }

  private void findSolved() {
    if (isSolvedKnown) {
      return;
    }
    gpu.run(
        () -> "find the solved blocks of %d".formatted(blocks()),
        () -> {
          gpu.streams()
              .useOne(
                  scratch,
                  slot -> {
                    kernels.findSolved(slot, field, state);
                    MemorySegment pinned = pinned(slot).asSlice(0, blocks());
                    slot.stream().download(state.reduced(), pinned);
                    slot.stream().synchronize();
                    MemorySegment.copy(pinned, JAVA_BYTE, 0, solved, 0, blocks());
                  });
        });
    isSolvedKnown = true;
  }

  @Override
  public synchronized void read(int first, ByteMatrices destination) {
    CodingPreconditions.requireSolved(this, first, destination);
    gpu.run(
        () -> "read " + destination.shape(),
        () -> {
          DeviceMatrices payloads = state.payloads().rows(first, destination.rows());
          gpu.jobs().run(DownloadJob.ofRows(payloads, HostMatrices.output(gpu, destination)));
        },
        destination.data());
  }

  @Override
  public synchronized void clear() {
    gpu.run(() -> "clear a system of %d blocks".formatted(blocks()), this::clearState);
  }

  private void clearState() {
    gpu.streams()
        .useOne(slot -> {
          slot.stream().fill(state.held(), 0, blocks());
          slot.stream().synchronize();
        });
    rank = 0;
    Arrays.fill(solved, (byte) 0);
    isSolvedKnown = true;
  }

  @Override
  public synchronized void close() {
    buffer.close();
  }
}

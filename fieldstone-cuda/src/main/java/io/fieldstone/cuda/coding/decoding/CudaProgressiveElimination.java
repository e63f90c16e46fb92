package io.fieldstone.cuda.coding.decoding;

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
import java.util.Objects;

/**
 * Decodes progressively on the GPU alone (Nuclei, Sec. IV-F 2): each coded block takes one launch
 * and one wait. The kernel reads the block from pinned memory and writes its status there, so only
 * solved blocks are copied, when they are read. Thread-safe as specified by {@link
 * ProgressiveElimination}.
 */
public final class CudaProgressiveElimination implements ProgressiveElimination {

  private final Gpu gpu;
  private final ProgressiveKernel kernel;
  private final ProgressiveKernel.Plan plan;
  private final FieldTables field;
  private final DeviceBuffer buffer;
  private final ProgressiveStatus status;
  private final ScratchLayout scratch = new ScratchLayout();
  private final long vectorOffset;
  private final long payloadOffset;
  private final long statusOffset;

  /** The number of blocks that were passed to the kernel. */
  private long addedBlocks;

  private CudaProgressiveElimination(
      Gpu gpu,
      ProgressiveKernel kernel,
      ProgressiveKernel.Plan plan,
      FieldTables field,
      DeviceBuffer buffer) {
    this.gpu = gpu;
    this.kernel = kernel;
    this.plan = plan;
    this.field = field;
    this.buffer = buffer;
    this.status = new ProgressiveStatus(plan.n());
    this.vectorOffset = scratch.pinned(plan.n());
    this.payloadOffset = scratch.pinned(plan.k());
    this.statusOffset = scratch.pinned(status.bytes());
  }

  /**
   * Creates an empty system of n blocks of k bytes.
   *
   * @param n 1 … {@link ProgressiveKernel#MAX_BLOCKS}
   * @throws IllegalArgumentException if k is less than 1
   * @throws OutOfMemoryError if device memory is insufficient
   */
  public static CudaProgressiveElimination open(
      ProductKernels kernels, ProgressiveKernel kernel, Gf256 field, int n, int k) {
    if (n < 1 || k < 1) {
      throw new IllegalArgumentException(n + " blocks of " + k + " bytes: both must be at least 1");
    }
    Gpu gpu = kernels.gpu();
    ProgressiveKernel.Plan plan = kernel.plan(n, k);
    return gpu.call(
        () -> "begin to eliminate %d blocks of %d bytes".formatted(n, k),
        () -> {
          FieldTables tables = kernels.tables(field);
          return gpu.withReserved(
              plan.bytes(),
              buffer -> {
                CudaProgressiveElimination elimination =
                    new CudaProgressiveElimination(gpu, kernel, plan, tables, buffer);
                elimination.clearState();
                return elimination;
              });
        });
  }

  @Override
  public int blocks() {
    return plan.n();
  }

  @Override
  public int blockSize() {
    return plan.k();
  }

  @Override
  public synchronized boolean add(MemorySegment vector, MemorySegment payload) {
    CodingPreconditions.requireVector(this, vector);
    CodingPreconditions.requirePayload(this, payload);
    if (rank() == blocks()) {
      gpu.requireOpen();
      return false;
    }
    int rankBefore = rank();
    gpu.run(
        () -> "add a block to %d of %d".formatted(rankBefore, blocks()),
        () -> gpu.streams().useOne(scratch, slot -> add(slot, vector, payload)));
    return rank() > rankBefore;
  }

  private void add(StreamSlot slot, MemorySegment vector, MemorySegment payload) {
    MemorySegment pinnedPayload = slot.pinned(payloadOffset, blockSize()).copyFrom(payload);
    MemorySegment pinnedStatus = slot.pinned(statusOffset, status.bytes());
    kernel.add(
        slot,
        field,
        plan,
        codedBlock(slot, vector, pinnedPayload.address(), pinnedStatus.address()));
    addedBlocks++;
    slot.stream().synchronize();
    if (ProgressiveStatus.isInnovative(pinnedStatus)) {
      status.update(pinnedStatus);
    }
  }

  /** Copies a vector to pinned memory and describes the block for the kernel. */
  private ProgressiveKernel.CodedBlock codedBlock(
      StreamSlot slot, MemorySegment vector, long payload, long pinnedStatus) {
    MemorySegment pinnedVector = slot.pinned(vectorOffset, blocks());
    MemorySegment.copy(vector, 0, pinnedVector, 0, vector.byteSize());
    pinnedVector.asSlice(vector.byteSize()).fill((byte) 0);
    return new ProgressiveKernel.CodedBlock(
        buffer.address(),
        addedBlocks,
        pinnedVector.address(),
        payload,
        pinnedStatus,
        status.hint(pinnedVector));
  }

  @Override
  public synchronized boolean isInnovative(MemorySegment vector) {
    CodingPreconditions.requireVector(this, vector);
    if (rank() == blocks()) {
      gpu.requireOpen();
      return false;
    }
    boolean[] innovative = new boolean[1];
    gpu.run(
        () -> "try a vector of %d".formatted(blocks()),
        () -> gpu.streams().useOne(scratch, slot -> innovative[0] = isInnovative(slot, vector)));
    return innovative[0];
  }

  private boolean isInnovative(StreamSlot slot, MemorySegment vector) {
    MemorySegment pinnedStatus = slot.pinned(statusOffset, status.bytes());
    kernel.probe(slot, field, plan, codedBlock(slot, vector, 0, pinnedStatus.address()));
    slot.stream().synchronize();
    return ProgressiveStatus.isInnovative(pinnedStatus);
  }

  @Override
  public synchronized int rank() {
    return status.rank();
  }

  @Override
  public synchronized boolean isSolved(int source) {
    return status.isSolved(Objects.checkIndex(source, blocks()));
  }

  @Override
  public synchronized int solved() {
    return status.solved();
  }

  @Override
  public synchronized void read(int first, ByteMatrices destination) {
    CodingPreconditions.requireSolved(this, first, destination);
    gpu.run(
        () -> "read " + destination.shape(),
        () -> {
          DeviceMatrices payloads =
              DeviceMatrices.aligned(buffer.address() + plan.payloads(), 1, blocks(), blockSize())
                  .rows(first, destination.rows());
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
          slot.stream().fill(buffer.address() + plan.state(), 0, plan.zeroedBytes());
          slot.stream().synchronize();
        });
    addedBlocks = 0;
    status.clear();
  }

  @Override
  public synchronized void close() {
    buffer.close();
  }
}

package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.memory.Extents;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Divides a batch of messages in pieces. Messages in host memory are uploaded as one range
 * including the gaps, or packed contiguously if the gaps are large.
 */
final class BatchJob implements PieceJob<MessageRange> {

  private final ByteSource data;
  private final Extents messages;
  private final CudaFoldingKernel.Divider divider;
  private final long register;
  private final HostBytes registers;
  private long dataOffset;
  private long pinnedDataOffset;
  private long listOffset;
  private long pinnedListOffset;
  private long resultOffset;

  /**
   * @param register the initial register of each message
   * @param registers receives the register after each message
   */
  BatchJob(
      ByteSource data,
      Extents messages,
      CudaFoldingKernel.Divider divider,
      long register,
      HostBytes registers) {
    this.data = data;
    this.messages = messages;
    this.divider = divider;
    this.register = register;
    this.registers = registers;
  }

  @Override
  public long pieceBytes() {
    return data.pieceBytes();
  }

  @Override
  public List<MessageRange> split(long maxBytes) {
    return MessageRange.split(messages, maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<MessageRange> pieces) {
    long maxCount = pieces.stream().mapToLong(MessageRange::count).max().orElse(0);
    data.reserve(scratch, maxBytes(pieces, false));
    long packedBytes = maxBytes(pieces, true);
    dataOffset = scratch.device(packedBytes);
    pinnedDataOffset = scratch.pinned(packedBytes);
    if (pieces.stream().anyMatch(this::isListed)) {
      listOffset = scratch.device(2 * maxCount * Long.BYTES);
      pinnedListOffset = scratch.pinned(2 * maxCount * Long.BYTES);
    }
    resultOffset = scratch.device(maxCount * Long.BYTES);
    registers.reservePinned(scratch, maxCount * Long.BYTES);
  }

  private long maxBytes(List<MessageRange> pieces, boolean isPacked) {
    return data.hostMemory().isPresent()
        ? pieces.stream()
            .filter(piece -> isPacked(piece) == isPacked)
            .mapToLong(MessageRange::transferBytes)
            .max()
            .orElse(0)
        : 0;
  }

  private boolean isPacked(MessageRange piece) {
    return data.hostMemory().isPresent() && piece.isScattered();
  }

  private boolean isListed(MessageRange piece) {
    return piece.messages() instanceof Extents.Listed;
  }

  @Override
  public void enqueue(StreamSlot slot, MessageRange piece) {
    DeviceMessages device = isPacked(piece) ? uploadPacked(slot, piece) : uploadRange(slot, piece);
    long results = slot.device(resultOffset);
    divider.enqueueDivide(
        slot, device, piece.longestBytes(), piece.totalBytes(), register, results);
    registers.enqueueDownload(slot, results, registerRange(piece));
    slot.mark();
  }

  private DeviceMessages uploadRange(StreamSlot slot, MessageRange piece) {
    ByteRange range = new ByteRange(piece.begin(), piece.end() - piece.begin());
    long address = data.enqueueUpload(slot, range);
    return switch (piece.messages()) {
      case Extents.Equal equal -> DeviceMessages.of(address - piece.begin(), equal);
      case Extents.Listed listed -> {
        MemorySegment list = stagedList(slot, piece);
        long bytes = listed.offsets().byteSize();
        MemorySegment.copy(listed.offsets(), 0, list, 0, bytes);
        MemorySegment.copy(listed.lengths(), 0, list, bytes, bytes);
        yield uploadList(slot, piece, address - piece.begin());
      }
    };
  }

  /** Packs the messages of a piece contiguously and enqueues their upload. */
  private DeviceMessages uploadPacked(StreamSlot slot, MessageRange piece) {
    MemorySegment hostData = data.hostMemory().orElseThrow();
    MemorySegment packed = slot.pinned(pinnedDataOffset, piece.totalBytes());
    long packedBytes = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      MemorySegment.copy(hostData, piece.messages().offset(i), packed, packedBytes, length);
      packedBytes += length;
    }
    long address = slot.device(dataOffset);
    slot.stream().upload(packed, address);
    if (piece.messages() instanceof Extents.Equal equal) {
      return DeviceMessages.of(
          address, new Extents.Equal(equal.count(), 0, equal.length(), equal.length()));
    }
    MemorySegment list = stagedList(slot, piece);
    long offset = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      list.setAtIndex(JAVA_LONG, i, offset);
      list.setAtIndex(JAVA_LONG, piece.count() + i, length);
      offset += length;
    }
    return uploadList(slot, piece, address);
  }

  private MemorySegment stagedList(StreamSlot slot, MessageRange piece) {
    return slot.pinned(pinnedListOffset, 2 * piece.count() * Long.BYTES);
  }

  private DeviceMessages uploadList(StreamSlot slot, MessageRange piece, long address) {
    long offsets = slot.device(listOffset);
    slot.stream().upload(stagedList(slot, piece), offsets);
    long lengths = offsets + piece.count() * Long.BYTES;
    return DeviceMessages.listed(address, offsets, lengths, piece.count());
  }

  /** Returns the range of a piece in the results. */
  private static ByteRange registerRange(MessageRange piece) {
    return new ByteRange(piece.first() * Long.BYTES, piece.count() * Long.BYTES);
  }

  @Override
  public void finish(StreamSlot slot, MessageRange piece) {
    slot.await();
    registers.copyOut(slot, registerRange(piece));
  }
}

package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Divides many messages, some at a time. Those in host memory cross the bus in one run of bytes
 * with what lies between them, or, where that is much, one behind another.
 */
final class BatchJob implements PieceJob<MessageRange> {

  private final ByteSource data;
  private final Extents messages;
  private final Target target;
  private final long register;
  private final HostBytes registers;
  private long dataOffset;
  private long pinnedDataOffset;
  private long listOffset;
  private long pinnedListOffset;
  private long resultOffset;

  /** What divides. */
  record Target(CudaFoldingKernel kernel, FoldingTables tables, Divisor divisor) {}

  /**
   * @param register that each message is appended to
   * @param registers receives those after the messages
   */
  BatchJob(ByteSource data, Extents messages, Target target, long register, HostBytes registers) {
    this.data = data;
    this.messages = messages;
    this.target = target;
    this.register = register;
    this.registers = registers;
  }

  @Override
  public long pieceBytes() {
    return data.pieceBytes();
  }

  @Override
  public List<MessageRange> cut(long most) {
    return MessageRange.cut(messages, most);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<MessageRange> pieces) {
    long mostCount = pieces.stream().mapToLong(MessageRange::count).max().orElse(0);
    data.reserve(scratch, most(pieces, false));
    long scattered = most(pieces, true);
    dataOffset = scratch.device(scattered);
    pinnedDataOffset = scratch.pinned(scattered);
    if (pieces.stream().anyMatch(this::isListed)) {
      listOffset = scratch.device(2 * mostCount * Long.BYTES);
      pinnedListOffset = scratch.pinned(2 * mostCount * Long.BYTES);
    }
    resultOffset = scratch.device(mostCount * Long.BYTES);
    registers.reservePinned(scratch, mostCount * Long.BYTES);
  }

  private long most(List<MessageRange> pieces, boolean packed) {
    return data.hostMemory().isPresent()
        ? pieces.stream()
            .filter(piece -> isPacked(piece) == packed)
            .mapToLong(MessageRange::crossingBytes)
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
    DeviceMessages there = isPacked(piece) ? pack(slot, piece) : bring(slot, piece);
    long results = slot.device(resultOffset);
    target
        .kernel()
        .divide(
            slot,
            target.tables(),
            target.divisor(),
            there,
            piece.longest(),
            piece.total(),
            register,
            results);
    registers.enqueueDownload(slot, results, home(piece));
    slot.mark();
  }

  private DeviceMessages bring(StreamSlot slot, MessageRange piece) {
    ByteRange range = new ByteRange(piece.begin(), piece.end() - piece.begin());
    long address = data.enqueueUpload(slot, range);
    return switch (piece.messages()) {
      case Extents.Equal equal -> DeviceMessages.of(address - piece.begin(), equal);
      case Extents.Listed listed -> {
        MemorySegment list = list(slot, piece);
        long bytes = listed.offsets().byteSize();
        MemorySegment.copy(listed.offsets(), 0, list, 0, bytes);
        MemorySegment.copy(listed.lengths(), 0, list, bytes, bytes);
        yield listed(slot, piece, address - piece.begin());
      }
    };
  }

  /** Messages one behind another. */
  private DeviceMessages pack(StreamSlot slot, MessageRange piece) {
    MemorySegment from = data.hostMemory().orElseThrow();
    MemorySegment packed = slot.pinned(pinnedDataOffset, piece.total());
    long at = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      MemorySegment.copy(from, piece.messages().offset(i), packed, at, length);
      at += length;
    }
    long address = slot.device(dataOffset);
    slot.stream().upload(packed, address);
    if (piece.messages() instanceof Extents.Equal equal) {
      return DeviceMessages.of(
          address, new Extents.Equal(equal.count(), 0, equal.length(), equal.length()));
    }
    MemorySegment list = list(slot, piece);
    long offset = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      list.setAtIndex(JAVA_LONG, i, offset);
      list.setAtIndex(JAVA_LONG, piece.count() + i, length);
      offset += length;
    }
    return listed(slot, piece, address);
  }

  private MemorySegment list(StreamSlot slot, MessageRange piece) {
    return slot.pinned(pinnedListOffset, 2 * piece.count() * Long.BYTES);
  }

  private DeviceMessages listed(StreamSlot slot, MessageRange piece, long address) {
    long offsets = slot.device(listOffset);
    slot.stream().upload(list(slot, piece), offsets);
    long lengths = offsets + piece.count() * Long.BYTES;
    return DeviceMessages.listed(address, offsets, lengths, piece.count());
  }

  /** Where the registers of a piece belong. */
  private static ByteRange home(MessageRange piece) {
    return new ByteRange(piece.first() * Long.BYTES, piece.count() * Long.BYTES);
  }

  @Override
  public void finish(StreamSlot slot, MessageRange piece) {
    slot.await();
    registers.copyOut(slot, home(piece));
  }
}

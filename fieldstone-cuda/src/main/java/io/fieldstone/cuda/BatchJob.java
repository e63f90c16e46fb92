package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.Divisor;
import io.fieldstone.engine.Extents;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Divides many messages, some at a time. Those in host memory cross the bus in one run of bytes
 * with what lies between them, or, where that is much, one behind another.
 */
final class BatchJob implements ByteJob<MessageRange> {

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
  record Target(FoldingKernel kernel, FoldingTables tables, Divisor divisor) {}

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
  public void reserve(Workspace workspace, List<MessageRange> pieces) {
    long mostCount = pieces.stream().mapToLong(MessageRange::count).max().orElse(0);
    data.reserve(workspace, most(pieces, false));
    long scattered = most(pieces, true);
    dataOffset = workspace.device(scattered);
    pinnedDataOffset = workspace.pinned(scattered);
    if (pieces.stream().anyMatch(this::isListed)) {
      listOffset = workspace.device(2 * mostCount * Long.BYTES);
      pinnedListOffset = workspace.pinned(2 * mostCount * Long.BYTES);
    }
    resultOffset = workspace.device(mostCount * Long.BYTES);
    registers.reservePinned(workspace, mostCount * Long.BYTES);
  }

  private long most(List<MessageRange> pieces, boolean packed) {
    return data.home().isPresent()
        ? pieces.stream()
            .filter(piece -> isPacked(piece) == packed)
            .mapToLong(MessageRange::crossingBytes)
            .max()
            .orElse(0)
        : 0;
  }

  private boolean isPacked(MessageRange piece) {
    return data.home().isPresent() && piece.isScattered();
  }

  private boolean isListed(MessageRange piece) {
    return piece.messages() instanceof Extents.Listed;
  }

  @Override
  public void begin(Lane lane, MessageRange piece) {
    DeviceMessages there = isPacked(piece) ? pack(lane, piece) : bring(lane, piece);
    long results = lane.device(resultOffset);
    target
        .kernel()
        .divide(
            lane,
            target.tables(),
            target.divisor(),
            there,
            piece.longest(),
            piece.total(),
            register,
            results);
    registers.download(lane, results, home(piece));
    lane.mark();
  }

  private DeviceMessages bring(Lane lane, MessageRange piece) {
    Span span = new Span(piece.begin(), piece.end() - piece.begin());
    long address = data.bring(lane, span);
    return switch (piece.messages()) {
      case Extents.Equal equal -> DeviceMessages.of(address - piece.begin(), equal);
      case Extents.Listed listed -> {
        MemorySegment list = list(lane, piece);
        long bytes = listed.offsets().byteSize();
        MemorySegment.copy(listed.offsets(), 0, list, 0, bytes);
        MemorySegment.copy(listed.lengths(), 0, list, bytes, bytes);
        yield listed(lane, piece, address - piece.begin());
      }
    };
  }

  /** Messages one behind another. */
  private DeviceMessages pack(Lane lane, MessageRange piece) {
    MemorySegment from = data.home().orElseThrow();
    MemorySegment packed = lane.pinned(pinnedDataOffset, piece.total());
    long at = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      MemorySegment.copy(from, piece.messages().offset(i), packed, at, length);
      at += length;
    }
    long address = lane.device(dataOffset);
    lane.stream().upload(packed, address);
    if (piece.messages() instanceof Extents.Equal equal) {
      return DeviceMessages.of(
          address, new Extents.Equal(equal.count(), 0, equal.length(), equal.length()));
    }
    MemorySegment list = list(lane, piece);
    long offset = 0;
    for (long i = 0; i < piece.count(); i++) {
      long length = piece.messages().length(i);
      list.setAtIndex(JAVA_LONG, i, offset);
      list.setAtIndex(JAVA_LONG, piece.count() + i, length);
      offset += length;
    }
    return listed(lane, piece, address);
  }

  private MemorySegment list(Lane lane, MessageRange piece) {
    return lane.pinned(pinnedListOffset, 2 * piece.count() * Long.BYTES);
  }

  private DeviceMessages listed(Lane lane, MessageRange piece, long address) {
    long offsets = lane.device(listOffset);
    lane.stream().upload(list(lane, piece), offsets);
    long lengths = offsets + piece.count() * Long.BYTES;
    return DeviceMessages.listed(address, offsets, lengths, piece.count());
  }

  /** Where the registers of a piece belong. */
  private static Span home(MessageRange piece) {
    return new Span(piece.first() * Long.BYTES, piece.count() * Long.BYTES);
  }

  @Override
  public void finish(Lane lane, MessageRange piece) {
    lane.await();
    registers.bringHome(lane, home(piece));
  }
}

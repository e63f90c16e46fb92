package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** The inverses of square coefficient matrices, and the ranks of those. */
final class Inverses implements Factors {

  private final Factors matrices;
  private final InvertKernel kernel;
  private final FieldTables field;
  private final int[] ranks;
  private long offset;
  private long scratchOffset;
  private long ranksOffset;
  private long pinnedRanksOffset;

  /**
   * @param ranks receives the rank of each matrix
   */
  Inverses(Factors matrices, InvertKernel kernel, FieldTables field, int[] ranks) {
    this.matrices = matrices;
    this.kernel = kernel;
    this.field = field;
    this.ranks = ranks;
  }

  @Override
  public int columns() {
    return matrices.columns();
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    int n = columns();
    matrices.reserve(workspace, cut);
    offset = workspace.device(DeviceMatrices.alignedBytes(cut.matrices(), n, n));
    scratchOffset = workspace.device(kernel.scratchBytes(cut.matrices(), n));
    ranksOffset = workspace.device(cut.matrices() * Integer.BYTES);
    pinnedRanksOffset = workspace.pinned(cut.matrices() * Integer.BYTES);
  }

  @Override
  public void send(Lane lane, Piece piece) {
    matrices.send(lane, piece);
  }

  /**
   * Inverts, and has the ranks come down as well: {@link #collectRanks}. A copy of theirs would
   * wait for those of other lanes' solutions, and the product for it; so the kernel writes them to
   * the host itself where it writes each once.
   */
  @Override
  public DeviceMatrices bring(Lane lane, Piece piece) {
    DeviceMatrices given = matrices.bring(lane, piece);
    DeviceMatrices inverses = place(lane, piece);
    MemorySegment home = pinnedRanks(lane, piece);
    boolean direct = kernel.writesRanksOnce(columns());
    long written = direct ? home.address() : lane.device(ranksOffset);
    kernel.invert(lane, field, given, inverses, written, lane.device(scratchOffset));
    if (!direct) {
      lane.stream().download(written, home);
    }
    return inverses;
  }

  /** Where the inverses of a piece are. */
  DeviceMatrices place(Lane lane, Piece piece) {
    int n = columns();
    return DeviceMatrices.aligned(lane.device(offset), piece.matrices(), n, n);
  }

  /** Takes the ranks of a piece over, after the lane is done with {@link #bring}. */
  void collectRanks(Lane lane, Piece piece) {
    int first = Math.toIntExact(piece.firstMatrix());
    MemorySegment.copy(pinnedRanks(lane, piece), JAVA_INT, 0, ranks, first, (int) piece.matrices());
  }

  private MemorySegment pinnedRanks(Lane lane, Piece piece) {
    return lane.pinned(pinnedRanksOffset, piece.matrices() * Integer.BYTES);
  }

  /** Some matrices of a piece, counted from its first. */
  interface Run {
    void accept(long first, long count);
  }

  /** Goes through the longest runs of regular matrices of a piece, after their ranks are here. */
  void forEachRegular(Piece piece, Run run) {
    int begin = Math.toIntExact(piece.firstMatrix());
    int end = begin + (int) piece.matrices();
    for (int first = begin; first < end; ) {
      int next = first;
      while (next < end && ranks[next] == columns()) {
        next++;
      }
      if (next > first) {
        run.accept(first - begin, next - first);
      }
      first = next + 1;
    }
  }
}

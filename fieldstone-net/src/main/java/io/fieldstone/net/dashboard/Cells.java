package io.fieldstone.net.dashboard;

import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Counts blocks of an object in cells: one for each generation, or for several that follow each
 * other if there are more than {@value #MAX_CELLS}. For one thread.
 */
public final class Cells {

  /** The maximum number of cells. */
  public static final int MAX_CELLS = 256;

  private final ObjectManifest manifest;
  private final long[] counts;

  /** Creates empty cells. */
  public Cells(ObjectManifest manifest) {
    this.manifest = manifest;
    this.counts = new long[Math.min(MAX_CELLS, manifest.generations())];
  }

  /** Returns how full each cell of an object is that is received, by rank, in per cent. */
  static List<Integer> of(ObjectReceiver receiver) {
    Cells cells = new Cells(receiver.manifest());
    BitSet verified = receiver.verified();
    for (int i = 0; i < cells.counts.length; i++) {
      int first = cells.first(i);
      int end = cells.first(i + 1);
      int complete = verified.get(first, end).cardinality();
      cells.counts[i] = complete == end - first ? cells.blocks(i) : complete * cells.blocks();
    }
    receiver.open().stream().forEach(each -> cells.add(each, receiver.rank(each)));
    return cells.percents();
  }

  /** Counts blocks of a generation. */
  public void add(int generation, long blocks) {
    counts[(int) ((long) generation * counts.length / manifest.generations())] += blocks;
  }

  /**
   * Returns how full each cell is, in per cent: 100 if it has as many blocks as its generations.
   */
  public List<Integer> percents() {
    List<Integer> percents = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      percents.add((int) Math.min(100, 100 * counts[i] / blocks(i)));
    }
    return percents;
  }

  /** Returns the source blocks of the generations of a cell. */
  private long blocks(int cell) {
    int end = first(cell + 1);
    long blocks = (end - first(cell)) * blocks();
    return end == manifest.generations()
        ? blocks - blocks() + manifest.shapeOf(end - 1).blocks()
        : blocks;
  }

  /** Returns the source blocks of every generation but the last. */
  private long blocks() {
    return manifest.shape().blocks();
  }

  /** Returns the first generation of a cell: the least g with g · cells / generations ≥ cell. */
  private int first(int cell) {
    return (int) Math.ceilDiv((long) cell * manifest.generations(), counts.length);
  }
}

package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The parameters of a protection.
 *
 * @param redundancy parity blocks as a fraction of the source blocks, in (0, 255]. There are fewer
 *     if volumes would be more than {@value #MAX_SHARE} times this fraction of the files, by the
 *     copies of the manifest without their first pages; but at least half as many, and one for each
 *     generation. With a given block size or generation size there are not fewer
 * @param generation the maximum number n of source blocks of a generation; by default the maximum
 *     of the code
 * @param blockSize k in bytes; by default the least power of two from {@value #MIN_DEFAULT_BYTES}
 *     on that cuts the set into about {@value #DEFAULT_BLOCKS} blocks, or that is at least {@value
 *     #LARGE_BYTES} and cuts it into about {@value #MANY_BLOCKS}. Another one if padding and
 *     manifests would take too much of the share
 * @param volumes the number of volumes; by default {@value #DEFAULT_VOLUMES}, or {@value
 *     #FEW_VOLUMES} if more manifests took over half of the share; at most one for each parity
 *     block
 */
public record ProtectionParameters(
    double redundancy, OptionalInt generation, OptionalInt blockSize, OptionalInt volumes) {

  private static final int MIN_DEFAULT_BYTES = 4096;
  private static final int DEFAULT_BLOCKS = 8192;

  /**
   * The block size from which on a set has more blocks. Their hashes are a few hundredths of the
   * parity. With fewer blocks, generations are so large that memory holds only four, for four
   * threads.
   */
  private static final int LARGE_BYTES = 64 << 10;

  private static final int MANY_BLOCKS = 1 << 16;

  private static final int DEFAULT_VOLUMES = 4;
  private static final int FEW_VOLUMES = 2;

  /** At most one generation is added for this number of generations. */
  private static final int FEW = 32;

  /** The number of blocks below which blocks do not grow, to save padding and manifests. */
  private static final int FEW_BLOCKS = 64;

  /** The share, as a multiple of the redundancy, above which manifests reduce the parity. */
  private static final double MAX_SHARE = 1.1;

  /** The share up to which a block size nearer to the usual is taken, relative to the best. */
  private static final double NEAR_BEST = 1.1;

  /** The share with which a block size is taken at once, as a multiple of the redundancy. */
  private static final double GOOD_COST = 1.25;

  /** Tolerance for the rounding of decimal redundancies, which must not add a block. */
  private static final double ROUNDING = 1e-9;

  /**
   * Checks the redundancy.
   *
   * @throws IllegalArgumentException if it is out of bounds
   */
  public ProtectionParameters {
    if (!(redundancy > 0 && redundancy < Code.Cauchy.MAX_BLOCKS)) {
      throw new IllegalArgumentException(
          "redundancy %s is not in (0, %d)".formatted(redundancy, Code.Cauchy.MAX_BLOCKS));
    }
  }

  /** Returns the parity blocks of a generation of n source blocks. */
  private int parity(int n) {
    return Math.max(1, (int) Math.ceil(n * redundancy - ROUNDING));
  }

  /** Returns the maximum generation size with which the code has enough parity blocks. */
  public int maxGeneration() {
    int n = Code.Cauchy.MAX_BLOCKS - 1;
    while (n > 1 && n + parity(n) > Code.Cauchy.MAX_BLOCKS) {
      n--;
    }
    return n;
  }

  /**
   * Returns the shape of a set.
   *
   * @throws IllegalArgumentException if a value is out of bounds, or the set has too many blocks
   */
  public SetShape shape(List<SetFile> files) {
    int limit = generation.orElse(maxGeneration());
    if (limit < 1 || limit > maxGeneration()) {
      throw new IllegalArgumentException(
          "generation size %d is not in 1…%d, with redundancy %s"
              .formatted(limit, maxGeneration(), redundancy));
    }
    int k = blockSize.orElseGet(() -> defaultBlockSize(files, limit));
    if (k < 1 || k > SetShape.MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "block size %d is not in 1…%d".formatted(k, SetShape.MAX_BLOCK_SIZE));
    }
    Division division = divide(SetLayout.blocks(files, k), limit);
    if (division.hasTooManyBlocks()) {
      throw new IllegalArgumentException(
          "%d source blocks of %d byte%s and their parity are more than %d blocks"
              .formatted(division.blocks, k, k == 1 ? "" : "s", SetShape.MAX_BLOCKS));
    }
    Choice all = choice(k, division, division.parity, files);
    if (blockSize.isPresent() || generation.isPresent() || division.generations == 0) {
      return all.shape;
    }
    double parityBytes = MAX_SHARE * redundancy * length(files) - all.manifestBytes();
    int fitting = (int) Math.ceil(parityBytes / division.generations / k - ROUNDING);
    int least = Math.max(Math.ceilDiv(division.parity, 2), volumes.orElse(FEW_VOLUMES));
    int parity = Math.clamp(fitting, Math.min(least, division.parity), division.parity);
    return choice(k, division, parity, files).shape;
  }

  /**
   * A shape of a set.
   *
   * @param pageBytes the bytes of its manifest without the first page
   */
  private record Choice(SetShape shape, long pageBytes) {

    /** Returns the bytes of the manifests in all volumes, without the first page of each. */
    long manifestBytes() {
      return pageBytes * shape.volumes();
    }
  }

  /** Returns the shape with more volumes, unless their manifests take much of the share. */
  private Choice choice(int k, Division division, int parity, List<SetFile> files) {
    SetShape few = shape(k, division, parity, volumes.orElse(Math.min(FEW_VOLUMES, parity)));
    Choice choice = new Choice(few, pageBytes(few, files));
    if (volumes.isPresent()) {
      return choice;
    }
    // The number of volumes does not change a manifest.
    SetShape more = shape(k, division, parity, Math.min(DEFAULT_VOLUMES, parity));
    Choice many = new Choice(more, choice.pageBytes);
    return many.manifestBytes() > redundancy * length(files) / 2 ? choice : many;
  }

  private static SetShape shape(int k, Division division, int parity, int volumes) {
    if (volumes > parity) {
      throw new IllegalArgumentException(
          "volumes %d is more than %d: each volume needs a parity block of every generation"
              .formatted(volumes, parity));
    }
    return new SetShape(k, division.n, parity, (int) division.generations, volumes);
  }

  private static long length(List<SetFile> files) {
    return files.stream().mapToLong(SetFile::length).sum();
  }

  /** Returns the bytes of a manifest without the first page. */
  private static long pageBytes(SetShape shape, List<SetFile> files) {
    return (ManifestPage.pagesOf(SetManifest.byteSize(shape, files)) - 1L) * ManifestPage.BYTES;
  }

  /**
   * Returns the bytes of the volumes that count, without the first page of each manifest, as a
   * multiple of those that the redundancy asks for.
   */
  public double excess(SetShape shape, List<SetFile> files) {
    long parity = (long) shape.parityBlocks() * shape.blockSize();
    long least = (long) parity(1) * shape.generations() * shape.blockSize();
    // No generation has less than a block, and no block has less than its parity.
    double asked = Math.max(redundancy * length(files), (double) least);
    return (parity + new Choice(shape, pageBytes(shape, files)).manifestBytes()) / asked;
  }

  /** The division of blocks into generations of n. */
  private record Division(long blocks, long generations, int n, int parity) {
    boolean hasTooManyBlocks() {
      return blocks + parity * generations > SetShape.MAX_BLOCKS
          || generations * (n + parity) > SetShape.MAX_BLOCKS;
    }
  }

  /** Divides blocks into as few generations as possible, or a few more with less parity. */
  private Division divide(long blocks, int limit) {
    long fewest = Math.ceilDiv(blocks, limit);
    if (fewest == 0) {
      return new Division(0, 0, 0, parity(0));
    }
    Division best = division(blocks, fewest);
    long most = best.hasTooManyBlocks() ? fewest : fewest + fewest / FEW;
    // Each generation rounds its parity up, so their size matters.
    for (long count = fewest + 1; count <= most; count++) {
      Division next = division(blocks, count);
      if (next.parity * next.generations < best.parity * best.generations
          && !next.hasTooManyBlocks()) {
        best = next;
      }
    }
    return best;
  }

  private Division division(long blocks, long generations) {
    int n = (int) Math.ceilDiv(blocks, generations);
    return new Division(blocks, generations, n, parity(n));
  }

  /**
   * Returns a block size with which there are not many blocks, or the nearest one with little
   * padding and small manifests.
   */
  private int defaultBlockSize(List<SetFile> files, int limit) {
    long length = length(files);
    int usual = MIN_DEFAULT_BYTES;
    while (usual < SetShape.MAX_BLOCK_SIZE
        && (length / usual > (usual < LARGE_BYTES ? DEFAULT_BLOCKS : MANY_BLOCKS)
            || divide(SetLayout.blocks(files, usual), limit).hasTooManyBlocks())) {
      usual *= 2;
    }
    NavigableMap<Integer, Double> costs = new TreeMap<>();
    costs.put(usual, cost(usual, files, limit));
    if (costs.get(usual) > GOOD_COST) {
      for (int k = MIN_DEFAULT_BYTES; k <= SetShape.MAX_BLOCK_SIZE; k *= 2) {
        if (k < usual || length / k >= FEW_BLOCKS) {
          costs.put(k, cost(k, files, limit));
        }
      }
    }
    double good = Math.max(GOOD_COST, NEAR_BEST * Collections.min(costs.values()));
    int from = usual;
    return costs.entrySet().stream()
        .filter(each -> each.getValue() <= good)
        .map(Map.Entry::getKey)
        .min(Comparator.comparingInt(k -> Math.abs(log2(k) - log2(from))))
        .orElse(usual);
  }

  private static int log2(int k) {
    return Integer.numberOfTrailingZeros(k);
  }

  /** Returns the share of a block size before less parity is taken, as a multiple. */
  private double cost(int k, List<SetFile> files, int limit) {
    Division division = divide(SetLayout.blocks(files, k), limit);
    if (division.hasTooManyBlocks()) {
      return Double.POSITIVE_INFINITY;
    }
    // What is rounded up to whole blocks of parity is not counted: larger blocks would not help.
    double asked = Math.max(1, redundancy * length(files));
    double padded = redundancy * division.blocks * k;
    return (padded + choice(k, division, division.parity, files).manifestBytes()) / asked;
  }
}

package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelArguments;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;

/** The kernels of stars.cu that find stars from candidates, and their structs. */
final class StarKernels {

  private static final int WARPS = 8;
  private static final int WARP = 32;

  /** Blocks that may wait for others to end, as multiples of those that run at once. */
  private static final int WAVES = 4;

  private static final int THREADS = WARPS * WARP;

  private final GridStrideKernel count;
  private final GridStrideKernel list;
  private final GridStrideKernel pairs;
  private final Precision numbers;
  private final double range;
  private final int scale;

  private StarKernels(KernelModules modules, StarField field, Precision numbers) {
    String rule = field.rule() == StarRule.CIRCUMCIRCLE ? "circle" : "enclosing";
    this.count = modules.kernel("stars", "stars_count", THREADS, 0, WAVES);
    this.list = modules.kernel("stars", "stars_list", THREADS, 0, WAVES);
    this.pairs =
        modules.kernel(
            "stars", "stars_pairs_%s_%s".formatted(rule, numbers.suffix()), THREADS, 0, WAVES);
    this.numbers = numbers;
    this.range = field.range();
    this.scale = -Math.getExponent(field.range());
  }

  /** Finds those for a field. */
  static StarKernels find(KernelModules modules, StarField field) {
    return new StarKernels(modules, field, Precision.of(field));
  }

  Precision numbers() {
    return numbers;
  }

  /** Counts the candidates of points {@code first} … into ints at an address. */
  void count(StreamSlot slot, StarPoints points, long base, int first, int many, long counts) {
    field(slot, points, base).int64(counts).int32(first).int32(many);
    count.launchBlocks(slot, Math.ceilDiv(many, WARPS));
  }

  /** Lists the candidates of a piece. */
  void list(StreamSlot slot, StarPoints points, long base, StarPiece piece, StarScratch memory) {
    field(slot, points, base)
        .int64(memory.places(slot))
        .int64(memory.indices(slot))
        .int64(memory.corners(slot))
        .int64(memory.slopes(slot))
        .int64(memory.units(slot))
        .int32(piece.first())
        .int32(piece.points());
    list.launchBlocks(slot, Math.ceilDiv(piece.points(), WARPS));
  }

  /** Tests the pairs of a piece. */
  void test(StreamSlot slot, StarPoints points, long base, StarPiece piece, StarScratch memory) {
    float scaled = (float) Math.scalb(range, scale);
    float square = scaled * scaled;
    field(slot, points, base)
        .int64(memory.places(slot))
        .int64(memory.indices(slot))
        .int64(memory.corners(slot))
        .int64(memory.slopes(slot))
        .int64(memory.units(slot))
        .int64(memory.words(slot))
        .int64(memory.stars(slot))
        .int64(memory.doubts(slot))
        .int64(memory.doubtCount(slot))
        .int64(piece.units())
        .int32(StarScratch.DOUBTS)
        .int32(piece.first())
        .int32(Float.floatToRawIntBits(Precision.DOUBT * square))
        .int32(Float.floatToRawIntBits(numbers.distanceDoubt() * square));
    pairs.launchBlocks(slot, Math.ceilDiv(piece.units(), WARPS));
  }

  /** A {@code struct StarField}. */
  private KernelArguments field(StreamSlot slot, StarPoints points, long base) {
    return slot.arguments()
        .int64(points.xs(base))
        .int64(points.ys(base))
        .int64(points.cells(base))
        .int64(Double.doubleToRawLongBits(range))
        .int64(Double.doubleToRawLongBits(numbers.squareError()))
        .int32(points.cellCount())
        .int32(scale);
  }
}

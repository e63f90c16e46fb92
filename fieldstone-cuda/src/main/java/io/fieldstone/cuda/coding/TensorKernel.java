package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Multiplies on binary tensor cores: {@code product_tensor.cu}. Blocks are stored in tiles of 32
 * blocks × 128 bytes, and each coefficient is expanded to eight masks during the multiplication.
 */
final class TensorKernel implements CudaProductKernel {

  private static final String FILE = "product_tensor";

  private static final int THREADS = 256;
  private static final int LAY_OUT_WAVES = 4;
  private static final int TILE_COLUMNS = 128;
  private static final int STEP_BLOCKS = 32;
  private static final int HALF_STEP = 16;
  private static final int PATCH_COLUMNS = 4;
  private static final int GROUP_ROWS = 32;
  private static final long TILE_BYTES = TILE_COLUMNS * STEP_BLOCKS;

  private final Programs programs;
  private final FieldTables field;

  /** The compiled kernels, which are independent of the field. */
  record Programs(
      String name, GridStrideKernel layOut, GridStrideKernel read, Multiplier multiplier) {

    static Programs find(String name, KernelModules modules, Multiplier multiplier) {
      return new Programs(
          name,
          modules.kernel(FILE, "tensor_lay_out", THREADS, 0, LAY_OUT_WAVES),
          modules.kernel(FILE, "tensor_read", THREADS, 0, LAY_OUT_WAVES),
          multiplier);
    }
  }

  /** The multiplying kernels: equal arguments, different use of shared memory. */
  sealed interface Multiplier {

    /**
     * Returns the maximum of source steps times coded block groups whose coefficients are expanded
     * at once.
     */
    int maxGroupSteps();

    /** Launches the kernel for a {@link Plan}. */
    void launch(StreamSlot slot, Plan plan);
  }

  /** Hopper's warpgroup instructions: one kernel per number of steps that are summed at once. */
  record Warpgroups(List<GridStrideKernel> bySteps) implements Multiplier {

    private static final int MAX_GROUP_STEPS = 8;
    private static final int WARPGROUP_THREADS = 384;

    /** {@code tensor::kSharedBytes}. */
    private static final int SHARED = (128 << 10) + (96 << 10) + 2048 + 512;

    static Warpgroups find(KernelModules modules) {
      return new Warpgroups(
          IntStream.rangeClosed(1, MAX_GROUP_STEPS)
              .mapToObj(steps ->
                  modules.kernel(FILE, "tensor_multiply_" + steps, WARPGROUP_THREADS, SHARED, 1))
              .toList());
    }

    @Override
    public int maxGroupSteps() {
      return MAX_GROUP_STEPS;
    }

    @Override
    public void launch(StreamSlot slot, Plan plan) {
      bySteps.get(plan.chunkSteps() - 1).launchBlocks(slot, plan.tiles());
    }
  }

  /** Warp-level instructions of every GPU with binary tensor cores. */
  record Warps(GridStrideKernel kernel, int maxGroupSteps) implements Multiplier {

    private static final int WARP_THREADS = 128;

    /** {@code tensor::kSyncSharedBytes}. */
    private static final int MIN_SHARED = 16 << 10;

    private static final int SHARED_OF_GROUP_STEP = 8 << 10;

    /** The minimum shared memory of a multiprocessor for two blocks with 8 group steps. */
    private static final int LARGE_MULTIPROCESSOR = 164 << 10;

    static Warps find(KernelModules modules, int multiprocessorShared) {
      int groupSteps = multiprocessorShared >= LARGE_MULTIPROCESSOR ? 8 : 4;
      int shared = MIN_SHARED + groupSteps * SHARED_OF_GROUP_STEP;
      return new Warps(
          modules.kernel(FILE, "tensor_sync_multiply", WARP_THREADS, shared, 1), groupSteps);
    }

    @Override
    public void launch(StreamSlot slot, Plan plan) {
      int shared = MIN_SHARED + plan.groupsAtOnce() * plan.chunkSteps() * SHARED_OF_GROUP_STEP;
      kernel.launchBlocks(slot, plan.tiles(), shared);
    }
  }

  TensorKernel(Programs programs, FieldTables field) {
    this.programs = programs;
    this.field = field;
  }

  @Override
  public String name() {
    return programs.name();
  }

  @Override
  public boolean isRowMajor() {
    return false;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return tileBytes(rows, columns);
  }

  /** Returns the size of the tiles of a matrix. */
  static long tileBytes(int rows, int columns) {
    return tiles(columns) * steps(rows) * TILE_BYTES;
  }

  private static long tiles(int columns) {
    return Math.ceilDiv(columns, TILE_COLUMNS);
  }

  /** Returns the steps of a tile. */
  static int steps(int blocks) {
    return Math.ceilDiv(blocks, STEP_BLOCKS);
  }

  @Override
  public KernelLayout layout(long address, long count, long pitch, int rows, int columns) {
    return new KernelLayout(address, count, pitch, 0, rows, columns);
  }

  @Override
  public void clear(StreamSlot slot, KernelLayout blocks) {
    slot.stream().fill(blocks.address(), 0, blocks.count() * blocks.pitch());
  }

  @Override
  public void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow) {
    writeLayoutArguments(slot, rows, blocks, firstRow);
    programs.layOut().launchThreads(slot, threads(rows, firstRow));
  }

  @Override
  public void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows) {
    writeLayoutArguments(slot, rows, blocks, firstRow);
    programs.read().launchThreads(slot, threads(rows, firstRow));
  }

  private static void writeLayoutArguments(
      StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow) {
    slot.arguments()
        .matrices(rows)
        .int64(blocks.address())
        .int64(blocks.pitch())
        .int64(blocks.count())
        .int32(firstRow)
        .int32(rows.rows())
        .int32(blocks.columns())
        .int32(steps(blocks.rows()));
  }

  /** Returns the number of threads that convert a layout, each 16 sources × 4 columns. */
  private static long threads(DeviceMatrices rows, int firstRow) {
    if (rows.isEmpty()) {
      return 0;
    }
    int halves = (firstRow + rows.rows() - 1) / HALF_STEP - firstRow / HALF_STEP + 1;
    return rows.count() * Math.ceilDiv(rows.columns(), PATCH_COLUMNS) * halves;
  }

  @Override
  public KernelLayout columns(KernelLayout blocks, int first, int columns) {
    long skipped = first / TILE_COLUMNS * steps(blocks.rows()) * TILE_BYTES;
    return new KernelLayout(
        blocks.address() + skipped, blocks.count(), blocks.pitch(), 0, blocks.rows(), columns);
  }

  @Override
  public long preparedBytes(int rows, int blocks, int columns) {
    return 0;
  }

  @Override
  public void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long prepared) {
    // The multiplying kernel expands the coefficients.
  }

  @Override
  public void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long prepared,
      KernelLayout blocks,
      DeviceMatrices products) {
    multiply(slot, coefficients, blocks, products, false);
  }

  /** Adds products to the present content: {@code products[g] += coefficients[g] · blocks[g]}. */
  void add(
      StreamSlot slot, DeviceMatrices coefficients, KernelLayout blocks, DeviceMatrices products) {
    multiply(slot, coefficients, blocks, products, true);
  }

  private void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      KernelLayout blocks,
      DeviceMatrices products,
      boolean accumulate) {
    Plan plan = plan(products, coefficients.columns());
    slot.arguments()
        .matrices(coefficients)
        .int64(blocks.address())
        .int64(blocks.pitch())
        .matrices(products)
        .int64(field.address())
        .int64(products.count())
        .int32(products.rows())
        .int32(coefficients.columns())
        .int32(products.columns())
        .int32(steps(blocks.rows()))
        .int32(plan.chunks())
        .int32(plan.groupsAtOnce())
        .int32(accumulate ? 1 : 0);
    programs.multiplier().launch(slot, plan);
  }

  /**
   * The tiling of a product, as in {@code struct TensorMultiplyArguments}.
   *
   * @param chunks the consecutive partial sums of {@code chunkSteps} steps each
   * @param groupsAtOnce the groups of coded blocks per pass over the columns
   * @param tiles the tiles of all passes, the units of work of a launch
   */
  record Plan(int chunks, int chunkSteps, int groupsAtOnce, long tiles) {}

  private Plan plan(DeviceMatrices products, int sources) {
    int steps = Math.max(1, steps(sources));
    int maxGroupSteps = programs.multiplier().maxGroupSteps();
    int chunks = Math.ceilDiv(steps, maxGroupSteps);
    int chunkSteps = Math.ceilDiv(steps, chunks);
    int groups = Math.ceilDiv(products.rows(), GROUP_ROWS);
    int passes = Math.ceilDiv(groups, maxGroupSteps / chunkSteps);
    int groupsAtOnce = Math.max(1, Math.ceilDiv(groups, Math.max(1, passes)));
    long allPasses = products.count() * Math.ceilDiv(groups, groupsAtOnce);
    return new Plan(chunks, chunkSteps, groupsAtOnce, allPasses * tiles(products.columns()));
  }
}

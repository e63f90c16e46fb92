package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.DownloadJob;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.ProductJob;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.elimination.Inverses;
import io.fieldstone.cuda.coding.elimination.InvertKernel;
import io.fieldstone.cuda.coding.elimination.SolveJob;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Blocks in device memory. Single blocks are staged in host memory and uploaded together before the
 * next operation that reads blocks; all other transfers are complete when a call returns.
 *
 * <p>Thread-safe as specified by {@link ResidentBlocks}. If the GPU fails during a call, the
 * content of the results is undefined, in host memory too; other host memory is unchanged.
 */
public final class CudaResidentBlocks implements ResidentBlocks {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final InvertKernel invert;
  private final Gf256 field;
  private final BlockStore store;
  private final StagedBlocks staged;

  /**
   * @param invert inverts the coefficients of systems
   */
  public CudaResidentBlocks(
      ProductKernels kernels, InvertKernel invert, Gf256 field, BlockStore store) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.invert = invert;
    this.field = field;
    this.store = store;
    this.staged = new StagedBlocks(gpu, store);
  }

  @Override
  public Gf256 field() {
    return field;
  }

  @Override
  public long count() {
    return store.rows().count();
  }

  @Override
  public int rows() {
    return store.rows().rows();
  }

  @Override
  public int columns() {
    return store.rows().columns();
  }

  @Override
  public void store(long matrix, int row, MemorySegment block) {
    requireBlock(matrix, row, block);
    call(
        () -> "store a block of " + this,
        () -> transfer(() -> staged.add(matrix, row, block)),
        block);
  }

  @Override
  public void store(long first, ByteMatrices blocks) {
    Objects.checkFromIndexSize(first, blocks.count(), count());
    if (blocks.rows() > rows() || blocks.columns() != columns()) {
      throw new IllegalArgumentException(
          "%s blocks do not fit resident %s".formatted(blocks.shape(), this));
    }
    call(
        () -> "store " + blocks.shape(),
        () -> {
          staged.flush();
          transfer(() ->
              gpu.jobs()
                  .run(new StoreJob(HostMatrices.input(gpu, blocks), store.sink(first, 0, false))));
        },
        blocks.data());
  }

  @Override
  public void read(long matrix, int row, MemorySegment destination) {
    requireBlock(matrix, row, destination);
    read(matrix, row, ByteMatrices.of(destination, 1, columns()));
  }

  @Override
  public void read(long first, ByteMatrices destination) {
    Objects.checkFromIndexSize(first, destination.count(), count());
    if (destination.rows() > rows() || destination.columns() != columns()) {
      throw new IllegalArgumentException(
          "resident %s do not fit %s".formatted(this, destination.shape()));
    }
    read(first, 0, destination);
  }

  private void read(long first, int firstRow, ByteMatrices destination) {
    call(
        () -> "read " + destination.shape(),
        () -> {
          staged.flush();
          DownloadJob job =
              new DownloadJob(
                  (slot, slice, target) ->
                      store.enqueueRead(slot, slice.shifted(first, firstRow), target),
                  HostMatrices.output(gpu, destination));
          transfer(() -> gpu.jobs().run(job));
        },
        destination.data());
  }

  @Override
  public void multiply(long first, Coefficients coefficients, ByteMatrices products) {
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, coefficients, products);
    call(
        () -> describe("multiply", coefficients),
        () -> {
          ProductSink sink = new HostProductSink(HostMatrices.output(gpu, products));
          multiplyStored(() ->
              gpu.jobs().run(productJob(first, coefficients, sink, TransferDirection.ONE_WAY)));
        },
        coefficients.memory(),
        products.data());
  }

  @Override
  public void multiply(
      long first, Coefficients coefficients, ResidentBlocks products, long firstProduct) {
    CudaResidentBlocks target = requireTarget(first, coefficients, products, firstProduct);
    call(
        () -> describe("multiply", coefficients),
        () -> {
          target.staged.flush();
          multiplyStored(() ->
              target.transfer(() -> {
                ProductSink sink = target.store.sink(firstProduct, 0, true);
                gpu.jobs().run(productJob(first, coefficients, sink, TransferDirection.NONE));
              }));
        },
        coefficients.memory());
  }

  private ProductJob productJob(
      long first, Coefficients coefficients, ProductSink sink, TransferDirection direction) {
    CoefficientSource source = kernels.coefficientSource(coefficients);
    // An empty sum is zero; the row-major kernel writes it for every layout.
    CudaProductKernel kernel =
        coefficients.columns() == 0 ? kernels.rows(kernels.tables(field)) : store.kernel();
    return new ProductJob(
        kernel, source, store.sources(first), sink, shape(coefficients, direction));
  }

  private BatchShape shape(Coefficients coefficients, TransferDirection direction) {
    return new BatchShape(
        coefficients.count(), coefficients.rows(), coefficients.columns(), columns(), direction);
  }

  @Override
  public int[] solve(long first, Coefficients coefficients, ByteMatrices solutions) {
    CodingPreconditions.requireSquare(coefficients);
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, coefficients, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    call(
        () -> describe("solve", coefficients),
        () -> {
          ProductSink sink = new HostProductSink(HostMatrices.output(gpu, solutions));
          multiplyStored(() ->
              gpu.jobs()
                  .run(solveJob(first, coefficients, sink, TransferDirection.ONE_WAY, ranks)));
        },
        coefficients.memory(),
        solutions.data());
    return ranks;
  }

  @Override
  public int[] solve(
      long first, Coefficients coefficients, ResidentBlocks solutions, long firstSolution) {
    CodingPreconditions.requireSquare(coefficients);
    CudaResidentBlocks target = requireTarget(first, coefficients, solutions, firstSolution);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    call(
        () -> describe("solve", coefficients),
        () -> {
          target.staged.flush();
          multiplyStored(() ->
              target.transfer(() -> {
                ProductSink sink = target.store.sink(firstSolution, 0, false);
                gpu.jobs().run(solveJob(first, coefficients, sink, TransferDirection.NONE, ranks));
              }));
        },
        coefficients.memory());
    return ranks;
  }

  private SolveJob solveJob(
      long first,
      Coefficients coefficients,
      ProductSink sink,
      TransferDirection direction,
      int[] ranks) {
    FieldTables tables = kernels.tables(field);
    Inverses inverses =
        new Inverses(kernels.coefficientSource(coefficients), invert, tables, ranks);
    ProductJob products =
        new ProductJob(
            store.kernel(), inverses, store.sources(first), sink, shape(coefficients, direction));
    return new SolveJob(products, inverses, sink);
  }

  /** Waits for running calls and frees the memory. Idempotent, also after the engine is closed. */
  @Override
  public void close() {
    store.close();
    staged.close();
  }

  /** Returns the shape. */
  @Override
  public String toString() {
    return store.rows().toString();
  }

  /**
   * Checks that blocks are resident on a GPU and returns them.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   */
  public static CudaResidentBlocks on(Gpu gpu, ResidentBlocks blocks) {
    return MemoryPreconditions.requireResident(
        "blocks", blocks, CudaResidentBlocks.class, own -> own.gpu == gpu);
  }

  /** Multiplies the blocks. */
  public interface SourceUse {
    void multiply(CudaProductKernel kernel, SourceBlocks sources);
  }

  /** Runs {@code use} with the matrices from {@code first} on as sources, within a call. */
  public void withSources(long first, SourceUse use) {
    multiplyStored(() -> use.multiply(store.kernel(), store.sources(first)));
  }

  private void call(Supplier<String> operation, Runnable work, MemorySegment... memory) {
    gpu.run(operation, work, memory);
  }

  private void transfer(Runnable work) {
    store.enterToTransfer();
    try {
      work.run();
    } finally {
      store.leave();
    }
  }

  private void multiplyStored(Runnable work) {
    staged.flush();
    store.enterAsSource();
    try {
      work.run();
    } finally {
      store.leave();
    }
  }

  private String describe(String verb, Coefficients coefficients) {
    return "%s %s coefficients by resident %s with kernel %s"
        .formatted(verb, coefficients.shape(), this, store.kernel().name());
  }

  private void requireBlock(long matrix, int row, MemorySegment block) {
    Objects.checkIndex(matrix, count());
    Objects.checkIndex(row, rows());
    if (block.byteSize() != columns()) {
      throw new IllegalArgumentException(
          "block of %d bytes, expected %d".formatted(block.byteSize(), columns()));
    }
  }

  private CudaResidentBlocks requireTarget(
      long first, Coefficients coefficients, ResidentBlocks target, long firstResult) {
    CudaResidentBlocks results = on(gpu, target);
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, first, coefficients, results, firstResult);
    return results;
  }
}

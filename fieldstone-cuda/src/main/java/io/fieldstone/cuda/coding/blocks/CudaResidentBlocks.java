package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.CudaProductKernel;
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
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Blocks in the memory of a GPU. Single blocks are collected in host memory and go up together when
 * any are next needed; everything else is on the GPU, or home from it, when a call returns.
 *
 * <p>Thread-safe as {@link ResidentBlocks} says. If the GPU fails during a call, what the call was
 * to write has any content, in host memory too; everything else in host memory is as it was.
 */
public final class CudaResidentBlocks implements ResidentBlocks {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final InvertKernel invert;
  private final Gf256 field;
  private final BlockStore store;
  private final StagedBlocks pending;

  /**
   * @param invert solves systems of the blocks
   */
  public CudaResidentBlocks(
      ProductKernels kernels, InvertKernel invert, Gf256 field, BlockStore store) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.invert = invert;
    this.field = field;
    this.store = store;
    this.pending = new StagedBlocks(gpu, store);
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
        () -> inside(() -> pending.add(matrix, row, block)),
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
          pending.flush();
          inside(() ->
              gpu.run(
                  new StoreJob(
                      HostMatrices.input(gpu, blocks), store.destination(first, 0, false))));
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
          pending.flush();
          BatchShape shape =
              new BatchShape(
                  destination.count(),
                  destination.rows(),
                  0,
                  destination.columns(),
                  TransferDirection.ONE_WAY);
          ProductSink home = new HostProductSink(HostMatrices.output(gpu, destination));
          inside(() -> gpu.run(new ReadJob(store, first, firstRow, home, shape)));
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
          ProductSink home = new HostProductSink(HostMatrices.output(gpu, products));
          asSource(() -> gpu.run(productJob(first, coefficients, home, TransferDirection.ONE_WAY)));
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
          target.pending.flush();
          asSource(() ->
              target.inside(() -> {
                ProductSink stays = target.store.destination(firstProduct, 0, true);
                gpu.run(productJob(first, coefficients, stays, TransferDirection.NONE));
              }));
        },
        coefficients.memory());
  }

  private ProductJob productJob(
      long first, Coefficients coefficients, ProductSink destination, TransferDirection crossing) {
    CoefficientSource source = kernels.factors(coefficients);
    // A product of nothing is zero; a kernel of plain rows writes that, whatever the layout is.
    CudaProductKernel kernel =
        coefficients.columns() == 0 ? kernels.rows(kernels.tables(field)) : store.kernel();
    return new ProductJob(
        kernel, source, store.sources(first), destination, shape(coefficients, crossing));
  }

  private BatchShape shape(Coefficients coefficients, TransferDirection crossing) {
    return new BatchShape(
        coefficients.count(), coefficients.rows(), coefficients.columns(), columns(), crossing);
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
          ProductSink home = new HostProductSink(HostMatrices.output(gpu, solutions));
          asSource(
              () -> gpu.run(solveJob(first, coefficients, home, TransferDirection.ONE_WAY, ranks)));
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
          target.pending.flush();
          asSource(() ->
              target.inside(() -> {
                ProductSink stays = target.store.destination(firstSolution, 0, false);
                gpu.run(solveJob(first, coefficients, stays, TransferDirection.NONE, ranks));
              }));
        },
        coefficients.memory());
    return ranks;
  }

  private SolveJob solveJob(
      long first,
      Coefficients coefficients,
      ProductSink destination,
      TransferDirection crossing,
      int[] ranks) {
    FieldTables tables = kernels.tables(field);
    Inverses inverses = new Inverses(kernels.factors(coefficients), invert, tables, ranks);
    ProductJob products =
        new ProductJob(
            store.kernel(),
            inverses,
            store.sources(first),
            destination,
            shape(coefficients, crossing));
    return new SolveJob(products, inverses, destination);
  }

  /** Waits for calls under way and frees the memory. Idempotent, also after the engine's. */
  @Override
  public void close() {
    store.close();
    pending.close();
  }

  /** As engines name shapes. */
  @Override
  public String toString() {
    return store.rows().toString();
  }

  /**
   * Blocks of an engine's own.
   *
   * @throws IllegalArgumentException if they are resident elsewhere
   */
  public static CudaResidentBlocks on(Gpu gpu, ResidentBlocks blocks) {
    if (blocks instanceof CudaResidentBlocks own && own.gpu == gpu) {
      return own;
    }
    throw new IllegalArgumentException("the blocks are resident on another engine");
  }

  /** What is done with the blocks as sources. */
  public interface SourceUse {
    void with(CudaProductKernel kernel, SourceBlocks sources);
  }

  /** Lets somebody multiply the matrices from {@code first} on, within a call. */
  public void withSources(long first, SourceUse use) {
    asSource(() -> use.with(store.kernel(), store.sources(first)));
  }

  private void call(Supplier<String> what, Runnable work, MemorySegment... memory) {
    gpu.call(
        what,
        () -> {
          work.run();
          return this;
        },
        memory);
  }

  private void inside(Runnable work) {
    store.enter();
    try {
      work.run();
    } finally {
      store.leave();
    }
  }

  private void asSource(Runnable work) {
    pending.flush();
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
          "a block of %d bytes where blocks have %d".formatted(block.byteSize(), columns()));
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

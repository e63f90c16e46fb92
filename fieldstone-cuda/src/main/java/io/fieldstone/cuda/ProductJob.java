package io.fieldstone.cuda;

import java.util.HashMap;
import java.util.Map;

/**
 * A batch of products: coefficients and source blocks are brought, multiplied, and the products
 * delivered.
 */
final class ProductJob implements Job {

  private final ProductKernel kernel;
  private final Factors factors;
  private final Sources sources;
  private final Destination destination;
  private final JobShape shape;
  private final Map<Lane, Prepared> prepared = new HashMap<>();
  private long factorsOffset;

  /** What a lane holds: a large matrix is cut by columns, and all its pieces share it. */
  private record Prepared(Piece piece, DeviceMatrices coefficients) {}

  ProductJob(
      ProductKernel kernel,
      Factors factors,
      Sources sources,
      Destination destination,
      JobShape shape) {
    this.kernel = kernel;
    this.factors = factors;
    this.sources = sources;
    this.destination = destination;
    this.shape = shape;
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    prepared.clear();
    factors.reserve(workspace, cut);
    long bytes = kernel.factorBytes(cut.rows(), sources.blocks(), cut.columns());
    factorsOffset = workspace.device(Math.multiplyExact(cut.matrices(), bytes));
    sources.reserve(workspace, cut);
    destination.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    multiply(lane, piece);
    destination.deliver(lane, piece, 0, piece.matrices());
    lane.mark();
  }

  /**
   * Everything up to the products at their {@link Destination#place}. What crosses the bus comes
   * first: it is not to wait for kernels that it does not need.
   */
  void multiply(Lane lane, Piece piece) {
    long address = lane.device(factorsOffset);
    Prepared held = prepared.get(lane);
    if (held != null && held.piece().hasCoefficientsOf(piece)) {
      sources.send(lane, piece);
    } else {
      factors.send(lane, piece);
      sources.send(lane, piece);
      held = new Prepared(piece, factors.bring(lane, piece));
      kernel.prepare(lane, held.coefficients(), sources.blocks(), address);
      prepared.put(lane, held);
    }
    LaidOut blocks = sources.bring(lane, piece);
    DeviceMatrices products = destination.place(lane, piece);
    kernel.multiply(lane, held.coefficients(), address, blocks, products);
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    destination.finish(lane, piece, 0, piece.matrices());
  }
}

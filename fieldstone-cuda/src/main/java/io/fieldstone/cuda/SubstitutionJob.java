package io.fieldstone.cuda;

/** A batch of triangular systems that one kernel substitutes; columns are solved apart. */
final class SubstitutionJob implements Job {

  private final GenerationKernel kernel;
  private final FieldTables field;
  private final Factors lower;
  private final Sources rights;
  private final Destination destination;
  private final JobShape shape;

  /**
   * @param lower n×n each
   * @param rights n×k each, plain rows
   * @param shape of the solutions
   */
  SubstitutionJob(
      GenerationKernel kernel,
      FieldTables field,
      Factors lower,
      Sources rights,
      Destination destination,
      JobShape shape) {
    this.kernel = kernel;
    this.field = field;
    this.lower = lower;
    this.rights = rights;
    this.destination = destination;
    this.shape = shape;
  }

  @Override
  public JobShape shape() {
    return shape;
  }

  /** Rows depend on those before them, so they are not cut. */
  @Override
  public Cut tiling(long most) {
    Cut cut = shape.cut(most);
    return new Cut(cut.matrices(), shape.rows(), cut.columns());
  }

  @Override
  public void reserve(Workspace workspace, Cut cut) {
    lower.reserve(workspace, cut);
    rights.reserve(workspace, cut);
    destination.reserve(workspace, cut);
  }

  @Override
  public void begin(Lane lane, Piece piece) {
    lower.send(lane, piece);
    rights.send(lane, piece);
    DeviceMatrices coefficients = lower.bring(lane, piece);
    DeviceMatrices given = rights.bring(lane, piece).asRows();
    kernel.solve(lane, field, coefficients, given, destination.place(lane, piece));
    destination.deliver(lane, piece, 0, piece.matrices());
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Piece piece) {
    lane.await();
    destination.finish(lane, piece, 0, piece.matrices());
  }
}

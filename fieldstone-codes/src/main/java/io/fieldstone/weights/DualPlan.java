package io.fieldstone.weights;

import java.util.Optional;

/**
 * Computes the joint weight distribution of the dual code by another plan, then applies
 * MacWilliams' identity.
 *
 * @param extraSeconds the time of the identity
 * @param ofDual the plan for the dual code
 */
record DualPlan(String method, String description, double extraSeconds, JointPlan ofDual)
    implements JointPlan {

  @Override
  public double predictedSeconds() {
    return ofDual.predictedSeconds() + extraSeconds;
  }

  @Override
  public double predictedSeconds(long parts) {
    return ofDual.predictedSeconds(parts) + extraSeconds;
  }

  @Override
  public double unitBytes() {
    return ofDual.unitBytes();
  }

  @Override
  public double units() {
    return ofDual.units();
  }

  @Override
  public Optional<String> obstacle() {
    return ofDual.obstacle();
  }

  @Override
  public JointRun newRun() {
    return new Run(ofDual.newRun());
  }

  @Override
  public JointRun newPart(long first, long units) {
    return new Run(ofDual.newPart(first, units));
  }

  private record Run(JointRun ofDual) implements JointRun {

    @Override
    public long units() {
      return ofDual.units();
    }

    @Override
    public long unitsDone() {
      return ofDual.unitsDone();
    }

    @Override
    public void step(long units) {
      ofDual.step(units);
    }

    @Override
    public long[] state() {
      return ofDual.state();
    }

    @Override
    public void restore(long unitsDone, long[] state) {
      ofDual.restore(unitsDone, state);
    }

    @Override
    public void add(long units, long[] state) {
      ofDual.add(units, state);
    }

    @Override
    public JointWeightDistribution result() {
      return ofDual.result().dual();
    }

    @Override
    public void close() {
      ofDual.close();
    }
  }
}

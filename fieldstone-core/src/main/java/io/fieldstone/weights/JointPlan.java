package io.fieldstone.weights;

/** A method of computing a joint weight distribution, with its predicted cost. Thread-safe. */
public sealed interface JointPlan permits PairPlan, TransformPlan, DualPlan {

  /** Returns the name of the method. */
  String method();

  /** Returns a one-line description of the computation. */
  String description();

  /** Returns the predicted duration, from measured rates of the engine and the amount of work. */
  double predictedSeconds();

  /** Creates a run of this plan. */
  JointRun newRun();
}

package io.fieldstone.weights;

/** A way to find a joint weight distribution, and what it will cost. Thread-safe. */
public sealed interface JointPlan permits PairPlan, TransformPlan, DualPlan {

  /** The name of the method. */
  String method();

  /** What will be done, in one line. */
  String description();

  /** What it will take on the engine at hand, by its measured rates and the work there is. */
  double predictedSeconds();

  /** Begins to do it. */
  JointRun begin();
}

package io.fieldstone.spark.weights;

import java.util.Optional;

/**
 * The predicted cost of joint weights on a cluster.
 *
 * @param method the method of the core
 * @param description its computation, in a line
 * @param units the approximate units of work, of which a task does one or more
 * @param tasks the tasks of the first round, or all if there are fewer units
 * @param cores the cores of the cluster
 * @param coreHours the hours of one core, if the work is divided into these tasks
 * @param hours the hours of the cluster
 * @param taskBytes the approximate bytes that each running task needs beside the heap
 * @param obstacle why the job cannot run; empty if it can
 */
public record WeightsForecast(
    String method,
    String description,
    double units,
    long tasks,
    int cores,
    double coreHours,
    double hours,
    double taskBytes,
    Optional<String> obstacle) {

  /** Returns the forecast in a line. */
  public String text() {
    return "method %s: %s; predicted %.3g core hours, %.3g hours on %d cores, %d tasks of %.3g GB%s"
        .formatted(
            method,
            description,
            coreHours,
            hours,
            cores,
            tasks,
            taskBytes / 1e9,
            obstacle.map(reason -> "; cannot run: " + reason).orElse(""));
  }
}

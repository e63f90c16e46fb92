package io.fieldstone.net.pacing;

/** Computes how fast a sender may send. For one thread. */
public interface RateController {
  /** Takes note of a report. A report that is older than one before is ignored. */
  void onFeedback(Feedback feedback);

  /** The rate at which packets may leave, in bytes per second, greater than 0. */
  double rateBytesPerSecond();
}

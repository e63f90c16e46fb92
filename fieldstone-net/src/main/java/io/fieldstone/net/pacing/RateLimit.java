package io.fieldstone.net.pacing;

/** Caps the rate of another controller. */
public final class RateLimit implements RateController {
  private final RateController controller;
  private final double maxBytesPerSecond;

  /**
   * Caps a controller.
   *
   * @param maxBytesPerSecond the cap, greater than 0
   */
  public RateLimit(RateController controller, double maxBytesPerSecond) {
    if (!(maxBytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "rate " + maxBytesPerSecond + " bytes per second: want more than 0");
    }
    this.controller = controller;
    this.maxBytesPerSecond = maxBytesPerSecond;
  }

  @Override
  public void onFeedback(Feedback feedback) {
    controller.onFeedback(feedback);
  }

  @Override
  public double rateBytesPerSecond() {
    return Math.min(controller.rateBytesPerSecond(), maxBytesPerSecond);
  }
}

package io.fieldstone.rlnc.object;

/**
 * The speeds of senders relative to each other: what each delivered lately. Deliveries are counted
 * against those of all senders, so no clock is needed.
 */
final class Speeds {

  /** The speed of a sender that delivered nothing yet, so that it is asked at all. */
  private static final int MIN_SPEED = 8;

  /** The number of deliveries after which older ones count half. */
  private static final int MAX_RECENT = 512;

  private final Senders senders;

  /** The sum of {@link SenderState#recent}. */
  private int recent;

  Speeds(Senders senders) {
    this.senders = senders;
  }

  /** Counts an innovative block, after its sender did. */
  void delivered() {
    recent++;
    if (recent >= MAX_RECENT) {
      recent = 0;
      for (SenderState sender : senders) {
        sender.halveRecent();
        recent += sender.recent();
      }
    }
  }

  /** Returns the speed of a sender. */
  double of(SenderState sender) {
    return sender.recent() + MIN_SPEED;
  }

  /** Returns the mean speed of all senders. */
  double mean() {
    return MIN_SPEED + (double) recent / senders.count();
  }
}

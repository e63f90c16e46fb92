package io.fieldstone.bench.net;

/**
 * One end of a {@link TunRouter}: a network namespace with an address, and its access link.
 *
 * @param up the link from the end to the router
 * @param down the link from the router to the end
 * @param congestionControl name of the kernel's congestion control for TCP, such as {@code cubic}
 */
record RouterEnd(LinkSettings up, LinkSettings down, String congestionControl) {

  /** The addresses of all ends. */
  static final String NETWORK = "10.9.0.0/24";

  /** Returns an end whose access links have no limit. */
  static RouterEnd unlimited() {
    return new RouterEnd(LinkSettings.PERFECT, LinkSettings.PERFECT, "cubic");
  }

  /** Returns the address of the end of some index. */
  static String address(int index) {
    return "10.9.0." + (index + 1);
  }

  /** Parses the form of {@link #toString}. */
  static RouterEnd parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("'%s' has no 3 fields".formatted(text));
    }
    return new RouterEnd(LinkSettings.parse(parts[0]), LinkSettings.parse(parts[1]), parts[2]);
  }

  @Override
  public String toString() {
    return up + "," + down + "," + congestionControl;
  }
}

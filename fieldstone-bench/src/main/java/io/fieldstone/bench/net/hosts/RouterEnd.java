package io.fieldstone.bench.net.hosts;

import io.fieldstone.net.impairment.Impairment;

/**
 * One end of a {@link TunRouter}: a network namespace with an address, and its access link.
 *
 * @param up the link from the end to the router
 * @param down the link from the router to the end
 * @param congestionControl name of the kernel's congestion control for TCP, such as {@code cubic}
 * @param behind index of an earlier end whose links it shares, or {@link #OWN_LINKS}
 */
public record RouterEnd(Impairment up, Impairment down, String congestionControl, int behind) {

  /** An end that shares its links with no other. */
  static final int OWN_LINKS = -1;

  /** The addresses of all ends. */
  public static final String NETWORK = "10.9.0.0/24";

  public RouterEnd(Impairment up, Impairment down, String congestionControl) {
    this(up, down, congestionControl, OWN_LINKS);
  }

  /** Returns an end whose access links have no limit. */
  public static RouterEnd unlimited() {
    return new RouterEnd(Impairment.NONE, Impairment.NONE, "cubic");
  }

  /** Returns the same end with another congestion control. */
  public RouterEnd withCongestionControl(String other) {
    return new RouterEnd(up, down, other, behind);
  }

  /** Returns the same end behind the links of an earlier one. */
  public RouterEnd behind(int index, String otherCongestionControl) {
    return new RouterEnd(up, down, otherCongestionControl, index);
  }

  /** Returns the address of the end of some index. */
  static String address(int index) {
    return "10.9.0." + (index + 1);
  }

  /** Parses the form of {@link #toString}. */
  static RouterEnd parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("'%s' has no 4 fields".formatted(text));
    }
    return new RouterEnd(
        LinkText.impairment(parts[0]),
        LinkText.impairment(parts[1]),
        parts[2],
        Integer.parseInt(parts[3]));
  }

  @Override
  public String toString() {
    return LinkText.of(up) + "," + LinkText.of(down) + "," + congestionControl + "," + behind;
  }
}

package io.fieldstone.net.live;

import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowShape;
import java.nio.ByteBuffer;

/**
 * What both ends of a flow of live packets must know of it.
 *
 * @param first the id of its first source
 * @param sourceBytes the maximum bytes of a source, its flags included
 * @param window the maximum number of sources that a repair covers
 * @param deadlineNanos the time, beside the delay of the path, for which a receiver waits for a
 *     source
 */
public record FlowShape(long first, int sourceBytes, int window, long deadlineNanos) {

  /** The maximum bytes of a source: Ethernet's packets, with room to spare. */
  public static final int MAX_SOURCE_BYTES = 2048;

  /** The maximum deadline. */
  public static final long MAX_DEADLINE_NANOS = 60_000_000_000L;

  /** The sources by which the path may reorder packets that a receiver can still use. */
  private static final int REORDERING = 64;

  static final int MAX_WINDOW = WindowCode.MAX_COUNT - REORDERING;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public FlowShape {
    if (first < 0 || first >= WindowShape.MAX_ID / 2) {
      throw new IllegalArgumentException("first source %d is out of range".formatted(first));
    }
    requireRange("bytes of a source", sourceBytes, 2, MAX_SOURCE_BYTES);
    requireRange("window", window, 1, MAX_WINDOW);
    requireRange("deadline in ns", deadlineNanos, 1, MAX_DEADLINE_NANOS);
  }

  private static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }

  /** Returns the same shape from another source on, with another deadline. */
  FlowShape from(long newFirst, long newDeadlineNanos) {
    return new FlowShape(newFirst, sourceBytes, window, newDeadlineNanos);
  }

  /** Returns the shape of the window of an encoder. */
  WindowShape encoderShape() {
    return WindowShape.of(sourceBytes, window);
  }

  /** Returns the shape of the window of a decoder or a recoder. */
  WindowShape decoderShape() {
    return WindowShape.of(sourceBytes, window + REORDERING);
  }

  void writeTo(ByteBuffer out) {
    out.putLong(first).putShort((short) sourceBytes).putShort((short) window);
    out.putLong(deadlineNanos);
  }

  static FlowShape read(ByteBuffer in) throws MalformedMessageException {
    try {
      return new FlowShape(
          in.getLong(), in.getShort() & 0xFFFF, in.getShort() & 0xFFFF, in.getLong());
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()));
    }
  }
}

package io.fieldstone.net.browser;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A frame of a stream: its length in 4 bytes, big endian, then the kind and the body, which the
 * length counts.
 *
 * @param kind what it is
 * @param body its bytes, read-only
 */
record Frame(byte kind, MemorySegment body) {

  /** A control message. */
  static final byte CONTROL = 0;

  /** A packet, which other carriers send as a datagram. */
  static final byte PACKET = 1;

  /** The end: a code of 4 bytes, and why. Only to browsers. */
  static final byte CLOSE = 2;

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int MAX_BYTES = 1 + Connection.MAX_CONTROL_BYTES;

  /** Writes a frame. */
  static byte[] encode(byte kind, MemorySegment body) {
    int bytes = (int) body.byteSize();
    byte[] frame = new byte[LENGTH_BYTES + 1 + bytes];
    ByteBuffer.wrap(frame).putInt(1 + bytes).put(kind);
    MemorySegment.copy(body, ValueLayout.JAVA_BYTE, 0, frame, LENGTH_BYTES + 1, bytes);
    return frame;
  }

  /** Writes the frame that ends a stream; the text is cut to what others may read. */
  static byte[] close(long code, byte[] utf8) {
    int textBytes = Math.min(utf8.length, CloseReason.MAX_TEXT_BYTES);
    ByteBuffer body = ByteBuffer.allocate(Integer.BYTES + textBytes);
    body.putInt((int) code).put(utf8, 0, textBytes);
    return encode(CLOSE, MemorySegment.ofArray(body.array()));
  }

  /** Reads the frames of a browser; empty if the bytes are anything else. */
  static Optional<List<Frame>> parse(byte[] bytes) {
    List<Frame> frames = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    MemorySegment all = MemorySegment.ofArray(bytes).asReadOnly();
    while (in.remaining() >= LENGTH_BYTES) {
      int length = in.getInt();
      if (length < 2 || length > MAX_BYTES || length > in.remaining()) {
        return Optional.empty();
      }
      byte kind = in.get();
      if (kind != CONTROL && kind != PACKET) {
        return Optional.empty();
      }
      frames.add(new Frame(kind, all.asSlice(in.position(), length - 1)));
      in.position(in.position() + length - 1);
    }
    return in.hasRemaining() ? Optional.empty() : Optional.of(frames);
  }
}

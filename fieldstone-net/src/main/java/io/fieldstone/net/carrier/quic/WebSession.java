package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http3.DefaultHttp3DataFrame;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The session of a browser on its connection. The stream of its request lives as long as the
 * session. It ends with a capsule (RFC 9297) that says why, CLOSE_WEBTRANSPORT_SESSION. On the loop
 * of the connection.
 */
final class WebSession {

  /** CLOSE_WEBTRANSPORT_SESSION, 0x2843, as an integer of variable length in two bytes. */
  private static final int CLOSE_CAPSULE = 0x6843;

  private static final int CODE_BYTES = Integer.BYTES;

  private final QuicConnection connection;
  private @Nullable QuicStreamChannel request;

  WebSession(QuicConnection connection) {
    this.connection = connection;
  }

  /** Takes the request that opens the session. */
  void accept(QuicStreamChannel stream) {
    request = stream;
    connection.farewell(this::sayGoodbye);
  }

  /** Opens the connection on the first stream of the session; others are closed. */
  void open(QuicStreamChannel stream) {
    if (request == null) {
      stream.close();
    } else {
      connection.open(stream);
    }
  }

  /** Takes capsules of the browser, of which only the one that ends the session is expected. */
  void capsules(ByteBuf content) {
    if (content.readableBytes() < Short.BYTES
        || content.getUnsignedShort(content.readerIndex()) != CLOSE_CAPSULE) {
      return;
    }
    content.skipBytes(Short.BYTES);
    int bytes = variableLength(content);
    if (bytes < CODE_BYTES || content.readableBytes() < bytes) {
      ended();
      return;
    }
    long code = content.readUnsignedInt();
    int textBytes = Math.min(bytes - CODE_BYTES, CloseReason.MAX_TEXT_BYTES);
    String text = content.toString(content.readerIndex(), textBytes, StandardCharsets.UTF_8);
    connection.endedByPeer(
        new CloseReason(Kind.CLOSED_BY_PEER, code, CloseReasons.printable(text)));
  }

  /** Takes note that the browser has ended the session. */
  void ended() {
    connection.endedByPeer(
        new CloseReason(Kind.CLOSED_BY_PEER, CloseReason.DONE, "the browser has left"));
  }

  /** Reads an integer of one or two bytes (RFC 9000, section 16); −1 if it is longer or absent. */
  private static int variableLength(ByteBuf content) {
    if (!content.isReadable()) {
      return -1;
    }
    int first = content.readUnsignedByte();
    if (first < 0x40) {
      return first;
    }
    return first < 0x80 && content.isReadable()
        ? (first & 0x3F) << 8 | content.readUnsignedByte()
        : -1;
  }

  private void sayGoodbye(long code, String text) {
    QuicStreamChannel stream = request;
    if (stream == null || !stream.isActive()) {
      return;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int textBytes = Math.min(utf8.length, CloseReason.MAX_TEXT_BYTES);
    ByteBuf capsule = stream.alloc().buffer(2 * Short.BYTES + CODE_BYTES + textBytes);
    capsule.writeShort(CLOSE_CAPSULE).writeShort(0x4000 | CODE_BYTES + textBytes);
    capsule.writeInt((int) code).writeBytes(utf8, 0, textBytes);
    stream
        .writeAndFlush(new DefaultHttp3DataFrame(capsule))
        .addListener(QuicStreamChannel.SHUTDOWN_OUTPUT);
  }
}

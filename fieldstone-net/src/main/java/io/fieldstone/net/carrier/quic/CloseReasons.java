package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.quic.QuicClosedChannelException;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicTransportError;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says in terms of the port why a QUIC connection was closed. */
final class CloseReasons {
  /** TLS alert 120, no_application_protocol, as a QUIC error (RFC 9001, section 4.8). */
  private static final int NO_PROTOCOL = 0x100 + 120;

  /** The name and error number of a system call, which Netty puts before its error message. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

  private CloseReasons() {}

  /** The reason that the peer gave. */
  static CloseReason ofPeer(QuicConnectionCloseEvent event, String protocol) {
    String text = textOf(event);
    if (event.isApplicationClose()) {
      if (event.error() == CloseReason.UNTRUSTED_CODE) {
        return new CloseReason(
            Kind.UNTRUSTED, event.error(), "the peer does not trust the certificate of this side");
      }
      Kind kind =
          event.error() == CloseReason.NO_STREAM_CODE ? Kind.TIMED_OUT : Kind.CLOSED_BY_PEER;
      return new CloseReason(kind, event.error(), text.isEmpty() ? "the peer closed" : text);
    }
    if (event.error() == NO_PROTOCOL) {
      return versionMismatch(protocol);
    }
    if (event.error() == 0) {
      return new CloseReason(
          Kind.CLOSED_BY_PEER, 0, text.isEmpty() ? "the peer closed the connection" : text);
    }
    return new CloseReason(
        Kind.FAILED, event.error(), "the peer reports " + name(event.error()) + suffix(text));
  }

  /** The reason why no connection came about. */
  static CloseReason ofFailure(@Nullable Throwable cause, String protocol, long timeoutMillis) {
    return switch (cause) {
      case QuicClosedChannelException e when e.event() != null -> ofPeer(e.event(), protocol);
      case ConnectTimeoutException _ ->
          new CloseReason(Kind.TIMED_OUT, 0, "no answer within " + timeoutMillis + " ms");
      case null -> new CloseReason(Kind.FAILED, 0, "the transport closed the connection");
      default -> new CloseReason(Kind.FAILED, 0, describe(cause));
    };
  }

  static CloseReason versionMismatch(String protocol) {
    return new CloseReason(
        Kind.VERSION_MISMATCH, NO_PROTOCOL, "the peer does not speak " + protocol);
  }

  static String describe(Throwable cause) {
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : printable(SYSTEM_CALL.matcher(message).replaceFirst(""));
  }

  /** The event throws if the peer gave no text. */
  private static String textOf(QuicConnectionCloseEvent event) {
    try {
      return printable(new String(event.reason(), StandardCharsets.UTF_8));
    } catch (NullPointerException e) {
      return "";
    }
  }

  private static String name(int error) {
    QuicTransportError known = QuicTransportError.valueOf(error);
    return "QUIC error " + (known == null ? "0x" + Integer.toHexString(error) : known.name());
  }

  private static String suffix(String text) {
    return text.isEmpty() ? "" : ": " + text;
  }

  /** A text of the peer goes into logs and terminals: one line, no control characters. */
  static String printable(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .limit(CloseReason.MAX_TEXT_BYTES)
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .forEach(line::appendCodePoint);
    return line.toString().strip();
  }
}

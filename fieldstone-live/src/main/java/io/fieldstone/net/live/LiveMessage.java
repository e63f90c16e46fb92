package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.session.MalformedMessageException;
import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A control message of a live connection (docs/live.md, "Protocol"). */
sealed interface LiveMessage {

  /** The version of the protocol. */
  int VERSION = 1;

  /** The maximum bytes of a token in UTF-8. */
  int MAX_TOKEN_BYTES = 255;

  /** The bytes of the salt of an encrypted stream. */
  int SALT_BYTES = 32;

  /** What the client of a connection wants. */
  enum Purpose {
    /** To receive a stream. */
    STREAM(0, "a stream"),

    /** To exchange packets of UDP ports in both directions. */
    UDP_TUNNEL(1, "a tunnel of a UDP port"),

    /** To exchange packets of TUN devices in both directions. */
    TUN_TUNNEL(2, "a tunnel of a TUN device");

    private final int code;
    private final String text;

    Purpose(int code, String text) {
      this.code = code;
      this.text = text;
    }

    /** Returns the number of the protocol. */
    int code() {
      return code;
    }

    /** Returns what serves the purpose, as a part of a sentence. */
    String text() {
      return text;
    }
  }

  /**
   * The first message, from the client.
   *
   * @param version the version of the protocol
   * @param token what authorizes the client; may be empty
   * @param deadlineNanos the deadline that it wants; 0 for that of the server
   * @param flow the flow that it sends, if it sends one
   */
  record Hello(
      int version, Purpose purpose, String token, long deadlineNanos, Optional<FlowShape> flow)
      implements LiveMessage {}

  /**
   * The answer of the server.
   *
   * @param version the version of the protocol
   * @param flow the flow that it sends
   * @param encryption how packets are encrypted, if they are
   */
  record Accept(int version, FlowShape flow, Optional<Encryption> encryption)
      implements LiveMessage {}

  /**
   * From the server: the stream has ended.
   *
   * @param end the id after its last source
   */
  record End(long end) implements LiveMessage {}

  /**
   * How the packets of a stream are encrypted.
   *
   * @param keyId the id of the key
   * @param salt {@link #SALT_BYTES} bytes, used for no other stream with this key
   */
  record Encryption(long keyId, ByteBuffer salt) {}

  /** Returns the bytes of a message. */
  static MemorySegment write(LiveMessage message) {
    ByteBuffer out = ByteBuffer.allocate(1 << 10);
    switch (message) {
      case Hello hello -> {
        out.put((byte) 1).putShort((short) hello.version);
        out.put((byte) hello.purpose.code());
        byte[] token = hello.token.getBytes(StandardCharsets.UTF_8);
        if (token.length > MAX_TOKEN_BYTES) {
          throw new IllegalArgumentException(
              "a token of %d bytes; the maximum is %d".formatted(token.length, MAX_TOKEN_BYTES));
        }
        out.put((byte) token.length).put(token).putLong(hello.deadlineNanos);
        out.put((byte) (hello.flow.isPresent() ? 1 : 0));
        hello.flow.ifPresent(flow -> flow.writeTo(out));
      }
      case Accept accept -> {
        out.put((byte) 2).putShort((short) accept.version);
        accept.flow.writeTo(out);
        out.put((byte) (accept.encryption.isPresent() ? 1 : 0));
        accept.encryption.ifPresent(
            each -> out.putLong(each.keyId).put(each.salt.duplicate().rewind()));
      }
      case End end -> out.put((byte) 3).putLong(end.end);
    }
    return MemorySegment.ofBuffer(out.flip());
  }

  /**
   * Parses a message.
   *
   * @param bytes exactly one message, at most {@link Connection#MAX_CONTROL_BYTES}
   * @throws MalformedMessageException if it is not one
   */
  static LiveMessage parse(MemorySegment bytes) throws MalformedMessageException {
    ByteBuffer in = bytes.asByteBuffer();
    try {
      LiveMessage message =
          switch (in.get()) {
            case 1 -> hello(in);
            case 2 -> accept(in);
            case 3 -> new End(in.getLong());
            default -> throw new MalformedMessageException("unknown type of live message");
          };
      if (in.hasRemaining()) {
        throw new MalformedMessageException(in.remaining() + " bytes after a live message");
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new MalformedMessageException(
          "a live message ends early, after %d bytes".formatted(bytes.byteSize()));
    }
  }

  private static Hello hello(ByteBuffer in) throws MalformedMessageException {
    int version = in.getShort() & 0xFFFF;
    int purpose = in.get();
    if (purpose < 0 || purpose >= Purpose.values().length) {
      throw new MalformedMessageException("unknown purpose " + purpose);
    }
    byte[] token = bytes(in, in.get() & 0xFF);
    long deadline = in.getLong();
    if (deadline < 0 || deadline > FlowShape.MAX_DEADLINE_NANOS) {
      throw new MalformedMessageException("deadline " + deadline + " ns is out of range");
    }
    Optional<FlowShape> flow = isTrue(in) ? Optional.of(FlowShape.read(in)) : Optional.empty();
    return new Hello(version, Purpose.values()[purpose], text(token), deadline, flow);
  }

  private static Accept accept(ByteBuffer in) throws MalformedMessageException {
    int version = in.getShort() & 0xFFFF;
    FlowShape flow = FlowShape.read(in);
    Optional<Encryption> encryption =
        isTrue(in)
            ? Optional.of(new Encryption(in.getLong(), ByteBuffer.wrap(bytes(in, SALT_BYTES))))
            : Optional.empty();
    return new Accept(version, flow, encryption);
  }

  private static boolean isTrue(ByteBuffer in) throws MalformedMessageException {
    int value = in.get();
    if (value != 0 && value != 1) {
      throw new MalformedMessageException("flag " + value + " is neither 0 nor 1");
    }
    return value == 1;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (in.remaining() < length) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) throws MalformedMessageException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("a token that is not UTF-8");
    }
  }
}

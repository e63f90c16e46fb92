package io.fieldstone.net.carrier.quic;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicTokenHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks the tokens of Retry packets (RFC 9000, section 8.1.2): if many clients connect,
 * each must prove that it receives packets at its address before the server keeps any state for it.
 *
 * <p>A Retry packet costs a round trip. So {@value #FREE_CLIENTS} clients, and {@value
 * #FREE_CLIENTS_PER_SECOND} more each second, need no token. For each of them the server sends at
 * most three times what it has received until the handshake proves the address.
 *
 * <p>A token is the time of its end, 16 bytes of HMAC-SHA256 over that time, the address, the port
 * and the original connection id, and this id. The key lives as long as the socket. For one thread.
 */
final class AddressTokens implements QuicTokenHandler {
  private static final long VALIDITY_NANOS = 10_000_000_000L;

  /** The clients that may connect at once without a token. */
  static final int FREE_CLIENTS = 50;

  /** Handshakes take a fiftieth of a core at this rate. */
  static final int FREE_CLIENTS_PER_SECOND = 20;

  private static final long NANOS_PER_FREE_CLIENT = 1_000_000_000L / FREE_CLIENTS_PER_SECOND;
  private static final long MAX_FREE_NANOS = FREE_CLIENTS * NANOS_PER_FREE_CLIENT;

  private static final int TIME_BYTES = Long.BYTES;
  private static final int MAC_BYTES = 16;
  private static final int ID_OFFSET = TIME_BYTES + MAC_BYTES;

  private final LongSupplier nanoTime;
  private final long nanosPerFreeClient;
  private final Mac mac;

  /** The time that pays for clients without a token. */
  private long freeNanos = MAX_FREE_NANOS;

  private long paidNanos;

  /**
   * Creates the tokens of one socket.
   *
   * @param nanoTime gives the time in nanoseconds
   * @param sockets the number of sockets of the listener, which share the clients without tokens
   */
  AddressTokens(LongSupplier nanoTime, int sockets) {
    this.nanoTime = nanoTime;
    this.nanosPerFreeClient = sockets * NANOS_PER_FREE_CLIENT;
    this.paidNanos = nanoTime.getAsLong();
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no HmacSHA256: " + e.getMessage(), e);
    }
  }

  /** Writes a token unless this client needs none; returns false then. */
  @Override
  public boolean writeToken(ByteBuf out, ByteBuf dcid, InetSocketAddress address) {
    long now = nanoTime.getAsLong();
    if (isFree(now)) {
      return false;
    }
    long end = now + VALIDITY_NANOS;
    byte[] id = bytes(dcid, dcid.readerIndex(), dcid.readableBytes());
    out.writeLong(end).writeBytes(sign(end, address, id)).writeBytes(id);
    return true;
  }

  private boolean isFree(long now) {
    freeNanos = Math.min(MAX_FREE_NANOS, freeNanos + now - paidNanos);
    paidNanos = now;
    if (freeNanos < nanosPerFreeClient) {
      return false;
    }
    freeNanos -= nanosPerFreeClient;
    return true;
  }

  @Override
  public int validateToken(ByteBuf token, InetSocketAddress address) {
    int idBytes = token.readableBytes() - ID_OFFSET;
    if (idBytes < 0 || idBytes > Quic.MAX_CONN_ID_LEN) {
      return -1;
    }
    int start = token.readerIndex();
    long end = token.getLong(start);
    byte[] signed = bytes(token, start + TIME_BYTES, MAC_BYTES);
    byte[] id = bytes(token, start + ID_OFFSET, idBytes);
    long left = end - nanoTime.getAsLong();
    boolean valid =
        MessageDigest.isEqual(signed, sign(end, address, id))
            && left >= 0
            && left <= VALIDITY_NANOS;
    return valid ? ID_OFFSET : -1;
  }

  @Override
  public int maxTokenLength() {
    return ID_OFFSET + Quic.MAX_CONN_ID_LEN;
  }

  private byte[] sign(long end, InetSocketAddress address, byte[] id) {
    byte[] ip = address.getAddress().getAddress();
    ByteBuffer message = ByteBuffer.allocate(TIME_BYTES + 1 + ip.length + Short.BYTES + id.length);
    message.putLong(end).put((byte) ip.length).put(ip).putShort((short) address.getPort()).put(id);
    return Arrays.copyOf(mac.doFinal(message.array()), MAC_BYTES);
  }

  private static byte[] bytes(ByteBuf from, int index, int length) {
    byte[] bytes = new byte[length];
    from.getBytes(index, bytes);
    return bytes;
  }
}

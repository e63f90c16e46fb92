package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the salt of an encrypted object from its plaintext: HMAC-SHA256 under a key derived from
 * the master key, over the bytes of a generation and the plaintext. So the same plaintext, master
 * key and generation size give the same object. Two contents never share a salt, and so never a key
 * and nonce (the idea of synthetic initialization vectors, RFC 5297).
 *
 * <p>The size of a generation is included, because it determines the bytes of each nonce.
 *
 * <p>For one thread and one plaintext.
 */
public final class ContentSalt {

  /** The maximum bytes of one update: a byte buffer has at most 2^31 − 1 bytes. */
  private static final long MAX_UPDATE_BYTES = 1L << 30;

  private final Mac mac;

  /**
   * Starts with an empty plaintext.
   *
   * @param shape the shape of a full generation, of which n·k matters
   */
  public ContentSalt(MasterKey key, GenerationShape shape) {
    try {
      mac = Mac.getInstance("HmacSHA256");
      byte[] secret = key.derive(new byte[0], "fieldstone salt", Sha256.BYTES);
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("a JDK without HMAC-SHA256", e);
    }
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(shape.bytes()).flip());
  }

  /** Returns a random salt, for a plaintext that cannot be read twice. */
  public static Sha256 random() {
    byte[] bytes = new byte[Sha256.BYTES];
    new SecureRandom().nextBytes(bytes);
    return Sha256.of(bytes);
  }

  /** Appends bytes to the plaintext. */
  public void update(MemorySegment plaintext) {
    for (long done = 0; done < plaintext.byteSize(); done += MAX_UPDATE_BYTES) {
      long bytes = Math.min(MAX_UPDATE_BYTES, plaintext.byteSize() - done);
      mac.update(plaintext.asSlice(done, bytes).asByteBuffer());
    }
  }

  /** Returns the salt of the plaintext, and starts again with an empty one of no shape. */
  public Sha256 salt() {
    return Sha256.of(mac.doFinal());
  }
}

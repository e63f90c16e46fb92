package io.fieldstone.rlnc.crypto;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The SHA-256 of the plaintext of each generation of an object. They give its salt: HMAC-SHA256
 * under a key derived from the master key, over the bytes of a generation and the digests. So the
 * same plaintext, master key and generation size give the same object. Two contents never share a
 * salt, and so never a key and nonce (the idea of synthetic initialization vectors, RFC 5297).
 *
 * <p>The size of a generation is included, because it determines the bytes of each nonce.
 *
 * <p>A file is read once for its digests, and again to be encrypted. Encrypt only what {@link
 * #areOf} accepts then: ciphertext of another content under the same salt would reveal both.
 *
 * <p>Different generations may be taken by different threads. It keeps 32 bytes for each.
 */
public final class ContentDigests {

  private final GenerationShape shape;
  private final int pitch;
  private final MemorySegment digests;

  /**
   * Makes room for the digests of a plaintext.
   *
   * @param shape the shape of a full generation
   * @param plaintextBytes the bytes of all generations
   * @throws IllegalArgumentException if generations of the shape cannot be encrypted ({@link
   *     GenerationCipher#plaintextBytes}), or there are more than 2^24
   */
  public ContentDigests(GenerationShape shape, long plaintextBytes) {
    this.shape = shape;
    this.pitch = GenerationCipher.plaintextBytes(shape);
    long generations = Math.ceilDiv(plaintextBytes, pitch);
    if (generations > ObjectManifest.MAX_GENERATIONS) {
      throw new IllegalArgumentException(
          "%d generations are more than %d: take larger ones"
              .formatted(generations, ObjectManifest.MAX_GENERATIONS));
    }
    this.digests = Arena.ofAuto().allocate(generations * Sha256.BYTES);
  }

  /** Returns a random salt, for a plaintext that cannot be read twice. */
  public static Sha256 randomSalt() {
    byte[] bytes = new byte[Sha256.BYTES];
    new SecureRandom().nextBytes(bytes);
    return Sha256.of(bytes);
  }

  /**
   * Digests the plaintext of consecutive generations.
   *
   * @param first the number of the first one
   * @param plaintext whole generations; the last of the object may be shorter
   * @throws IndexOutOfBoundsException if the plaintext of the object has fewer generations
   */
  public void digest(long first, MemorySegment plaintext) {
    digest(plaintext, of(first, plaintext));
  }

  /**
   * Returns whether the digests of consecutive generations are those of a plaintext.
   *
   * @see #digest(long, MemorySegment)
   */
  public boolean areOf(long first, MemorySegment plaintext) {
    MemorySegment expected = of(first, plaintext);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(expected.byteSize());
      digest(plaintext, found);
      return found.mismatch(expected) < 0;
    }
  }

  private MemorySegment of(long first, MemorySegment plaintext) {
    long generations = Math.ceilDiv(plaintext.byteSize(), pitch);
    return digests.asSlice(first * Sha256.BYTES, generations * Sha256.BYTES);
  }

  private void digest(MemorySegment plaintext, MemorySegment hashes) {
    Hashing hashing = Engine.hashing();
    int full = Math.toIntExact(plaintext.byteSize() / pitch);
    hashing.sha256(Hashing.NO_PREFIX, plaintext, pitch, full, pitch, hashes);
    MemorySegment rest = plaintext.asSlice((long) full * pitch);
    if (rest.byteSize() > 0) {
      MemorySegment hash = hashes.asSlice((long) full * Sha256.BYTES);
      hashing.sha256(Hashing.NO_PREFIX, rest, rest.byteSize(), 1, rest.byteSize(), hash);
    }
  }

  /** Returns the salt of the plaintext, all of which has been digested. */
  public Sha256 salt(MasterKey key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] secret = key.derive(new byte[0], "fieldstone salt of digests", Sha256.BYTES);
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(ByteBuffer.allocate(Long.BYTES).putLong(shape.bytes()).flip());
      mac.update(digests.asByteBuffer());
      return Sha256.of(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new AssertionError("a JDK without HMAC-SHA256", e);
    }
  }
}

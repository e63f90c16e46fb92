package io.fieldstone.rlnc.crypto;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and decrypts the packets of a stream with AES-256-GCM (docs/live.md, "Encryption"). A
 * ciphertext is the number of the packet, which is the nonce, the encrypted bytes and a tag. The
 * key of a stream is HKDF-SHA256 of the master key and the salt of the stream.
 *
 * <p>For one thread at a time.
 */
public final class PacketCipher {

  /** The bytes by which a ciphertext is longer than its plaintext. */
  public static final int OVERHEAD_BYTES = Long.BYTES + GenerationCipher.TAG_BYTES;

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;

  private final SecretKeySpec key;
  private final Cipher cipher;

  /**
   * Creates the cipher of a stream.
   *
   * @param salt used for no other stream with this key
   */
  public PacketCipher(MasterKey master, byte[] salt) {
    key = new SecretKeySpec(master.derive(salt, "fieldstone stream", KEY_BYTES), "AES");
    try {
      cipher = Cipher.getInstance(TRANSFORMATION);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("a JDK without AES-GCM", e);
    }
  }

  /** Returns a random salt of 32 bytes. */
  public static byte[] newSalt() {
    byte[] salt = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(salt);
    return salt;
  }

  /**
   * Encrypts a packet.
   *
   * @param number used for no other packet of the stream
   * @param ciphertext receives {@value #OVERHEAD_BYTES} bytes more; not the same memory
   */
  public void encrypt(long number, MemorySegment plaintext, MemorySegment ciphertext) {
    ByteBuffer out = ciphertext.asByteBuffer().putLong(number);
    try {
      start(Cipher.ENCRYPT_MODE, number);
      cipher.doFinal(plaintext.asByteBuffer(), out);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("AES-256-GCM failed", e);
    }
  }

  /**
   * Decrypts a packet.
   *
   * @param plaintext receives {@value #OVERHEAD_BYTES} bytes less; undefined if it returns false
   * @return false if it is not what {@link #encrypt} makes with this key and salt
   */
  public boolean decrypt(MemorySegment ciphertext, MemorySegment plaintext) {
    if (ciphertext.byteSize() < OVERHEAD_BYTES
        || plaintext.byteSize() != ciphertext.byteSize() - OVERHEAD_BYTES) {
      return false;
    }
    ByteBuffer in = ciphertext.asByteBuffer();
    try {
      start(Cipher.DECRYPT_MODE, in.getLong());
      cipher.doFinal(in, plaintext.asByteBuffer());
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new AssertionError("AES-256-GCM failed", e);
    }
  }

  private void start(int mode, long number) throws GeneralSecurityException {
    byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putLong(number).array();
    cipher.init(mode, key, new GCMParameterSpec(GenerationCipher.TAG_BYTES * Byte.SIZE, nonce));
  }
}

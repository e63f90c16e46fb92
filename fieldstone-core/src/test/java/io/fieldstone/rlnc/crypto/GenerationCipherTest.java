package io.fieldstone.rlnc.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GenerationCipherTest {

  private static final MasterKey KEY = MasterKey.of(new byte[32]);
  private static final Sha256 SALT = new Sha256(1, 2, 3, 4);

  private static byte[] encrypt(GenerationCipher cipher, long generation, boolean isLast) {
    byte[] ciphertext = new byte[11 + GenerationCipher.TAG_BYTES];
    cipher.encrypt(
        generation,
        isLast,
        MemorySegment.ofArray("hello world".getBytes()),
        MemorySegment.ofArray(ciphertext));
    return ciphertext;
  }

  private static String decrypt(
      GenerationCipher cipher, long generation, boolean isLast, byte[] ciphertext)
      throws AuthenticationException {
    MemorySegment plaintext = MemorySegment.ofArray(new byte[11]);
    cipher.decrypt(generation, isLast, MemorySegment.ofArray(ciphertext), plaintext);
    return new String(plaintext.toArray(ValueLayout.JAVA_BYTE));
  }

  private static void assertRefused(
      GenerationCipher cipher, long generation, boolean isLast, byte[] ciphertext) {
    assertThatExceptionOfType(AuthenticationException.class)
        .isThrownBy(() -> decrypt(cipher, generation, isLast, ciphertext))
        .satisfies(e -> assertThat(e.generation()).isEqualTo(generation));
  }

  @Test
  void plaintextComesBack() throws Exception {
    GenerationCipher cipher = GenerationCipher.of(KEY, SALT);
    assertThat(decrypt(cipher, 7, false, encrypt(cipher, 7, false))).isEqualTo("hello world");
    GenerationCipher other = GenerationCipher.of(KEY, cipher.parameters());
    assertThat(decrypt(other, 7, true, encrypt(cipher, 7, true))).isEqualTo("hello world");
  }

  /** Computed with Python's cryptography, by the script in docs/format.md. */
  @Test
  void theCiphertextIsTheseBytes() {
    assertThat(HexFormat.of().formatHex(encrypt(GenerationCipher.of(KEY, SALT), 7, true)))
        .isEqualTo(GOLDEN);
    assertThat("%016x".formatted(KEY.keyId())).isEqualTo(GOLDEN_KEY_ID);
  }

  /** Changed, moved, or no longer the last one: nothing of it authenticates. */
  @Test
  void everyOtherGenerationIsRefused() {
    GenerationCipher cipher = GenerationCipher.of(KEY, SALT);
    byte[] ciphertext = encrypt(cipher, 7, false);
    for (int bit = 0; bit < 8 * ciphertext.length; bit++) {
      byte[] changed = ciphertext.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertRefused(cipher, 7, false, changed);
    }
    assertRefused(cipher, 8, false, ciphertext);
    assertRefused(cipher, 7, true, ciphertext);
    assertRefused(GenerationCipher.of(KEY, new Sha256(1, 2, 3, 5)), 7, false, ciphertext);
    assertRefused(GenerationCipher.of(MasterKey.generate(), SALT), 7, false, ciphertext);
  }

  @Test
  void anotherKeyIsNamed() {
    MasterKey other = MasterKey.generate();
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> GenerationCipher.of(other, GenerationCipher.of(KEY, SALT).parameters()))
        .withMessageContaining("%016x".formatted(KEY.keyId()))
        .withMessageContaining("%016x".formatted(other.keyId()));
  }

  private static GenerationShape shape(int n, int k) {
    return new GenerationShape(Gf256.DEFAULT, new Code.Dense(), n, k);
  }

  @Test
  void lengthsAreThoseOfTheTags() throws Exception {
    GenerationShape shape = shape(4, 8);
    assertThat(GenerationCipher.plaintextBytes(shape)).isEqualTo(16);
    for (int length = 0; length < 100; length++) {
      long coded = GenerationCipher.ciphertextLength(length, shape);
      ObjectManifest manifest = manifest(shape, coded);
      assertThat(manifest.generations()).isEqualTo((length + 15) / 16);
      assertThat(GenerationCipher.plaintextLength(manifest)).isEqualTo(length);
    }
    for (int length : new int[] {1, 16, 33, 48}) {
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> GenerationCipher.plaintextLength(manifest(shape, length)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GenerationCipher.plaintextBytes(shape(2, 8)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GenerationCipher.plaintextBytes(shape(4096, 1 << 20)));
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> GenerationCipher.plaintextLength(manifest(shape(2, 8), 17)));
  }

  private static ObjectManifest manifest(GenerationShape shape, long length) {
    return new ObjectManifest(
        shape, length, Optional.of(new ObjectManifest.Encryption(SALT, 1)), SALT);
  }

  private static Sha256 salt(MasterKey key, GenerationShape shape, String... parts) {
    ContentSalt salt = new ContentSalt(key, shape);
    for (String part : parts) {
      salt.update(MemorySegment.ofArray(part.getBytes()));
    }
    return salt.salt();
  }

  /** Generation 1 has other bytes where generations have another size, and the same nonce. */
  @Test
  void aSaltDependsOnContentKeyAndGenerationSize() {
    Sha256 salt = salt(KEY, shape(4, 8), "content");
    assertThat(salt).hasToString(GOLDEN_SALT);
    assertThat(salt(KEY, shape(4, 8), "con", "", "tent")).isEqualTo(salt);
    assertThat(salt(KEY, shape(2, 16), "content")).isEqualTo(salt);
    assertThat(salt(KEY, shape(4, 9), "content")).isNotEqualTo(salt);
    assertThat(salt(KEY, shape(4, 8), "Content")).isNotEqualTo(salt);
    assertThat(salt(MasterKey.generate(), shape(4, 8), "content")).isNotEqualTo(salt);
    assertThat(ContentSalt.random()).isNotEqualTo(ContentSalt.random());
  }

  private static final String GOLDEN = "988516761aadb8624131951afca4c95cce3fe1641c10c0c4e35494";
  private static final String GOLDEN_SALT =
      "3d164c2cdc4bbedf3d91cdc2fee03360a54dc6b2d2f198d4f4cec67598a9720f";
  private static final String GOLDEN_KEY_ID = "606c337bcc2ca81c";
}

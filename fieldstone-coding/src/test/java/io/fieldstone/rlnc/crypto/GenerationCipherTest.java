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
import java.util.Random;
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

  private static Sha256 salt(MasterKey key, GenerationShape shape, String content) {
    MemorySegment plaintext = MemorySegment.ofArray(content.getBytes());
    ContentDigests digests = new ContentDigests(shape, plaintext.byteSize());
    digests.digest(0, plaintext);
    return digests.salt(key);
  }

  /** Generation 1 has other bytes where generations have another size, and the same nonce. */
  @Test
  void aSaltDependsOnContentKeyAndGenerationSize() {
    Sha256 salt = salt(KEY, shape(4, 8), "content");
    assertThat(salt).hasToString(GOLDEN_SALT);
    assertThat(salt(KEY, shape(2, 16), "content")).isEqualTo(salt);
    assertThat(salt(KEY, shape(4, 9), "content")).isNotEqualTo(salt);
    assertThat(salt(KEY, shape(4, 8), "Content")).isNotEqualTo(salt);
    assertThat(salt(MasterKey.generate(), shape(4, 8), "content")).isNotEqualTo(salt);
    assertThat(ContentDigests.randomSalt()).isNotEqualTo(ContentDigests.randomSalt());
  }

  /** Generations of 16 bytes of plaintext; the last one has 1. */
  @Test
  void generationsAreDigestedOneByOne() {
    byte[] content = new byte[49];
    new Random(1).nextBytes(content);
    MemorySegment plaintext = MemorySegment.ofArray(content);
    ContentDigests together = new ContentDigests(shape(4, 8), content.length);
    together.digest(0, plaintext);
    ContentDigests single = new ContentDigests(shape(4, 8), content.length);
    for (int g : new int[] {3, 1, 0, 2}) {
      single.digest(g, plaintext.asSlice(16L * g, g < 3 ? 16 : 1));
    }
    assertThat(single.salt(KEY)).isEqualTo(together.salt(KEY));
    assertThat(single.areOf(0, plaintext)).isTrue();
    assertThat(single.areOf(2, plaintext.asSlice(32))).isTrue();
    for (int at = 0; at < content.length; at++) {
      content[at] ^= 1;
      assertThat(single.areOf(0, plaintext)).isFalse();
      assertThat(single.areOf(at / 16 == 0 ? 1 : 0, plaintext.asSlice(at / 16 == 0 ? 16 : 0, 16)))
          .isTrue();
      content[at] ^= 1;
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> single.digest(1, plaintext));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ContentDigests(shape(1, 17), (1L << 24) + 1))
        .withMessage("16777217 generations are more than 16777216: take larger ones");
  }

  private static final String GOLDEN = "988516761aadb8624131951afca4c95cce3fe1641c10c0c4e35494";
  private static final String GOLDEN_SALT =
      "ba19d69b17f6fd4badd8771a4d225b75c9c92bf8ce56c1ad93275fe3a9a1087f";
  private static final String GOLDEN_KEY_ID = "606c337bcc2ca81c";
}

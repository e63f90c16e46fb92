package io.fieldstone.rlnc.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GenerationContentTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10);
  private static final Sha256 SALT = new Sha256(1, 2, 3, 4);

  private final MasterKey key = MasterKey.generate();

  private ObjectManifest manifest(long length) {
    return new ObjectManifest(
        SHAPE,
        length,
        Optional.of(new ObjectManifest.Encryption(SALT, key.keyId())),
        new Sha256(0, 0, 0, 0));
  }

  @Test
  void bytesOfAFileThatIsNotEncryptedAreThoseOfTheObject() throws Exception {
    GenerationContent content = GenerationContent.of(manifest(95), Optional.empty());
    assertThat(content.length()).isEqualTo(95);
    assertThat(content.positionOf(2)).isEqualTo(80);
    assertThat(content.bytesOf(2)).isEqualTo(15);
  }

  @Test
  void encryptedGenerationsHoldFewerBytes() throws Exception {
    GenerationContent content =
        GenerationContent.of(manifest(98), Optional.of(GenerationCipher.of(key, SALT)));
    assertThat(content.length()).isEqualTo(50);
    assertThat(content.positionOf(2)).isEqualTo(48);
    assertThat(content.bytesOf(1)).isEqualTo(24);
    assertThat(content.bytesOf(2)).isEqualTo(2);
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {5, 6});
    MemorySegment source = MemorySegment.ofArray(new byte[20]);
    source.fill((byte) 9);
    MemorySegment back = MemorySegment.ofArray(new byte[2]);

    content.encrypt(2, bytes, source);

    assertThat(source.asSlice(18).mismatch(MemorySegment.ofArray(new byte[2]))).isEqualTo(-1);
    content.decrypt(2, source.asSlice(0, 18), back);
    assertThat(back.mismatch(bytes)).isEqualTo(-1);
    assertThatExceptionOfType(AuthenticationException.class)
        .isThrownBy(() -> content.decrypt(1, source.asSlice(0, 18), back));
  }

  @Test
  void aLengthWithoutPlaintextIsRefused() {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(
            () -> GenerationContent.of(manifest(90), Optional.of(GenerationCipher.of(key, SALT))))
        .withMessageContaining("no plaintext has a ciphertext of 90 bytes");
  }

  @Test
  void theKeyOfAReaderMustFit() throws Exception {
    Optional<ObjectManifest.Encryption> encryption = manifest(90).encryption();
    assertThat(GenerationCipher.of(Optional.empty(), Optional.empty())).isEmpty();
    assertThat(GenerationCipher.of(Optional.of(key), encryption)).isPresent();
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> GenerationCipher.of(Optional.of(key), Optional.empty()))
        .withMessage("not encrypted, but a key is given");
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> GenerationCipher.of(Optional.empty(), encryption))
        .withMessage("encrypted: key %016x is needed".formatted(key.keyId()));
    assertThatExceptionOfType(WrongKeyException.class)
        .isThrownBy(() -> GenerationCipher.of(Optional.of(MasterKey.generate()), encryption))
        .withMessageStartingWith("encrypted with key %016x, not with".formatted(key.keyId()));
  }
}

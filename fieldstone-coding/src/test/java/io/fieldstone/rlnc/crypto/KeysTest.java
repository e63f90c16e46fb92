package io.fieldstone.rlnc.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

  private static final Sha256 ID = new Sha256(1, 2, 3, 4);

  @Test
  void keysComeBackFromTheirText() throws Exception {
    MasterKey key = MasterKey.generate();
    assertThat(MasterKey.parse(key.toText()).toText()).isEqualTo(key.toText());
    assertThat(MasterKey.parse(key.toText()).keyId()).isEqualTo(key.keyId());
    assertThat(MasterKey.isText(key.toText())).isTrue();
    SigningKey signing = SigningKey.generate();
    assertThat(SigningKey.parse(signing.toText()).toText()).isEqualTo(signing.toText());
    assertThat(SigningKey.isText(signing.toText())).isTrue();
    PublisherKey publisher = signing.publisher();
    assertThat(PublisherKey.parse(publisher.toString())).isEqualTo(publisher);
  }

  /** Every text but one is refused, and no message has a part of the key. */
  @Test
  void aChangedTextIsRefused() {
    String secret = MasterKey.generate().toText();
    String signing = SigningKey.generate().toText();
    for (int at = 0; at < secret.length(); at++) {
      for (char c : new char[] {'A', '=', '\n', (char) (secret.charAt(at) ^ 1)}) {
        String changed = secret.substring(0, at) + c + secret.substring(at + 1);
        if (!changed.equals(secret)) {
          assertThatExceptionOfType(MalformedDataException.class)
              .isThrownBy(() -> MasterKey.parse(changed))
              .satisfies(e -> assertThat(e.getMessage()).doesNotContain(secret.substring(45, 55)));
        }
      }
    }
    for (int at = 0; at < signing.length() - 1; at++) {
      String cut = signing.substring(0, at) + signing.substring(at + 1);
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> SigningKey.parse(cut));
    }
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> MasterKey.parse(signing))
        .withMessageContaining("this is a key for signing, not for encryption");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> MasterKey.parse(secret + "\n"));
  }

  /** Editors change the ends of lines. */
  @Test
  void lineEndsAreThoseOfAnyEditor() throws Exception {
    MasterKey key = MasterKey.generate();
    SigningKey signing = SigningKey.generate();
    for (String end : new String[] {"", "\n", "\r\n"}) {
      String text = key.toText().strip().replace("\n", "\r\n") + end;
      assertThat(MasterKey.parse(text).toText()).isEqualTo(key.toText());
      assertThat(MasterKey.parse(key.toText().strip() + end).toText()).isEqualTo(key.toText());
      String other = signing.toText().strip().replace("\n", "\r\n") + end;
      assertThat(SigningKey.isText(other)).isTrue();
      assertThat(SigningKey.parse(other).toText()).isEqualTo(signing.toText());
    }
  }

  @Test
  void secretsAreNotInStrings() {
    MasterKey key = MasterKey.of(new byte[32]);
    assertThat(key.toString()).isEqualTo("encryption key %016x".formatted(key.keyId()));
    SigningKey signing = SigningKey.generate();
    assertThat(signing.toString()).isEqualTo("signing key of " + signing.publisher());
  }

  /** The seed of one pair and the public key of another. */
  @Test
  void aPairThatDoesNotBelongTogetherIsRefused() throws Exception {
    byte[] one = KeyText.read(KeyText.SIGNING, SigningKey.generate().toText(), 64);
    byte[] other = KeyText.read(KeyText.SIGNING, SigningKey.generate().toText(), 64);
    System.arraycopy(other, 32, one, 32, 32);
    String mixed = KeyText.write(KeyText.SIGNING, one);
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SigningKey.parse(mixed))
        .withMessageContaining("does not belong to ed25519:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ed25519:", "ed25519:00", "ED25519:", "sha256:"})
  void otherTextsAreNoPublicKeys(String prefix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PublisherKey.parse(prefix + "A".repeat(64)));
  }

  /** RFC 8032, Sec. 7.1, test 2. */
  @Test
  void signaturesAreThoseOfEd25519() {
    PublisherKey key =
        PublisherKey.parse(
            "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    byte[] signature =
        HexFormat.of()
            .parseHex(
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                    + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    assertThat(key.verifies(new byte[] {0x72}, signature)).isTrue();
    assertThat(key.verifies(new byte[] {0x73}, signature)).isFalse();
    assertThat(PublisherKey.of(new byte[32]).verifies(new byte[] {0x72}, signature)).isFalse();
  }

  @Test
  void recordsComeBackAndVerify() throws Exception {
    SigningKey key = SigningKey.generate();
    for (String name : new String[] {"film.mkv", "ü", "x".repeat(255), "a\\b\t\n\u001b"}) {
      PublisherRecord record = PublisherRecord.sign(key, name, ID);
      PublisherRecord parsed = PublisherRecord.parse(record.toBytes());
      assertThat(parsed).isEqualTo(record).isEqualTo(PublisherRecord.sign(key, name, ID));
      assertThat(parsed.isValid()).isTrue();
      assertThat(parsed.name()).isEqualTo(name);
      assertThat(parsed.id()).isEqualTo(ID);
      assertThat(parsed.publisher()).isEqualTo(key.publisher());
      assertThat(parsed.seconds()).isEqualTo(PublisherRecord.NO_TIME);
      assertThat(record.toBytes().length).isLessThanOrEqualTo(PublisherRecord.MAX_BYTES);
    }
  }

  @Test
  void recordsWithATimeComeBackAndVerify() throws Exception {
    SigningKey key = SigningKey.generate();
    String longest = ("x".repeat(255) + "/").repeat(15) + "x".repeat(256 - 1);
    PublisherRecord none = PublisherRecord.sign(key, "a", ID);
    PublisherRecord before = PublisherRecord.sign(key, "a", ID, 1);
    for (long seconds : new long[] {2, SECONDS, PublisherRecord.MAX_SECONDS}) {
      for (String name : new String[] {"a", longest}) {
        PublisherRecord record = PublisherRecord.sign(key, name, ID, seconds);
        PublisherRecord parsed = PublisherRecord.parse(record.toBytes());
        assertThat(parsed).isEqualTo(record).isNotEqualTo(PublisherRecord.sign(key, name, ID));
        assertThat(parsed.isValid()).isTrue();
        assertThat(parsed.seconds()).isEqualTo(seconds);
        assertThat(PublisherRecord.BY_TIME.compare(record, before)).isPositive();
        assertThat(record.toBytes().length).isLessThanOrEqualTo(PublisherRecord.MAX_BYTES);
        // The time is signed, and the signature of one kind is not one of the other.
        for (long other : new long[] {0, seconds - 1}) {
          assertThat(
                  PublisherRecord.of(name, ID, key.publisher(), other, record.signature())
                      .isValid())
              .isFalse();
        }
      }
    }
    assertThat(PublisherRecord.BY_TIME.compare(none, before)).isNegative();
    assertThat(before.timeText()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(none.timeText()).isEqualTo("no time");
    for (long wrong : new long[] {-1, PublisherRecord.MAX_SECONDS + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PublisherRecord.sign(key, "a", ID, wrong))
          .withMessage("a time of %d s since 1970 is not in 1…253402300799".formatted(wrong));
    }
    byte[] zero = before.toBytes();
    zero[111] = 0;
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> PublisherRecord.parse(zero))
        .withMessage("a time of 0 s since 1970 (at byte 104)");
  }

  /** A changed bit of name, id, key, time or signature gives no other valid record. */
  @ParameterizedTest
  @ValueSource(longs = {PublisherRecord.NO_TIME, SECONDS})
  void everyFlippedBitOfARecordIsFound(long seconds) {
    byte[] bytes = PublisherRecord.sign(SigningKey.generate(), "name", ID, seconds).toBytes();
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        PublisherRecord record = PublisherRecord.parse(changed);
        assertThat(record.toBytes()).isEqualTo(changed);
        assertThat(record.isValid()).isFalse();
      } catch (MalformedDataException e) {
        assertThat(e).message().isNotBlank();
      }
    }
  }

  /** Computed with Python's cryptography, by the script in docs/format.md. */
  @Test
  void textsAndRecordsAreTheseBytes() throws Exception {
    assertThat(MasterKey.of(new byte[32]).toText()).isEqualTo(GOLDEN_ENCRYPTION);
    SigningKey key = SigningKey.parse(GOLDEN_SIGNING);
    assertThat(HexFormat.of().formatHex(PublisherRecord.sign(key, "grüße.txt", ID).toBytes()))
        .isEqualTo(GOLDEN_RECORD);
    assertThat(
            HexFormat.of().formatHex(PublisherRecord.sign(key, "grüße.txt", ID, SECONDS).toBytes()))
        .isEqualTo(GOLDEN_TIMED_RECORD);
  }

  private static final String GOLDEN_ENCRYPTION =
      """
      -----BEGIN FIELDSTONE ENCRYPTION KEY-----
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADpwQtN
      -----END FIELDSTONE ENCRYPTION KEY-----
      """;
  private static final String GOLDEN_SIGNING =
      """
      -----BEGIN FIELDSTONE SIGNING KEY-----
      AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8DoQe/884Qvh1w3RjnS8CZZ+TWMJulDV8d3IZkElUxuN5NYh4=
      -----END FIELDSTONE SIGNING KEY-----
      """;
  private static final String GOLDEN_RECORD =
      "465354505542000203a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f"
          + "1ddc8664125531b885d6ba7bf748bde0641d10c6c3dd063ef6fb6b455399d9ed"
          + "bedafa1d771bf98e8c429c4b361bc0b6ef93b2caf69b6a59f12e1fb69669a28d"
          + "cada9f7c08202104000000000000000100000000000000020000000000000003"
          + "0000000000000004000b6772c3bcc39f652e747874";

  private static final long SECONDS = 1_800_000_000;
  private static final String GOLDEN_TIMED_RECORD =
      "465354505542000303a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f"
          + "1ddc8664125531b8148d4b1525b43dd15cff20e1430e99300d2a76e629e02d12"
          + "5846256c6489c26c5d58abbad70b8bfc03409a6c26e944d52d0720b76c25d322"
          + "d96c4a37c38f200d000000006b49d20000000000000000010000000000000002"
          + "00000000000000030000000000000004000b6772c3bcc39f652e747874";

  /** A served file has the path below its folder as its name. */
  @Test
  void aNameMayHaveSeveralParts() throws Exception {
    SigningKey key = SigningKey.generate();
    String longest = ("x".repeat(255) + "/").repeat(15) + "x".repeat(256 - 1);
    for (String name : new String[] {"photos/2026/ü.jpg", longest}) {
      PublisherRecord record = PublisherRecord.sign(key, name, ID);
      assertThat(PublisherRecord.parse(record.toBytes())).isEqualTo(record);
      assertThat(record.isValid()).isTrue();
      assertThat(PublisherRecord.of(name, ID, record.publisher(), 0, record.signature()))
          .isEqualTo(record);
    }
    for (String name : new String[] {"../x", "/x", "x/", "a//b", "a/./b", longest + "/xx", ""}) {
      assertThatIllegalArgumentException().isThrownBy(() -> PublisherRecord.sign(key, name, ID));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PublisherRecord.of("a", ID, key.publisher(), 0, new byte[63]))
        .withMessage("a signature of 63 bytes, not 64");
  }
}

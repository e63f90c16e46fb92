package io.fieldstone.net.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedCertificateTest {

  /** The years on both sides of 2050, in which the encoding of times changes. */
  @ParameterizedTest
  @CsvSource({
    "2025-01-31T23:59:59Z, 2034-12-31T00:00:00Z",
    "2049-12-31T23:59:59Z, 2050-01-01T00:00:00Z",
    "2051-02-28T12:30:15Z, 9999-12-31T23:59:59Z"
  })
  void theJdkReadsAndVerifiesIt(Instant from, Instant to) throws GeneralSecurityException {
    for (int length : new int[] {1, 10, 40, 64, 200, 40_000}) {
      KeyPair keys = keys();
      String name = "n".repeat(length);
      X509Certificate certificate = SelfSignedCertificate.of(keys, name, from, to);
      certificate.verify(keys.getPublic());
      assertThat(certificate.getPublicKey()).isEqualTo(keys.getPublic());
      assertThat(certificate.getVersion()).isEqualTo(3);
      assertThat(certificate.getSigAlgName()).isEqualToIgnoringCase("SHA256withECDSA");
      assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + name);
      assertThat(certificate.getIssuerX500Principal())
          .isEqualTo(certificate.getSubjectX500Principal());
      assertThat(certificate.getNotBefore().toInstant()).isEqualTo(from);
      assertThat(certificate.getNotAfter().toInstant()).isEqualTo(to);
      assertThat(certificate.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
      assertThat(certificate.getCriticalExtensionOIDs()).containsExactly("2.5.29.19");
    }
  }

  @Test
  void serialNumbersArePositiveAndDiffer() throws GeneralSecurityException {
    KeyPair keys = keys();
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    Set<Object> serials = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      X509Certificate certificate = SelfSignedCertificate.of(keys, "Fieldstone", now, now);
      assertThat(certificate.getSerialNumber()).isPositive();
      serials.add(certificate.getSerialNumber());
    }
    assertThat(serials).hasSize(100);
  }

  private static KeyPair keys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }
}

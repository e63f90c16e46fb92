package io.fieldstone.net.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedCertificateTest {

  private static KeyPair keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** The years before 2050 and from 2050 on have different encodings; long names long lengths. */
  @ParameterizedTest
  @CsvSource({"2026, 2036, 1", "2045, 2055, 100", "2060, 2070, 200", "2026, 2036, 60000"})
  void theCertificateSaysWhatItIsMadeFor(int from, int to, int nameLength) throws Exception {
    KeyPair keys = keys();
    String name = "x".repeat(nameLength);
    Instant begin = Instant.parse(from + "-02-03T04:05:06Z");
    Instant end = Instant.parse(to + "-12-31T23:59:59Z");

    X509Certificate certificate = SelfSignedCertificate.of(keys, name, begin, end);

    certificate.verify(keys.getPublic());
    assertThat(certificate.getVersion()).isEqualTo(3);
    assertThat(certificate.getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + name);
    assertThat(certificate.getIssuerX500Principal())
        .isEqualTo(certificate.getSubjectX500Principal());
    assertThat(certificate.getNotBefore().toInstant()).isEqualTo(begin);
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(end);
    assertThat(certificate.getBasicConstraints()).isNotNegative();
    assertThat(certificate.getCriticalExtensionOIDs()).containsExactly("2.5.29.19");
    assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(certificate.getSerialNumber().signum()).isPositive();
  }

  @Test
  void anotherKeyDoesNotVerifyIt() throws Exception {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    X509Certificate one = SelfSignedCertificate.of(keys(), "x", now, now.plusSeconds(60));
    X509Certificate other = SelfSignedCertificate.of(keys(), "x", now, now.plusSeconds(60));

    assertThat(one.getSerialNumber()).isNotEqualTo(other.getSerialNumber());
    assertThatThrownBy(() -> one.verify(other.getPublicKey()))
        .isInstanceOf(SignatureException.class);
  }
}

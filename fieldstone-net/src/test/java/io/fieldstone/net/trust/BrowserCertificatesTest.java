package io.fieldstone.net.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BrowserCertificatesTest {
  private static final Duration VALIDITY_OF_BROWSERS = Duration.ofDays(14);

  private final Instant start = Instant.parse("2026-01-01T00:00:00Z");
  private Instant now = start;
  private final BrowserCertificates certificates = new BrowserCertificates(() -> now);

  @Test
  void aPageThatStaysOpenReachesTheServerForSixDays() {
    List<Fingerprint> known = certificates.fingerprints();
    for (int hour = 0; hour < 24 * 40; hour++) {
      now = start.plus(Duration.ofHours(hour));
      if (hour % (24 * BrowserCertificates.DAYS_IN_USE) == 24) {
        known = certificates.fingerprints();
        assertThat(known).doesNotHaveDuplicates();
      }
      Identity current = certificates.current();
      assertThat(known).contains(current.fingerprint());
      X509Certificate certificate = current.certificate();
      Instant from = certificate.getNotBefore().toInstant();
      Instant to = certificate.getNotAfter().toInstant();
      assertThat(now).isBetween(from.plus(Duration.ofDays(1)), to.minus(Duration.ofDays(5)));
      assertThat(Duration.between(from, to)).isLessThan(VALIDITY_OF_BROWSERS);
    }
  }

  @Test
  void aServerThatSleptForLongHasACertificateOfNow() {
    now = start.plus(Duration.ofDays(100));
    X509Certificate certificate = certificates.current().certificate();
    assertThat(now)
        .isBetween(certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }
}

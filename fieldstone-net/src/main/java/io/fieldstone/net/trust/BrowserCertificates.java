package io.fieldstone.net.trust;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The certificates of a server for browsers. A browser accepts one that no authority has signed if
 * the page names its fingerprint, its key is of P-256, and it is valid for at most 14 days (the
 * {@code serverCertificateHashes} of WebTransport).
 *
 * <p>A certificate is in use for {@value #DAYS_IN_USE} days. The one that follows is known all that
 * time, so that a page that stays open reaches the server after the change, too. Thread-safe.
 */
public final class BrowserCertificates {

  /** The days for which a certificate is in use. */
  static final int DAYS_IN_USE = 6;

  private static final Duration IN_USE = Duration.ofDays(DAYS_IN_USE);

  /** Less than the 14 days that browsers allow. */
  private static final Duration VALIDITY = Duration.ofDays(13);

  /** The clock of a browser may be late. */
  private static final Duration BACKDATING = Duration.ofDays(1);

  private final InstantSource clock;
  private Identity current;
  private Identity next;
  private Instant change;

  /**
   * Makes the first two certificates.
   *
   * @param clock gives the time of each call
   */
  public BrowserCertificates(InstantSource clock) {
    this.clock = clock;
    Instant now = clock.instant();
    current = certificate(now);
    change = now.plus(IN_USE);
    next = certificate(change);
  }

  private static Identity certificate(Instant firstUse) {
    Instant from = firstUse.minus(BACKDATING);
    return Identity.create(from, from.plus(VALIDITY));
  }

  /** Returns the certificate of now. */
  public synchronized Identity current() {
    Instant now = clock.instant();
    while (!now.isBefore(change)) {
      current = now.isBefore(change.plus(IN_USE)) ? next : certificate(now);
      change = now.isBefore(change.plus(IN_USE)) ? change.plus(IN_USE) : now.plus(IN_USE);
      next = certificate(change);
    }
    return current;
  }

  /** Returns the fingerprints that a page needs: of the certificate of now, and of the next. */
  public synchronized List<Fingerprint> fingerprints() {
    return List.of(current().fingerprint(), next.fingerprint());
  }
}

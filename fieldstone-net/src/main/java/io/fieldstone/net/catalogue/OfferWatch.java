package io.fieldstone.net.catalogue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What the offers of a catalogue share. Thread-safe.
 *
 * @param changes counts new sets of offers, and the ends and renewals of offers
 * @param maxAwayNanos the time after which a file that is away counts as removed
 * @param nanoTime the clock
 */
record OfferWatch(AtomicLong changes, long maxAwayNanos, LongSupplier nanoTime) {

  /** For offers without a catalogue: a missing file counts as removed at once. */
  static final OfferWatch NONE = new OfferWatch(new AtomicLong(), 0, System::nanoTime);
}

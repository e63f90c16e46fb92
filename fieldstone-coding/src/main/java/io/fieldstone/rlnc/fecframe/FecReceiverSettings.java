package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.window.Delivery;

/**
 * The settings of a {@link FecReceiver}: its windows, its largest ADU and its order of delivery.
 *
 * <p>Immutable and thread-safe.
 *
 * @param sizes the decoding window, after which a packet is lost for the application, and the
 *     linear system; repair packets that combine more symbols than that are not used
 * @param largestAdu the bytes of the largest ADU, 1 … 65535; if it fits one symbol, each symbol is
 *     an ADU, and one that is solved is delivered even if the one before it is lost
 * @param order the order of delivery
 */
public record FecReceiverSettings(WindowSizes sizes, int largestAdu, Delivery order) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public FecReceiverSettings {
    Wire.requireIn("length of an ADU", largestAdu, 1, Adui.MAX_ADU_BYTES);
  }
}

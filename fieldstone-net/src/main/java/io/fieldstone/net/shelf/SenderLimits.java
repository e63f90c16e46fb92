package io.fieldstone.net.shelf;

import io.fieldstone.net.endpoint.EndpointSettings;

/**
 * How fast the senders of a server may be.
 *
 * @param maxBytesPerSecond the maximum rate of all connections together; {@link Long#MAX_VALUE} for
 *     none
 * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
 * @param packetBytes the usual bytes of a packet
 */
public record SenderLimits(long maxBytesPerSecond, boolean isCubic, int packetBytes) {

  /** Returns the limits of an endpoint. */
  public static SenderLimits of(EndpointSettings settings, int packetBytes) {
    return new SenderLimits(settings.maxBytesPerSecond(), settings.isCubic(), packetBytes);
  }
}

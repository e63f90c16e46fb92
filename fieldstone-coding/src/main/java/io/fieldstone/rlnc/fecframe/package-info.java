/**
 * FECFRAME with the sliding window codes of RFC 8681: the formats of packets and of the
 * configuration, a sender and a receiver.
 *
 * <p>An ADU (application data unit) is a packet of an application. A {@link
 * io.fieldstone.rlnc.fecframe.FecSender} turns ADUs of up to 256 flows into FEC source packets and
 * FEC repair packets. A {@link io.fieldstone.rlnc.fecframe.FecReceiver} turns those into ADUs
 * again, in spite of losses. Nothing here has a clock, a thread or a socket. Begin reading with
 * {@link io.fieldstone.rlnc.fecframe.FecConfiguration}; docs/format.md says what is spoken.
 *
 * <p>Sources: RFC 6363 and RFC 8680 (framework), RFC 8681 (codes), RFC 6364 (SDP).
 */
@NullMarked
package io.fieldstone.rlnc.fecframe;

import org.jspecify.annotations.NullMarked;

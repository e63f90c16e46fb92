/**
 * FECFRAME with the sliding window codes of RFC 8681: the formats of packets and of the
 * configuration. Begin reading with {@link io.fieldstone.rlnc.fecframe.FecConfiguration}.
 *
 * <p>Sources: RFC 6363 and RFC 8680 (framework), RFC 8681 (codes), RFC 6364 (SDP).
 */
@NullMarked
package io.fieldstone.rlnc.fecframe;

import org.jspecify.annotations.NullMarked;

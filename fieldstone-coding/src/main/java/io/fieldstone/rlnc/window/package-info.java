/**
 * Random linear network coding over a window that slides along a stream of packets.
 *
 * <p>Source packets are sent as they are. Repair symbols are combinations of the packets in the
 * window, so that a receiver solves lost packets without retransmission. Begin reading with {@link
 * io.fieldstone.rlnc.window.WindowEncoder} and {@link io.fieldstone.rlnc.window.WindowDecoder}.
 * Nothing here has a clock, a thread or a socket.
 */
@NullMarked
package io.fieldstone.rlnc.window;

import org.jspecify.annotations.NullMarked;

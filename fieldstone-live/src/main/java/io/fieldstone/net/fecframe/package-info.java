/**
 * FECFRAME (RFC 8681) over plain UDP, for peers of other makers. {@link
 * io.fieldstone.net.fecframe.FecframeSender} and {@link
 * io.fieldstone.net.fecframe.FecframeReceiver} have the sockets and the clock; {@link
 * io.fieldstone.rlnc.fecframe} has the rest.
 *
 * <p>There is no encryption, no authentication and no control of the rate: the caller sends at the
 * rate of its stream, on a path that has room for it.
 */
@NullMarked
package io.fieldstone.net.fecframe;

import org.jspecify.annotations.NullMarked;

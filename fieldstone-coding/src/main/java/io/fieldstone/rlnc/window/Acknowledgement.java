package io.fieldstone.rlnc.window;

/**
 * The report of a decoder to its encoder. All counts are cumulative, so that an acknowledgement may
 * be lost.
 *
 * @param firstMissing the first id that the decoder waits for; all before it are known or declared
 *     lost. For {@link WindowEncoder#acknowledge}
 * @param end the id after the highest that the decoder knows to exist
 * @param deficit the independent repair symbols that would solve all packets from {@code
 *     firstMissing} to {@code end}: unknowns less independent equations
 * @param decided the source packets that have left the window, received or not; as long as it is 0,
 *     nothing is known of the loss
 * @param lost the packets among them that did not arrive themselves, also if they were solved
 */
public record Acknowledgement(long firstMissing, long end, int deficit, long decided, long lost) {}

/**
 * Simulates a small network in one process: a source, recoding relays and receivers, joined by
 * links that lose, duplicate and reorder packets.
 *
 * <p>Time passes in ticks. In a tick, all nodes work in parallel on the packets that arrived at the
 * end of the previous tick. Then the links deliver packets and the nodes publish their feedback. A
 * run therefore depends only on its seed, not on the number of threads. Packets have the format of
 * {@code io.fieldstone.rlnc.wire}. Classes here do not print.
 */
@NullMarked
package io.fieldstone.cli.demo;

import org.jspecify.annotations.NullMarked;

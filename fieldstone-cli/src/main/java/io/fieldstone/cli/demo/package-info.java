/**
 * A small network inside one process: a source, recoding relays and receivers, joined by links that
 * lose, duplicate and reorder.
 *
 * <p>Time runs in ticks. In a tick every node works at once, on what its links delivered at the end
 * of the tick before; then the links deliver and the feedback spreads. So a run depends on its seed
 * alone, on however many threads. What travels are the bytes of {@code io.fieldstone.rlnc.wire}.
 * Nothing here prints.
 */
@NullMarked
package io.fieldstone.cli.demo;

import org.jspecify.annotations.NullMarked;

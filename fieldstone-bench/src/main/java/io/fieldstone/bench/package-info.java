/**
 * {@code fieldstone bench}: the papers' tables and this machine's ceilings, measured here, with the
 * papers' figures beside ours.
 *
 * <p>{@link io.fieldstone.bench.Benchmark} is the list, {@link io.fieldstone.bench.Report} what
 * each gives. What belongs here: the harness, the workloads, the figures of the papers and of
 * peers, and the writing of reports. The loops that are measured belong to engines; only the
 * ceilings, which are no engine's work, have theirs here.
 */
@NullMarked
package io.fieldstone.bench;

import org.jspecify.annotations.NullMarked;

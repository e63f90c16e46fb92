/**
 * The pages over HTTP of a server, relay or receiver: the dashboard at {@code /}, {@code /metrics}
 * for Prometheus, {@code /status}.
 *
 * <p>{@link io.fieldstone.net.dashboard.StatusPages} answers. What the dashboard shows is a {@link
 * io.fieldstone.net.dashboard.Snapshot}, which is made once a second while someone has it open. The
 * page itself is in the resources beside this package: HTML, CSS and ES modules, served as they
 * are.
 */
@NullMarked
package io.fieldstone.net.dashboard;

import org.jspecify.annotations.NullMarked;

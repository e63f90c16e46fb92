/**
 * One engine of several: a job is cut into slices, each part does its own at the same time, and the
 * cuts give equal parts equal shares, and others a share by a rate that is measured once.
 *
 * <p>Parts are engines like any other and are opened by name; nothing here knows what they run on.
 * {@code Shares} is how a job is cut, {@code Dispatcher} cuts and runs any job, and {@code Hybrid*}
 * are the ports. Nothing outside this package names it; it is found through {@link
 * java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.hybrid;

import org.jspecify.annotations.NullMarked;

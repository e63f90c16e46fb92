/**
 * Relay placement: from a list of sensors and a radio range to a connected network.
 *
 * <p>This package contains sensor fields, the search for 3-stars and the file of its results, plans
 * of relays and their test. Engines do the work: {@link io.fieldstone.engine.stars.Stars} search
 * 3-stars, and {@link io.fieldstone.engine.sorting.Sorts} sort points by cell. The commands read
 * lists of sensors and draw maps.
 */
@NullMarked
package io.fieldstone.relays;

import org.jspecify.annotations.NullMarked;

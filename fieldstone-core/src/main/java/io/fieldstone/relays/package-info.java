/**
 * Relay placement: from a list of sensors and a radio range to a connected network.
 *
 * <p>What belongs here: sensor fields, the search for 3-stars over them and the file of what it
 * finds, plans of relays and the test of a plan. The heavy loops are an engine's: 3-stars are
 * searched through {@link io.fieldstone.engine.stars.Stars}, cells filled through {@link
 * io.fieldstone.engine.sorting.Sorts}. Reading lists of sensors and drawing maps is the command's
 * business.
 */
@NullMarked
package io.fieldstone.relays;

import org.jspecify.annotations.NullMarked;

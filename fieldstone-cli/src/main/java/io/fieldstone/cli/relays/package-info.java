/** The subcommand {@code relays}: its options, its plans and their report. */
@NullMarked
package io.fieldstone.cli.relays;

import org.jspecify.annotations.NullMarked;

/** The subcommands {@code encode}, {@code decode}, {@code recode} and {@code inspect}. */
@NullMarked
package io.fieldstone.cli.coding;

import org.jspecify.annotations.NullMarked;

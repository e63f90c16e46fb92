/** The subcommand {@code key}, and the reading of key files for other commands. */
@NullMarked
package io.fieldstone.cli.key;

import org.jspecify.annotations.NullMarked;

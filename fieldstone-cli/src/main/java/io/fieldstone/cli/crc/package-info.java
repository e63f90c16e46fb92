/** The subcommand {@code crc}: options, lists of checksums, and their check. */
@NullMarked
package io.fieldstone.cli.crc;

import org.jspecify.annotations.NullMarked;

/** The subcommand {@code crc}: its options, checksum lists and their check. */
@NullMarked
package io.fieldstone.cli.crc;

import org.jspecify.annotations.NullMarked;

/** The commands on sets of files and their parity: protect, verify and repair. */
@NullMarked
package io.fieldstone.cli.backup;

import org.jspecify.annotations.NullMarked;

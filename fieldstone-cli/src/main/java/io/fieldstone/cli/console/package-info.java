/**
 * What every subcommand uses: {@code Session} has the shared options, the others read and check
 * files, convert sizes, print tables, progress and errors.
 */
@NullMarked
package io.fieldstone.cli.console;

import org.jspecify.annotations.NullMarked;

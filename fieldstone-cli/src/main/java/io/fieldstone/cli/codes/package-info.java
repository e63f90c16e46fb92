/** The subcommand {@code distance}: its options, the codes that it reads, and files of words. */
@NullMarked
package io.fieldstone.cli.codes;

import org.jspecify.annotations.NullMarked;

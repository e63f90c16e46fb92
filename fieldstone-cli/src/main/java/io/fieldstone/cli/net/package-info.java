/** The subcommands that use the network: {@code serve}, {@code relay} and {@code fetch}. */
@NullMarked
package io.fieldstone.cli.net;

import org.jspecify.annotations.NullMarked;

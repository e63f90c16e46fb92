/**
 * The ports of network coding over GF(2^8): {@link io.fieldstone.engine.coding.Products}, {@link
 * io.fieldstone.engine.coding.Eliminations}, {@link io.fieldstone.engine.coding.Substitutions}, and
 * {@link io.fieldstone.engine.coding.ResidentBlocks}, which stay on an engine.
 *
 * <p>This package contains matrix shapes and the algorithms that use only ports. Adapters contain
 * the loops over bytes.
 */
@NullMarked
package io.fieldstone.engine.coding;

import org.jspecify.annotations.NullMarked;

/**
 * The ports of network coding over GF(2^8): {@link io.fieldstone.engine.coding.Products}, {@link
 * io.fieldstone.engine.coding.Eliminations}, {@link io.fieldstone.engine.coding.Substitutions}, and
 * {@link io.fieldstone.engine.coding.ResidentBlocks} that stay on an engine.
 *
 * <p>Shapes of matrices and the algorithms that need ports alone belong here. Loops over bytes
 * belong to adapters.
 */
@NullMarked
package io.fieldstone.engine.coding;

import org.jspecify.annotations.NullMarked;

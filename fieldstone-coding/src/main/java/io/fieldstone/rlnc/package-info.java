/**
 * Random linear network coding: generations, coded blocks, encoders, recoders and decoders.
 *
 * <p>This package contains codes and the objects that process one generation or a batch in memory.
 * Byte layouts are in {@link io.fieldstone.rlnc.wire}. Engines contain the compute-intensive loops.
 */
@NullMarked
package io.fieldstone.rlnc;

import org.jspecify.annotations.NullMarked;

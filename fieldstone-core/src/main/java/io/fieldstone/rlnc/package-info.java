/**
 * Random linear network coding: generations, coded blocks, encoders, recoders and decoders.
 *
 * <p>What belongs here: codes and the objects that work on one generation or a batch of them in
 * memory. Layouts of bytes are in {@link io.fieldstone.rlnc.wire}, files in {@link
 * io.fieldstone.rlnc.file}. The heavy loops are an engine's.
 */
@NullMarked
package io.fieldstone.rlnc;

import org.jspecify.annotations.NullMarked;

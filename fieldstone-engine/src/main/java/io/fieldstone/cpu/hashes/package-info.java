/** Hashing on the cores, by the C kernels of {@code sha256.c}. */
@NullMarked
package io.fieldstone.cpu.hashes;

import org.jspecify.annotations.NullMarked;

/**
 * Decodes blocks as they arrive: forward substitution of pipeline codes ({@code CudaSubstitutions})
 * and progressive elimination ({@code CudaProgressiveElimination}).
 */
@NullMarked
package io.fieldstone.cuda.coding.decoding;

import org.jspecify.annotations.NullMarked;

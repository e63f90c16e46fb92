/**
 * Memory of CPU kernels: scratch buffers, rows at addresses, resident bytes; and the check for the
 * Vector API. This package contains no kernels.
 */
@NullMarked
package io.fieldstone.cpu.execution;

import org.jspecify.annotations.NullMarked;

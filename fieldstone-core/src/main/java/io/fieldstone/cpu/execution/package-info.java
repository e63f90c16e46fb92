/**
 * The memory that kernels of the cores work in: scratch buffers, rows at addresses, resident bytes,
 * and the check for the Vector API. No kernel belongs here.
 */
@NullMarked
package io.fieldstone.cpu.execution;

import org.jspecify.annotations.NullMarked;

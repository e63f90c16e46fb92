/**
 * Memory of callers and of engines. {@link io.fieldstone.engine.memory.ResidentBytes} stay on an
 * engine, {@link io.fieldstone.engine.memory.HostMemory} is host memory with fast transfers, {@link
 * io.fieldstone.engine.memory.HeldMemory} keeps a caller's memory open during a call.
 *
 * <p>This package also contains the listener for phases of work, and the description of the
 * processor. It depends on no other package of the engine.
 */
@NullMarked
package io.fieldstone.engine.memory;

import org.jspecify.annotations.NullMarked;

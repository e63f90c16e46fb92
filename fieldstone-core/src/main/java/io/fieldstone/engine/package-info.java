/**
 * The ports: {@link io.fieldstone.engine.Engine} and one small interface for each heavy loop.
 *
 * <p>No loop lives here. A job of the library asks an engine for a port and gives it memory; an
 * adapter ({@code cpu}, and others found through {@link java.util.ServiceLoader}) does the work.
 * What belongs here: the ports, the shapes they speak of, how an engine is found, and what is made
 * of ports alone.
 */
@NullMarked
package io.fieldstone.engine;

import org.jspecify.annotations.NullMarked;

/**
 * Engines: {@link io.fieldstone.engine.Engine} opens an engine by name and returns its ports.
 *
 * <p>A job passes memory to a port of an engine, and an adapter does the work. Adapters implement
 * {@link io.fieldstone.engine.EngineProvider} and are found through {@link
 * java.util.ServiceLoader}. The ports of each job are in a package below this one, which does not
 * depend on this one.
 */
@NullMarked
package io.fieldstone.engine;

import org.jspecify.annotations.NullMarked;

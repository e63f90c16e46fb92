/**
 * The entry to the ports: {@link io.fieldstone.engine.Engine} opens an engine by name and returns
 * its ports.
 *
 * <p>A job asks an engine for a port and gives it memory; an adapter does the work. Adapters
 * implement {@link io.fieldstone.engine.EngineProvider} and are found through {@link
 * java.util.ServiceLoader}. The ports of each job have a package of their own below this one, which
 * does not depend on this one.
 */
@NullMarked
package io.fieldstone.engine;

import org.jspecify.annotations.NullMarked;

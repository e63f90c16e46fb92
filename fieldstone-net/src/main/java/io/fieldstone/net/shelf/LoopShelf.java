package io.fieldstone.net.shelf;

import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.session.Shelf;
import io.fieldstone.rlnc.object.GenerationCache;

/**
 * The shelf and the cache for the clients of one loop. Both are used on this loop only, except
 * {@link Shelf#entries}, which any thread may call.
 *
 * @param loop serves the clients
 * @param cache the generations that are sent to them
 * @param shelf what they are offered
 */
public record LoopShelf(Loop loop, GenerationCache cache, Shelf shelf) {}

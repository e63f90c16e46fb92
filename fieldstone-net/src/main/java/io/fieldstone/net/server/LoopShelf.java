package io.fieldstone.net.server;

import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.session.Shelf;
import io.fieldstone.rlnc.object.GenerationCache;

/**
 * What the clients of one loop share. The cache, and the shelf but for its entries, are used on
 * this loop only.
 *
 * @param loop serves the clients
 * @param cache the generations that are sent to them
 * @param shelf what they are offered
 */
public record LoopShelf(Loop loop, GenerationCache cache, Shelf shelf) {}

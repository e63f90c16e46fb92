package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import java.util.concurrent.ExecutorService;

/**
 * The services and settings that all parts of a transfer share.
 *
 * @param engine decodes
 * @param carrier connects to servers
 * @param peers what is known of the servers
 * @param destination receives the verified bytes
 * @param listener hears of the progress
 * @param workers decode and hash
 * @param threads the number of workers
 */
record FetchContext(
    Engine engine,
    Carrier carrier,
    Peers peers,
    FetchSettings settings,
    Destination destination,
    FetchListener listener,
    ExecutorService workers,
    int threads) {}

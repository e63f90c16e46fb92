package io.fieldstone.net.impairment;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.catalogue.Offer;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.net.session.Shelf;
import io.fieldstone.net.shelf.LoopShelf;
import io.fieldstone.net.shelf.SenderLimits;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A peer that says that it is a verified relay, knows the right hashes, and sends wrong blocks. It
 * shows that receivers find it.
 *
 * <p>Thread-safe. The caller owns the engine, which must stay open until this is closed.
 */
public final class PollutingServer implements AutoCloseable {

  private final Identity identity;
  private final Catalogue catalogue;
  private final Carrier carrier;
  private final GenerationCache cache;
  private final ShelfServer clients;

  private PollutingServer(
      Engine engine, ServerSettings settings, Identity identity, int cleanGenerations) {
    this.identity = identity;
    this.catalogue =
        new Catalogue(
            settings.paths(), settings.offers(), settings.endpoint().threads(), Optional.empty());
    this.carrier = QuicCarrier.open(QuicOptions.DEFAULT, identity);
    this.cache = new GenerationCache(engine, settings.endpoint().memoryBytes());
    this.clients =
        new ShelfServer(
            carrier,
            List.of(
                new LoopShelf(
                    carrier.loops().getFirst(), cache, new PollutedShelf(cleanGenerations))),
            SenderLimits.of(settings.endpoint(), settings.offers().shape().blockSize()));
  }

  /**
   * Hashes the files and begins to serve them.
   *
   * @param engine encodes
   * @param settings of a server; the token, the status and new files are ignored
   * @param cleanGenerations the first generations of each object, whose blocks are right
   * @throws IOException if a path cannot be read, or the address not be bound
   */
  public static PollutingServer start(Engine engine, ServerSettings settings, int cleanGenerations)
      throws IOException, InterruptedException {
    engine.requireOpen();
    Identity identity = Identity.open(settings.endpoint().state(), Instant.now());
    PollutingServer server = new PollutingServer(engine, settings, identity, cleanGenerations);
    try {
      server.catalogue.scan(ProgressListener.NONE);
      server.clients.listen(ShelfServer.resolved(settings.endpoint().listen()));
      server.clients.openForBrowsers(settings.endpoint());
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return clients.address();
  }

  /** Returns the address of the page for browsers, if there is one. */
  public Optional<InetSocketAddress> browserAddress() {
    return clients.browserAddress();
  }

  /** Returns the fingerprint of this peer. */
  public Fingerprint fingerprint() {
    return identity.fingerprint();
  }

  @Override
  public void close() {
    clients.close();
    carrier.close();
    catalogue.close();
    cache.close();
  }

  /** Offers the files with wrong bytes. */
  private final class PollutedShelf implements Shelf {
    private final SecureRandom seeds = new SecureRandom();
    private final int cleanGenerations;

    PollutedShelf(int cleanGenerations) {
      this.cleanGenerations = cleanGenerations;
    }

    @Override
    public PeerRole role() {
      return PeerRole.VERIFIED_RELAY;
    }

    @Override
    public boolean accepts(String token) {
      return true;
    }

    @Override
    public List<CatalogueEntry> entries() {
      return catalogue.entries();
    }

    @Override
    public List<CatalogueEntry> find(String query) {
      return catalogue.find(query);
    }

    @Override
    public CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client) {
      Optional<Offer> offer = catalogue.offer(id);
      if (offer.isEmpty()) {
        return CompletableFuture.failedFuture(RefusedException.unknown(id));
      }
      SourceObject source =
          cache.open(
              offer.get().manifest(),
              seeds.nextLong(),
              (generation, destination) -> {
                offer.get().read(generation, destination);
                if (generation >= cleanGenerations) {
                  pollute(destination, offer.get().manifest().shape().blockSize());
                }
              });
      return CompletableFuture.completedFuture(new PollutedObject(offer.get(), source));
    }

    /** Changes a bit of every block. */
    private static void pollute(MemorySegment source, int blockSize) {
      for (long at = 0; at < source.byteSize(); at += blockSize) {
        byte value = source.get(ValueLayout.JAVA_BYTE, at);
        source.set(ValueLayout.JAVA_BYTE, at, (byte) (value ^ 1));
      }
    }
  }

  private record PollutedObject(Offer offer, SourceObject source) implements OpenObject {
    @Override
    public ObjectManifest manifest() {
      return offer.manifest();
    }

    @Override
    public List<Sha256> hashes() {
      return offer.hashes();
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      return CompletableFuture.failedFuture(new IOException("no leaves"));
    }

    @Override
    public boolean recovers(IOException failure) {
      return true;
    }

    @Override
    public ObjectSender sender(int alias) {
      return new ObjectSender(source, alias);
    }

    @Override
    public void close() {
      source.close();
    }
  }
}

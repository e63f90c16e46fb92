package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.session.EmptyShelf;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.net.shelf.LoopShelf;
import io.fieldstone.net.shelf.SenderLimits;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A server of one object, whose manifest and catalogue a test makes, true or not. */
class CraftedServer extends EmptyShelf implements AutoCloseable {

  private final byte[] coded;
  private final ObjectManifest manifest;
  private final List<Sha256> hashes = new ArrayList<>();
  private final List<CatalogueEntry> entries;
  private final Identity identity;
  private final Carrier carrier;
  private final GenerationCache cache;
  private final ShelfServer clients;

  /**
   * Starts a server.
   *
   * @param coded the bytes that are coded
   * @param encryption what the manifest says of them
   * @param entries makes the catalogue from the id
   */
  CraftedServer(
      Path state,
      Engine engine,
      GenerationShape shape,
      byte[] coded,
      Optional<ObjectManifest.Encryption> encryption,
      Function<Sha256, List<CatalogueEntry>> entries)
      throws IOException {
    this(state, engine, shape, coded, encryption, entries, Loopback.PATIENT);
  }

  /** Starts a server with options of the transport. */
  CraftedServer(
      Path state,
      Engine engine,
      GenerationShape shape,
      byte[] coded,
      Optional<ObjectManifest.Encryption> encryption,
      Function<Sha256, List<CatalogueEntry>> entries,
      QuicOptions transport)
      throws IOException {
    this.coded = coded;
    ObjectManifest sizes =
        new ObjectManifest(shape, coded.length, encryption, new Sha256(0, 0, 0, 0));
    HashTree tree = new HashTree();
    for (int g = 0; g < sizes.generations(); g++) {
      MemorySegment source = MemorySegment.ofArray(new byte[(int) sizes.shapeOf(g).bytes()]);
      read(sizes, g, source);
      hashes.add(tree.generation(source, shape.blockSize()));
    }
    this.manifest = new ObjectManifest(shape, coded.length, encryption, tree.object(hashes));
    this.entries = entries.apply(manifest.id());
    this.identity = Identity.open(state, Instant.now());
    this.carrier = QuicCarrier.open(transport, identity);
    this.cache = new GenerationCache(engine, 1 << 20);
    this.clients =
        new ShelfServer(
            carrier,
            List.of(new LoopShelf(carrier.loops().getFirst(), cache, this)),
            new SenderLimits(Long.MAX_VALUE, false, shape.blockSize()));
    clients.listen(new InetSocketAddress("127.0.0.1", 0));
  }

  /** Returns the fingerprint of this server. */
  Fingerprint fingerprint() {
    return identity.fingerprint();
  }

  InetSocketAddress address() {
    return Loopback.at(clients.address().getPort());
  }

  private void read(ObjectManifest sizes, int generation, MemorySegment source) {
    long at = generation * sizes.shape().bytes();
    long bytes = sizes.bytesOf(generation);
    MemorySegment.copy(MemorySegment.ofArray(coded), at, source, 0, bytes);
    source.asSlice(bytes).fill((byte) 0);
  }

  @Override
  public List<CatalogueEntry> entries() {
    return entries;
  }

  @Override
  public List<CatalogueEntry> find(String query) {
    return entries;
  }

  @Override
  public CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client) {
    if (!id.equals(manifest.id())) {
      return super.open(id, client);
    }
    return CompletableFuture.completedFuture(
        new Opened(
            cache.open(
                manifest,
                1,
                (generation, source) -> {
                  read(manifest, generation, source);
                  change(source);
                })));
  }

  /** Changes what is sent of a generation; here nothing. */
  protected void change(MemorySegment source) {}

  /** Returns the hashes of blocks; here there are none. */
  protected CompletableFuture<List<Sha256>> leavesOf(int generation) {
    return CompletableFuture.failedFuture(new IOException("no leaves"));
  }

  /** Refuses to send the object, if it has ended. */
  protected void requireAvailable() throws RefusedException {}

  private final class Opened implements OpenObject {
    private final SourceObject source;

    Opened(SourceObject source) {
      this.source = source;
    }

    @Override
    public ObjectManifest manifest() {
      return manifest;
    }

    @Override
    public List<Sha256> hashes() {
      return hashes;
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      return leavesOf(generation);
    }

    @Override
    public void requireAvailable() throws RefusedException {
      CraftedServer.this.requireAvailable();
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

  @Override
  public void close() {
    clients.close();
    carrier.close();
    cache.close();
  }
}

package io.fieldstone.net.server;

import io.fieldstone.net.carrier.HeapExhaustion;
import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.catalogue.FileAwayException;
import io.fieldstone.net.catalogue.Offer;
import io.fieldstone.net.dashboard.Cells;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.session.BlockHashes;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.net.session.Shelf;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Offers the files of a catalogue to the clients of one loop, which share the generations of an
 * object in memory. For this loop.
 */
final class FileShelf implements Shelf {

  /** The maximum number of leaves that are kept, some 60 bytes each. */
  private static final int MAX_KEPT_LEAVES = 1 << 18;

  private final StartProgress start;
  private final Catalogue catalogue;
  private final GenerationCache cache;
  private final AccessToken token;
  private final RandomGenerator seeds;
  private final FileReaders readers;
  private final Executor loop;
  private final Map<Offer, Shared> open = new HashMap<>();

  /** The leaves of generations used lately, also those being read. */
  private final Map<LeavesKey, CompletableFuture<List<Sha256>>> leaves =
      new LinkedHashMap<>(16, 0.75f, true);

  /** What was sent of the objects used lately. */
  private final Map<Sha256, Sent> sent = new LinkedHashMap<>(16, 0.75f, true);

  /** The number of leaves in {@link #leaves}. */
  private int keptLeaves;

  private record LeavesKey(Offer offer, int generation) {

    int count() {
      return offer.manifest().shapeOf(generation).blocks();
    }
  }

  /**
   * Creates a shelf.
   *
   * @param start how far the catalogue is
   * @param cache the generations that are sent, which {@code readers} read
   * @param readers reads for other answers
   * @param loop runs tasks on the loop
   */
  FileShelf(
      StartProgress start,
      Catalogue catalogue,
      GenerationCache cache,
      AccessToken token,
      RandomGenerator seeds,
      FileReaders readers,
      Executor loop) {
    this.start = start;
    this.catalogue = catalogue;
    this.cache = cache;
    this.readers = readers;
    this.loop = loop;
    this.token = token;
    this.seeds = seeds;
  }

  @Override
  public PeerRole role() {
    return PeerRole.ORIGIN;
  }

  @Override
  public boolean accepts(String given) {
    return token.admits(given);
  }

  @Override
  public Optional<String> startProblem() {
    return start.problem();
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
    return catalogue
        .offer(id)
        .map(offer -> CompletableFuture.<OpenObject>completedFuture(open(offer)))
        .orElseGet(() -> CompletableFuture.failedFuture(RefusedException.unknown(id)));
  }

  /** The packets of an object that clients of the loop were sent since the start. */
  private static final class Sent {
    final CatalogueEntry entry;
    final ObjectManifest manifest;
    final Cells packets;
    int clients;

    Sent(Offer offer) {
      this.entry = offer.entry();
      this.manifest = offer.manifest();
      this.packets = new Cells(manifest);
    }

    Snapshot.Item item() {
      return Snapshot.Item.sent(entry.name(), manifest, clients, packets.percents());
    }
  }

  @Override
  public List<Snapshot.Item> items() {
    return sent.values().stream().map(Sent::item).toList().reversed();
  }

  private Sent sent(Offer offer) {
    Sent known = sent.computeIfAbsent(offer.manifest().id(), _ -> new Sent(offer));
    if (sent.size() > Snapshot.MAX_OBJECTS) {
      sent.values().stream()
          .filter(each -> each.clients == 0 && each != known)
          .findFirst()
          .ifPresent(eldest -> sent.remove(eldest.manifest.id()));
    }
    return known;
  }

  private OpenObject open(Offer offer) {
    Shared shared =
        open.computeIfAbsent(
            offer,
            opened ->
                new Shared(opened, cache.open(opened.manifest(), seeds.nextLong(), opened::read)));
    shared.clients++;
    return new Opened(shared, sent(offer));
  }

  /** An object that clients have open. */
  private static final class Shared {
    final Offer offer;
    final SourceObject source;
    int clients;

    Shared(Offer offer, SourceObject source) {
      this.offer = offer;
      this.source = source;
    }
  }

  private final class Opened implements OpenObject {
    private final Shared shared;
    private final Sent sent;

    Opened(Shared shared, Sent sent) {
      this.shared = shared;
      this.sent = sent;
      sent.clients++;
    }

    @Override
    public void sent(int generation) {
      sent.packets.add(generation, 1);
    }

    @Override
    public ObjectManifest manifest() {
      return shared.offer.manifest();
    }

    @Override
    public List<Sha256> hashes() {
      return shared.offer.hashes();
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      LeavesKey key = new LeavesKey(shared.offer, generation);
      CompletableFuture<List<Sha256>> known = leaves.get(key);
      if (known != null) {
        return known;
      }
      CompletableFuture<List<Sha256>> reading = read(generation);
      leaves.put(key, reading);
      keptLeaves += key.count();
      forgetLeaves();
      CompletableFuture<?> _ =
          reading.whenComplete((_, failure) -> {
            if (failure != null && leaves.remove(key, reading)) {
              keptLeaves -= key.count();
            }
          });
      return reading;
    }

    /** Removes the leaves least recently used, as far as there are too many. */
    private void forgetLeaves() {
      Iterator<LeavesKey> eldest = leaves.keySet().iterator();
      while (keptLeaves > MAX_KEPT_LEAVES && eldest.hasNext()) {
        keptLeaves -= eldest.next().count();
        eldest.remove();
      }
    }

    private CompletableFuture<List<Sha256>> read(int generation) {
      CompletableFuture<List<Sha256>> result = new CompletableFuture<>();
      Offer offer = shared.offer;
      readers.execute(
          offer.manifest(),
          () -> {
            try {
              List<Sha256> leaves = BlockHashes.read(offer::read, offer.manifest(), generation);
              loop.execute(() -> result.complete(leaves));
            } catch (IOException | RuntimeException | Error e) {
              HeapExhaustion.report(e);
              loop.execute(() -> result.completeExceptionally(e));
            }
          });
      return result;
    }

    @Override
    public ObjectSender sender(int alias) {
      return new ObjectSender(shared.source, alias);
    }

    @Override
    public boolean recovers(IOException failure) {
      return failure instanceof FileAwayException && !shared.offer.isEnded();
    }

    @Override
    public void requireAvailable() throws RefusedException {
      if (shared.offer.isEnded()) {
        throw new RefusedException(
            Message.RefusalCode.CHANGED,
            (shared.offer.isRemoved()
                    ? "the file '%s' is not there any more"
                    : "the file '%s' has changed while it was served")
                .formatted(shared.offer.entry().name()));
      }
    }

    @Override
    public void close() {
      sent.clients--;
      // Generations stay in the cache as long as the offer has clients.
      if (--shared.clients == 0) {
        open.remove(shared.offer);
        shared.source.close();
      }
    }
  }
}

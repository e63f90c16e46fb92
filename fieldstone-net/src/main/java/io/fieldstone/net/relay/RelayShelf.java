package io.fieldstone.net.relay;

import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.net.session.Shelf;
import io.fieldstone.rlnc.wire.Sha256;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Offers what a relay can fetch. On the loop of the relay. */
final class RelayShelf implements Shelf {

  /** The maximum number of objects that clients have open at once, and so the windows. */
  static final int MAX_OBJECTS = 16;

  private static final long MIN_WINDOW_BYTES = 1 << 20;

  private final RelayContext context;
  private final RelayCatalogue catalogue;
  private final AccessToken token;
  private final Map<Sha256, RelayedObject> objects = new HashMap<>();

  /** Objects that ended, and that clients or workers still have. */
  private final List<RelayedObject> ended = new ArrayList<>();

  RelayShelf(RelayContext context, RelayCatalogue catalogue) {
    this.context = context;
    this.catalogue = catalogue;
    this.token = new AccessToken(context.settings().endpoint().token());
  }

  /** Returns the memory for the incomplete generations of one object. */
  static long windowBytes(RelaySettings settings) {
    return Math.max(MIN_WINDOW_BYTES, settings.endpoint().memoryBytes() / 2 / MAX_OBJECTS);
  }

  @Override
  public PeerRole role() {
    return context.settings().isImmediate() ? PeerRole.IMMEDIATE_RELAY : PeerRole.VERIFIED_RELAY;
  }

  @Override
  public boolean accepts(String given) {
    return token.admits(given);
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
    return open(id, Places.client(client));
  }

  private CompletableFuture<OpenObject> open(Sha256 id, String client) {
    RelayedObject open = objects.get(id);
    if (open != null) {
      return open.open(client);
    }
    List<CatalogueEntry> listed = catalogue.entries(id);
    if (listed.isEmpty()) {
      return CompletableFuture.failedFuture(RefusedException.unknown(id));
    }
    if (objects.size() >= MAX_OBJECTS && !makeRoom(client)) {
      return CompletableFuture.failedFuture(
          new RefusedException(
              Message.RefusalCode.LIMIT, "more than " + MAX_OBJECTS + " objects are relayed"));
    }
    RelayedObject object = new RelayedObject(context, id, listed);
    objects.put(id, object);
    CompletableFuture<OpenObject> result = object.open(client);
    object.begin();
    return result;
  }

  /** Ends an object that makes room for another; returns false if none does. */
  private boolean makeRoom(String client) {
    long now = System.nanoTime();
    List<Places.Use<RelayedObject>> uses =
        objects.values().stream().map(object -> object.use(now)).toList();
    Optional<RelayedObject> victim = Places.victim(uses, client);
    victim.ifPresent(RelayedObject::makeRoom);
    return victim.isPresent();
  }

  @Override
  public List<Snapshot.Item> items() {
    return objects.values().stream().flatMap(each -> each.item().stream()).toList();
  }

  /** Returns the objects that are open. */
  List<RelayedObject> objects() {
    return List.copyOf(objects.values());
  }

  /** Returns the bytes of the hashes of all objects. */
  long hashBytes() {
    return Stream.concat(objects.values().stream(), ended.stream())
        .mapToLong(RelayedObject::hashBytes)
        .sum();
  }

  /** Forgets an object that clients have left, or that has ended. */
  void released(RelayedObject object) {
    objects.remove(object.id(), object);
    ended.removeIf(RelayedObject::isClosed);
    ended.add(object);
  }

  /** Closes all objects. No task may be running. */
  void close() {
    objects().forEach(RelayedObject::close);
    ended.forEach(RelayedObject::close);
    objects.clear();
    ended.clear();
  }
}

package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Relays one object: a receiver whose generations become available to its own senders. It fetches
 * what its receivers ask for and what follows, or the whole object. Its memory is bounded by the
 * window of the receiver and by the cache; the verified generations are in the caller's {@link
 * GenerationStore}.
 *
 * {@snippet :
 * int origin = relay.receiver().addSender(originSeed, SenderKind.ORIGIN, 0);
 * ObjectSender sender = relay.addSender(0); // one for each receiver
 * relay.receiver().receive(origin, packet); // from the origin
 * sender.onReport(report); // from the receiver
 * while (sender.hasNext()) {
 *   send(packet.asSlice(0, sender.next(packet)));
 * }
 * }
 *
 * <p>A relay asks for nothing that it has, so loops of relays are harmless.
 *
 * <p>For one thread at a time, together with its receiver, its senders and the cache.
 */
public final class ObjectRelay implements AutoCloseable {

  private final ObjectReceiver receiver;
  private final SourceObject object;
  private final RelayMode mode;
  private final List<ObjectSender> senders = new ArrayList<>();
  private final GenerationStore store;
  private final AvailabilityListener availability;
  private final Recoding recoding;

  /** Hears of generations that become available. */
  @FunctionalInterface
  public interface AvailabilityListener {

    /** A generation was verified and kept: the receivers of this relay may be told. */
    void available(int generation);
  }

  /**
   * Creates a relay.
   *
   * @param engine computes products and eliminations
   * @param cache keeps the generations that are sent
   * @param hashes the hashes of the generations, which name the object
   * @param verified the generations that the store has already; copied
   * @param mode when blocks are passed on
   * @param seed Philox key of its coded blocks, which differs from that of all other senders
   * @param options the window of the receiver, and whether it fetches on demand
   * @param store keeps verified generations; the caller closes it after the relay
   * @param listener hears of events at the receiver
   * @param availability hears of generations that become available
   */
  public ObjectRelay(
      Engine engine,
      GenerationCache cache,
      GenerationHashes hashes,
      BitSet verified,
      RelayMode mode,
      long seed,
      ReceiverOptions options,
      GenerationStore store,
      ReceiverListener listener,
      AvailabilityListener availability) {
    engine.requireOpen();
    this.mode = mode;
    this.store = store;
    this.availability = availability;
    this.receiver = new ObjectReceiver(engine, hashes, verified, options, this::keep, listener);
    this.object = cache.open(hashes.manifest(), seed, store);
    this.recoding = new Recoding(receiver, seed);
    receiver.serve(
        generation -> senders.stream().anyMatch(to -> to.isWanted(generation)), this::readAhead);
  }

  private void keep(int generation, MemorySegment bytes) throws IOException {
    store.verified(generation, bytes);
    senders.forEach(sender -> sender.addAvailable(generation));
    availability.available(generation);
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return object.manifest();
  }

  /** Returns the receiver, which gets the packets of the senders of this relay. */
  public ObjectReceiver receiver() {
    return receiver;
  }

  /** Returns the kind of sender that this relay is. */
  public SenderKind kind() {
    return mode == RelayMode.IMMEDIATE ? SenderKind.IMMEDIATE : SenderKind.RELAY;
  }

  /** Returns the seed of the coded blocks. */
  public long seed() {
    return object.seed();
  }

  /**
   * Adds a sender to one receiver of this relay.
   *
   * @param alias the number of the object on this connection
   */
  public ObjectSender addSender(int alias) {
    ObjectSender sender =
        new ObjectSender(object, alias, mode == RelayMode.IMMEDIATE ? recoding : null, this::want);
    sender.setAvailable(receiver.verified());
    senders.add(sender);
    return sender;
  }

  private void want(int generation, int blocks) {
    receiver.want(generation, partOf(generation, blocks));
  }

  /** Returns the blocks to fetch of a generation of which receivers want some. */
  private int partOf(int generation, int blocks) {
    int n = manifest().shapeOf(generation).blocks();
    return mode == RelayMode.IMMEDIATE ? Math.min(blocks, n) : n;
  }

  /**
   * Opens generations that receivers have not asked for yet, as many as this relay can have under
   * way. So it is not slowed down by the round trips between it and its own senders.
   */
  private void readAhead() {
    Set<Integer> positions = new TreeSet<>();
    int blocks = 1;
    for (ObjectSender to : senders) {
      int last = to.lastWanted();
      if (last >= 0) {
        positions.add(last);
        blocks = Math.max(blocks, to.lastBlocks());
      }
    }
    int most =
        Math.min(
            Math.ceilDiv(receiver.blocksUnderWay(), manifest().shape().blocks()),
            store.capacity() / 2);
    Set<Integer> ahead = new HashSet<>();
    for (int distance = 1; distance <= most && ahead.size() < most; distance++) {
      for (int position : positions) {
        int generation = position + distance;
        if (generation < manifest().generations()) {
          ahead.add(generation);
          if (!receiver.openAhead(generation, partOf(generation, blocks))) {
            return;
          }
        }
      }
    }
  }

  /** Forgets a verified generation that the store has lost; it is fetched again when wanted. */
  public void forget(int generation) {
    receiver.forget(generation);
    senders.forEach(sender -> sender.removeAvailable(generation));
    object.forget(generation);
  }

  /** Closes and removes the sender to a receiver that has left. */
  public void removeSender(ObjectSender sender) {
    senders.remove(sender);
    sender.close();
  }

  /** Closes the senders and the receiver. Idempotent. */
  @Override
  public void close() {
    senders.forEach(ObjectSender::close);
    senders.clear();
    receiver.close();
    object.close();
  }
}

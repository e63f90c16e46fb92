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
 * ObjectRelay relay = ObjectRelay.builder(engine, cache, hashes, store, seed).build();
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

    /** A generation was verified and kept: its offer to receivers may grow. */
    void available(int generation);
  }

  private ObjectRelay(Builder settings) {
    this.mode = settings.mode;
    this.store = settings.store;
    this.availability = settings.availability;
    this.receiver =
        ObjectReceiver.builder(settings.engine, settings.hashes, this::keep)
            .verified(settings.verified)
            .options(settings.options)
            .listener(settings.listener)
            .build();
    this.object = settings.cache.open(settings.hashes.manifest(), settings.seed, store);
    this.recoding = new Recoding(receiver, settings.seed);
    receiver.serve(
        generation -> senders.stream().anyMatch(to -> to.isWanted(generation)), this::readAhead);
  }

  /**
   * Begins to describe a relay that passes verified generations on, on demand.
   *
   * @param engine computes products and eliminations
   * @param cache keeps the generations that are sent
   * @param hashes the hashes of the generations, which name the object
   * @param store keeps verified generations; the caller closes it after the relay
   * @param seed Philox key of its coded blocks, which differs from that of all other senders
   */
  public static Builder builder(
      Engine engine,
      GenerationCache cache,
      GenerationHashes hashes,
      GenerationStore store,
      long seed) {
    return new Builder(engine, cache, hashes, store, seed);
  }

  /** Describes a relay. For one thread at a time. */
  public static final class Builder {

    private final Engine engine;
    private final GenerationCache cache;
    private final GenerationHashes hashes;
    private final GenerationStore store;
    private final long seed;
    private BitSet verified = new BitSet();
    private RelayMode mode = RelayMode.VERIFIED;
    private ReceiverOptions options = ReceiverOptions.DEFAULT.onDemand();
    private ReceiverListener listener = ReceiverListener.NONE;
    private AvailabilityListener availability = _ -> {};

    private Builder(
        Engine engine,
        GenerationCache cache,
        GenerationHashes hashes,
        GenerationStore store,
        long seed) {
      engine.requireOpen();
      this.engine = engine;
      this.cache = cache;
      this.hashes = hashes;
      this.store = store;
      this.seed = seed;
    }

    /** Sets the generations that the store has already; none without a call. Copied. */
    public Builder verified(BitSet generations) {
      verified = (BitSet) generations.clone();
      return this;
    }

    /** Sets when blocks are passed on; {@link RelayMode#VERIFIED} without a call. */
    public Builder mode(RelayMode newMode) {
      mode = newMode;
      return this;
    }

    /** Sets the window of the receiver, and whether it fetches on demand, as without a call. */
    public Builder options(ReceiverOptions newOptions) {
      options = newOptions;
      return this;
    }

    /** Sets who hears of events at the receiver; nobody without a call. */
    public Builder listener(ReceiverListener newListener) {
      listener = newListener;
      return this;
    }

    /** Sets who hears of generations that become available; nobody without a call. */
    public Builder availability(AvailabilityListener newListener) {
      availability = newListener;
      return this;
    }

    /**
     * Creates the relay.
     *
     * @throws IllegalArgumentException if the object has not one of the verified generations
     */
    public ObjectRelay build() {
      return new ObjectRelay(this);
    }
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

package io.fieldstone.net.dashboard;

import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Describes a process at one moment. Its counts begin at the start of the process or of a
 * connection; the page computes rates from two snapshots.
 *
 * @param millis the time, in milliseconds since 1970
 * @param self the process
 * @param peerCount the number of all peers
 * @param peers the first {@value #MAX_PEERS} of them
 * @param objectCount the number of all objects that are open
 * @param objects the first {@value #MAX_OBJECTS} of them
 * @param flow the live packets, of a stream or a tunnel
 * @param incidents the peers that were banned or refused, the latest first
 */
public record Snapshot(
    long millis,
    Self self,
    int peerCount,
    List<Peer> peers,
    int objectCount,
    List<Item> objects,
    Optional<Flow> flow,
    List<Incidents.Incident> incidents) {

  /** The maximum number of peers that are shown. */
  public static final int MAX_PEERS = 500;

  /** The maximum number of objects that are shown. */
  public static final int MAX_OBJECTS = 32;

  /** Copies the lists. */
  public Snapshot {
    peers = List.copyOf(peers.subList(0, Math.min(MAX_PEERS, peers.size())));
    objects = List.copyOf(objects.subList(0, Math.min(MAX_OBJECTS, objects.size())));
    incidents = List.copyOf(incidents);
  }

  /** Takes a snapshot now. */
  public static Snapshot of(
      Self self, List<Peer> peers, List<Item> objects, Optional<Flow> flow, Incidents incidents) {
    return new Snapshot(
        System.currentTimeMillis(),
        self,
        peers.size(),
        peers,
        objects.size(),
        objects,
        flow,
        incidents.latestFirst());
  }

  /** Returns the same state with the time of now, for a process that does nothing any more. */
  public Snapshot again() {
    return new Snapshot(
        System.currentTimeMillis(), self, peerCount, peers, objectCount, objects, flow, incidents);
  }

  /**
   * The process.
   *
   * @param role what it does, such as {@code server}
   * @param address where it listens, or what it asks for
   * @param fingerprint its identity; empty for one that does not listen
   * @param version the version of the library
   * @param engine the engine that computes
   * @param controller the congestion control of what it sends
   * @param maxBytesPerSecond the limit of the rate, if there is one
   * @param files the files on offer
   * @param generations the generations in memory
   * @param generationBytes their bytes
   */
  public record Self(
      String role,
      String address,
      String fingerprint,
      String version,
      String engine,
      String controller,
      Optional<Long> maxBytesPerSecond,
      long files,
      long generations,
      long generationBytes) {

    /** Returns a process without files and generations. */
    public static Self of(
        String role, String address, String fingerprint, String engine, Pace pace) {
      return new Self(
          role,
          address,
          fingerprint,
          LibraryVersion.TEXT,
          engine,
          pace.controller(),
          pace.limit(),
          0,
          0,
          0);
    }

    /** Returns the same process with files on offer, and generations in memory. */
    public Self with(long newFiles, long newGenerations, long newBytes) {
      return new Self(
          role,
          address,
          fingerprint,
          version,
          engine,
          controller,
          maxBytesPerSecond,
          newFiles,
          newGenerations,
          newBytes);
    }
  }

  /**
   * How fast a process may send, or ask others to send.
   *
   * @param maxBytesPerSecond the limit of the rate; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
   */
  public record Pace(long maxBytesPerSecond, boolean isCubic) {
    String controller() {
      return isCubic ? "cubic" : "fieldstone";
    }

    Optional<Long> limit() {
      return maxBytesPerSecond == Long.MAX_VALUE
          ? Optional.empty()
          : Optional.of(maxBytesPerSecond);
    }
  }

  /**
   * A peer. What is not known is empty.
   *
   * @param address its address
   * @param role what it is, such as {@code client}
   * @param isSource whether it feeds this process, and is not fed by it
   * @param state how its connection is, such as {@code open}
   * @param seconds since when there is a connection; 0 without one
   * @param sentBytes the bytes of the packets that it was sent
   * @param receivedBytes the bytes of the packets that came from it
   * @param lossShare the share of packets that the path loses
   * @param overheadShare the packets that were of no use to what is rebuilt, or that were repairs,
   *     for each packet that was
   * @param rttMillis the round-trip time
   * @param bytesPerSecond what the pacer allows
   * @param note its problem, or what it does; may be empty
   */
  public record Peer(
      String address,
      String role,
      boolean isSource,
      String state,
      double seconds,
      long sentBytes,
      long receivedBytes,
      Optional<Double> lossShare,
      Optional<Double> overheadShare,
      Optional<Double> rttMillis,
      Optional<Double> bytesPerSecond,
      String note) {

    /** Returns a round-trip time in milliseconds; empty if it is 0, and so unknown. */
    public static Optional<Double> millis(long rttNanos) {
      return rttNanos == 0 ? Optional.empty() : Optional.of(rttNanos / 1e6);
    }

    /** Returns a part of a whole; empty if the whole is 0. */
    public static Optional<Double> share(long part, long whole) {
      return whole == 0 ? Optional.empty() : Optional.of((double) part / whole);
    }
  }

  /**
   * An object that is received or sent.
   *
   * @param name its name
   * @param id its id, hexadecimal
   * @param bytes its length
   * @param generations the number of its generations
   * @param blocks the source blocks of each, at most
   * @param users the clients that have it open, or the servers that send it
   * @param done the generations that are complete
   * @param cells how full its generations are, in per cent: one number for each, or for several
   *     that follow each other
   */
  public record Item(
      String name,
      String id,
      long bytes,
      int generations,
      int blocks,
      int users,
      int done,
      List<Integer> cells) {

    /** Copies the cells. */
    public Item {
      cells = List.copyOf(cells);
    }

    /** Returns an object that is received. */
    public static Item received(String name, ObjectReceiver receiver, int sources) {
      ObjectManifest manifest = receiver.manifest();
      return new Item(
          name,
          manifest.id().toString(),
          manifest.length(),
          manifest.generations(),
          manifest.shape().blocks(),
          sources,
          receiver.verified().cardinality(),
          Cells.of(receiver));
    }

    /**
     * Returns an object that is sent.
     *
     * @param percents the packets that were sent for each block, in per cent
     */
    public static Item sent(
        String name, ObjectManifest manifest, int clients, List<Integer> percents) {
      return new Item(
          name,
          manifest.id().toString(),
          manifest.length(),
          manifest.generations(),
          manifest.shape().blocks(),
          clients,
          done(manifest.generations(), percents),
          percents);
    }

    private static int done(int generations, List<Integer> percents) {
      long full = percents.stream().mapToLong(Integer::longValue).sum();
      return (int) (generations * full / (100L * Math.max(1, percents.size())));
    }

    /** Returns the same object with what another loop has sent of it. */
    public Item plus(Item other) {
      List<Integer> sums = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        sums.add(Math.min(100, cells.get(i) + other.cells.get(i)));
      }
      return new Item(
          name, id, bytes, generations, blocks, users + other.users, done(generations, sums), sums);
    }
  }

  /**
   * Live packets, of all peers together. Counts of what is sent are of all receivers.
   *
   * @param sources the packets sent
   * @param repairs the repairs sent
   * @param skipped the packets that were not sent in time
   * @param lossShare the share that the worst path loses
   * @param redundancy the repairs in advance for each packet
   * @param isCongested whether a queue on a path is full
   * @param delivered the packets that were passed on
   * @param lost those that the path lost
   * @param repaired those of them that were repaired in time
   * @param late those that came after their deadline
   * @param residual those that were not passed on
   * @param delayMillis50 the median of the added delay
   * @param delayMillis99 what 99 % do not exceed
   */
  public record Flow(
      long sources,
      long repairs,
      long skipped,
      double lossShare,
      double redundancy,
      boolean isCongested,
      long delivered,
      long lost,
      long repaired,
      long late,
      long residual,
      double delayMillis50,
      double delayMillis99) {}
}

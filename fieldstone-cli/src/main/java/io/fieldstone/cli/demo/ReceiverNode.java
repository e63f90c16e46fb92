package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.WireBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * Takes blocks from all its senders, decodes each generation as soon as it has n innovative ones,
 * and hashes the object in order; what it decoded early waits.
 */
final class ReceiverNode implements Node {

  private final Engine engine;
  private final ObjectDescriptor object;
  private final Window window;
  private final List<LossyLink> incoming;
  private final Feedback feedback = new Feedback();
  private final TreeMap<Long, Reception> receptions = new TreeMap<>();
  private final MessageDigest digest = ObjectDescriptor.newSha256();
  private long firstWanted;
  private long received;
  private long innovative;
  private long bytes;
  private long startNanos;
  private long finishNanos;
  private double multiplyAccumulates;

  /** A generation being received, and who has contributed. */
  private static final class Reception {
    private final Decoder decoder;
    private final int[] innovativeFrom;

    private Reception(Decoder decoder, int senders) {
      this.decoder = decoder;
      this.innovativeFrom = new int[senders];
    }
  }

  ReceiverNode(Engine engine, ObjectDescriptor object, Window window, List<LossyLink> incoming) {
    this.engine = engine;
    this.object = object;
    this.window = window;
    this.incoming = List.copyOf(incoming);
  }

  Feedback feedback() {
    return feedback;
  }

  /** The clock starts. */
  void start(long nanos) {
    startNanos = nanos;
    finishNanos = nanos;
  }

  /** The lowest generation that is not delivered yet; the number of generations when all are. */
  long firstWanted() {
    return firstWanted;
  }

  /** Bytes delivered in order. */
  long bytes() {
    return bytes;
  }

  @Override
  public void step() {
    feedback.forgetBelow(window.first());
    for (int sender = 0; sender < incoming.size(); sender++) {
      for (MemorySegment packet : incoming.get(sender).arrivals()) {
        take(sender, packet);
      }
    }
    deliver();
  }

  private void take(int sender, MemorySegment packet) {
    WireBlock arrived;
    try {
      arrived = WireBlock.parse(packet);
    } catch (MalformedDataException e) {
      return; // as a receiver on a real network would: the CRC caught it
    }
    if (arrived.objectId() != object.objectId()) {
      return;
    }
    received++;
    long generation = arrived.block().generation();
    if (generation < firstWanted || !window.contains(generation)) {
      return;
    }
    Reception reception =
        receptions.computeIfAbsent(
            generation,
            _ -> new Reception(new Decoder(engine, arrived.shape(), generation), incoming.size()));
    if (!reception.decoder.isComplete() && reception.decoder.add(arrived.block())) {
      innovative++;
      reception.innovativeFrom[sender]++;
      int missing = arrived.shape().blocks() - reception.decoder.rank();
      feedback.report(generation, missing, reception.innovativeFrom);
    }
  }

  private void deliver() {
    while (!receptions.isEmpty()
        && receptions.firstKey() == firstWanted
        && receptions.firstEntry().getValue().decoder.isComplete()) {
      try (Decoder decoder = receptions.pollFirstEntry().getValue().decoder) {
        hash(decoder);
      }
      firstWanted++;
    }
    if (firstWanted == object.generations() && finishNanos == startNanos) {
      finishNanos = System.nanoTime();
    }
  }

  private void hash(Decoder decoder) {
    GenerationShape shape = decoder.shape();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment decoded = arena.allocate(shape.bytes(), 64);
      decoder.decode(decoded);
      long length = object.bytesOf(firstWanted);
      digest.update(decoded.asSlice(0, length).asByteBuffer());
      bytes += length;
    }
    multiplyAccumulates += (double) shape.blocks() * shape.bytes();
  }

  DemoReport.Receiver report() {
    return new DemoReport.Receiver(
        received,
        innovative,
        finishNanos - startNanos,
        HexFormat.of().formatHex(digest.digest()).equals(object.sha256()));
  }

  @Override
  public void publish() {
    feedback.publish();
  }

  @Override
  public double multiplyAccumulates() {
    return multiplyAccumulates;
  }

  @Override
  public void close() {
    receptions.values().forEach(reception -> reception.decoder.close());
    receptions.clear();
  }
}

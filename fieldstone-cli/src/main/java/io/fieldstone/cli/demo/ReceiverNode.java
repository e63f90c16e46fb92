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
 * Receives blocks from all senders, decodes each generation that has n innovative blocks, and
 * hashes the object in order.
 */
final class ReceiverNode implements Node {

  private final Engine engine;
  private final ObjectDescriptor object;
  private final Window window;
  private final List<LossyLink> incoming;
  private final Feedback feedback = new Feedback();
  private final TreeMap<Long, Reception> receptions = new TreeMap<>();
  private final MessageDigest digest = ObjectDescriptor.newSha256();
  private long firstUndelivered;
  private long received;
  private long innovative;
  private long bytes;
  private long startNanos;
  private long finishNanos;
  private double multiplyAccumulates;

  /** A generation being received, with the innovative blocks by sender. */
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

  /** Starts the clock. */
  void start(long nanos) {
    startNanos = nanos;
    finishNanos = nanos;
  }

  /** Returns the first generation that is not delivered yet, or the number of generations. */
  long firstUndelivered() {
    return firstUndelivered;
  }

  /** Returns the number of bytes delivered in order. */
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
      return; // drops a packet whose CRC is wrong, as on a real network
    }
    if (arrived.objectId() != object.objectId()) {
      return;
    }
    received++;
    long generation = arrived.block().generation();
    if (generation < firstUndelivered || !window.contains(generation)) {
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
        && receptions.firstKey() == firstUndelivered
        && receptions.firstEntry().getValue().decoder.isComplete()) {
      try (Decoder decoder = receptions.pollFirstEntry().getValue().decoder) {
        hash(decoder);
      }
      firstUndelivered++;
    }
    if (firstUndelivered == object.generations() && finishNanos == startNanos) {
      finishNanos = System.nanoTime();
    }
  }

  private void hash(Decoder decoder) {
    GenerationShape shape = decoder.shape();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment decoded = arena.allocate(shape.bytes(), 64);
      decoder.decode(decoded);
      long length = object.bytesOf(firstUndelivered);
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

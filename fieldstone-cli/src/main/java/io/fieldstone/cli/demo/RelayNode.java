package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.Recoder;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.WireBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Combines received blocks into new blocks without decoding; each receiver gets different blocks.
 */
final class RelayNode implements Node {

  private final Engine engine;
  private final ObjectDescriptor object;
  private final Window window;
  private final LossyLink incoming;
  private final long seed;
  private final int senders;
  private final Feedback feedback = new Feedback();
  private final List<Flow> flows = new ArrayList<>();
  private final TreeMap<Long, Recoder> recoders = new TreeMap<>();
  private double multiplyAccumulates;

  RelayNode(
      Engine engine,
      ObjectDescriptor object,
      Window window,
      LossyLink incoming,
      long seed,
      int senders) {
    this.engine = engine;
    this.object = object;
    this.window = window;
    this.incoming = incoming;
    this.seed = seed;
    this.senders = senders;
  }

  Feedback feedback() {
    return feedback;
  }

  void addFlow(Flow flow) {
    flows.add(flow);
  }

  @Override
  public void step() {
    while (!recoders.isEmpty() && recoders.firstKey() < window.first()) {
      recoders.pollFirstEntry().getValue().close();
    }
    feedback.forgetBelow(window.first());
    incoming.arrivals().forEach(this::take);
    flows.forEach(Flow::begin);
    recoders.forEach(this::send);
    for (long generation = window.first(); generation < window.end(); generation++) {
      report(generation);
    }
  }

  private void take(MemorySegment packet) {
    WireBlock arrived;
    try {
      arrived = WireBlock.parse(packet);
    } catch (MalformedDataException e) {
      return; // drops a packet whose CRC is wrong, as on a real network
    }
    long generation = arrived.block().generation();
    if (arrived.objectId() == object.objectId() && window.contains(generation)) {
      recoders
          .computeIfAbsent(generation, _ -> new Recoder(engine, arrived.shape(), generation, seed))
          .add(arrived.block());
    }
  }

  /**
   * Requests blocks up to this relay's share of a generation among all senders, while a receiver
   * misses blocks. Further blocks would delay the source's next generation.
   */
  private void report(long generation) {
    int blocks = object.blocksOf(generation);
    Recoder recoder = recoders.get(generation);
    int rank = recoder == null ? 0 : recoder.rank();
    boolean isWanted = flows.stream().anyMatch(flow -> flow.isIncomplete(generation, blocks));
    int share = Math.ceilDiv(blocks, senders);
    feedback.report(generation, isWanted ? Math.max(0, share - rank) : 0, new int[] {rank});
  }

  private void send(long generation, Recoder recoder) {
    int blocks = recoder.shape().blocks();
    for (Flow flow : flows) {
      int wanted = flow.wanted(generation, blocks, recoder.rank());
      if (wanted > 0) {
        recode(generation, recoder, wanted).forEach(packet -> flow.send(generation, packet));
      }
    }
  }

  private List<MemorySegment> recode(long generation, Recoder recoder, int count) {
    GenerationShape shape = recoder.shape();
    int vectorBytes = shape.blocks();
    int packetBytes = WireBlock.HEADER_BYTES + vectorBytes + shape.blockSize();
    MemorySegment memory = Arena.ofAuto().allocate((long) count * packetBytes, 64);
    recoder.recode(
        ByteMatrices.strided(
            memory.asSlice(WireBlock.HEADER_BYTES), count, vectorBytes, packetBytes),
        ByteMatrices.strided(
            memory.asSlice(WireBlock.HEADER_BYTES + vectorBytes),
            count,
            shape.blockSize(),
            packetBytes));
    List<MemorySegment> packets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      MemorySegment packet = memory.asSlice((long) i * packetBytes, packetBytes);
      CodedBlock block =
          new CodedBlock(
              generation,
              new CodingVector.Explicit(packet.asSlice(WireBlock.HEADER_BYTES, vectorBytes)),
              packet.asSlice(WireBlock.HEADER_BYTES + vectorBytes));
      new WireBlock(object.objectId(), shape, block).writeTo(packet);
      packets.add(packet.asReadOnly());
    }
    multiplyAccumulates += (double) count * recoder.rank() * shape.blockSize();
    return packets;
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
    recoders.values().forEach(Recoder::close);
    recoders.clear();
  }
}

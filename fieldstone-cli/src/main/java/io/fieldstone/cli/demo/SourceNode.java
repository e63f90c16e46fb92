package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.WireBlock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Holds the object and sends new coded blocks to nodes that miss some; each block is sent once. */
final class SourceNode implements Node {

  private final Engine engine;
  private final ObjectDescriptor object;
  private final Window window;
  private final InputStream content;
  private final List<Flow> flows = new ArrayList<>();
  private final TreeMap<Long, Sending> sendings = new TreeMap<>();
  private long sent;
  private double multiplyAccumulates;

  /** A generation on the engine, with the index of its next coded block. */
  private static final class Sending {
    private final Encoder encoder;
    private long nextIndex;

    private Sending(Encoder encoder) {
      this.encoder = encoder;
    }
  }

  SourceNode(Engine engine, ObjectDescriptor object, Window window, InputStream content) {
    this.engine = engine;
    this.object = object;
    this.window = window;
    this.content = content;
  }

  void addFlow(Flow flow) {
    flows.add(flow);
  }

  @Override
  public void step() throws IOException {
    while (!sendings.isEmpty() && sendings.firstKey() < window.first()) {
      sendings.pollFirstEntry().getValue().encoder.close();
    }
    flows.forEach(Flow::begin);
    for (long generation = window.first(); generation < window.end(); generation++) {
      if (!sendings.containsKey(generation)) {
        sendings.put(generation, new Sending(load(generation)));
      }
      send(generation, sendings.get(generation));
    }
  }

  private Encoder load(long generation) throws IOException {
    GenerationShape shape = object.shape().withBlocks(object.blocksOf(generation));
    byte[] source = new byte[Math.toIntExact(object.bytesOf(generation))];
    if (content.readNBytes(source, 0, source.length) < source.length) {
      throw new EOFException("the content is now shorter than " + object.length() + " bytes");
    }
    return new Encoder(engine, shape, generation, object.seed(), MemorySegment.ofArray(source));
  }

  private void send(long generation, Sending sending) {
    GenerationShape shape = sending.encoder.shape();
    int[] wanted = new int[flows.size()];
    int total = 0;
    for (int f = 0; f < wanted.length; f++) {
      wanted[f] = flows.get(f).wanted(generation, shape.blocks(), shape.blocks());
      total += wanted[f];
    }
    if (total == 0) {
      return;
    }
    List<MemorySegment> packets = encode(generation, sending, total);
    int next = 0;
    for (int f = 0; f < wanted.length; f++) {
      for (int i = 0; i < wanted[f]; i++) {
        flows.get(f).send(generation, packets.get(next++));
      }
    }
  }

  private List<MemorySegment> encode(long generation, Sending sending, int count) {
    GenerationShape shape = sending.encoder.shape();
    int packetBytes = WireBlock.HEADER_BYTES + shape.blockSize();
    MemorySegment memory = Arena.ofAuto().allocate((long) count * packetBytes, 64);
    sending.encoder.encode(
        sending.nextIndex,
        ByteMatrices.strided(
            memory.asSlice(WireBlock.HEADER_BYTES), count, shape.blockSize(), packetBytes));
    List<MemorySegment> packets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      MemorySegment packet = memory.asSlice((long) i * packetBytes, packetBytes);
      CodingVector vector = sending.encoder.vector(sending.nextIndex + i);
      CodedBlock block = new CodedBlock(generation, vector, packet.asSlice(WireBlock.HEADER_BYTES));
      new WireBlock(object.objectId(), shape, block).writeTo(packet);
      packets.add(packet.asReadOnly());
      if (!(vector instanceof CodingVector.Source)) {
        multiplyAccumulates += shape.bytes();
      }
    }
    sending.nextIndex += count;
    sent += count;
    return packets;
  }

  /** Returns the number of packets sent. */
  long sent() {
    return sent;
  }

  @Override
  public void publish() {}

  @Override
  public double multiplyAccumulates() {
    return multiplyAccumulates;
  }

  @Override
  public void close() {
    sendings.values().forEach(sending -> sending.encoder.close());
    sendings.clear();
  }
}

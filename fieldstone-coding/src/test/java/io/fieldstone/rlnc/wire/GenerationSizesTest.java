package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A stream of the pipeline code whose generations differ in size (HPDS, Sec. 3.1: generation g has
 * the frames g to g + u_g − 1, and the next one is g + u_g). Packets carry the size, so a receiver
 * needs no list of sizes in advance.
 */
class GenerationSizesTest {

  private static final List<Integer> SIZES = List.of(4, 16, 1, 64, 7);
  private static final int FRAME_BYTES = 32;
  private static final long SEED = 4;
  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Pipeline(0.5), 64, FRAME_BYTES);

  @Test
  void framesOfAStreamWithGenerationsOfAnySizeArriveInOrder() throws MalformedDataException {
    SplittableRandom random = new SplittableRandom(SEED);
    byte[] stream = new byte[SIZES.stream().mapToInt(Integer::intValue).sum() * FRAME_BYTES];
    random.nextBytes(stream);
    try (Engine engine = Engine.open("cpu")) {
      List<byte[]> packets = packets(engine, stream);
      packets.removeIf(_ -> random.nextInt(6) == 0);

      List<Long> delays = new ArrayList<>();
      assertThat(receive(engine, packets, delays)).isEqualTo(stream);
      assertThat(delays.getFirst()).as("the first frame waits for no other").isLessThan(3);
    }
  }

  private static List<byte[]> packets(Engine engine, byte[] stream) {
    List<byte[]> packets = new ArrayList<>();
    int gid = 0;
    for (int generation = 0; generation < SIZES.size(); generation++) {
      GenerationShape shape = SHAPE.withBlocks(SIZES.get(generation));
      try (Encoder encoder = new Encoder(engine, shape, generation, SEED)) {
        for (int sn = 0; sn < shape.blocks(); sn++) {
          MemorySegment frame =
              MemorySegment.ofArray(stream).asSlice((long) (gid + sn) * FRAME_BYTES, FRAME_BYTES);
          encoder.store(sn, frame);
        }
        // Blocks after the last frame combine all: as many as a sixth of lost packets may need.
        for (int index = 0; index < 2 * shape.blocks() + 4; index++) {
          WireBlock block = new WireBlock(SEED, shape, encoder.block(index));
          byte[] packet = new byte[block.byteSize()];
          block.writeTo(MemorySegment.ofArray(packet));
          packets.add(packet);
        }
      }
      gid += shape.blocks();
    }
    return packets;
  }

  /**
   * Receives a stream.
   *
   * @param delays receives, for each frame, the number of packets that arrived before it was read
   */
  private static byte[] receive(Engine engine, List<byte[]> packets, List<Long> delays)
      throws MalformedDataException {
    List<byte[]> frames = new ArrayList<>();
    int gid = 0;
    long generation = 0;
    Decoder decoder = null;
    long arrived = 0;
    for (byte[] packet : packets) {
      WireBlock block = WireBlock.parse(MemorySegment.ofArray(packet));
      if (decoder == null || block.block().generation() != generation) {
        if (decoder != null) {
          assertThat(decoder.isComplete()).as("generation %d", generation).isTrue();
          gid += decoder.shape().blocks();
          decoder.close();
        }
        generation = block.block().generation();
        decoder = new Decoder(engine, block.shape(), generation);
      }
      decoder.add(block.block());
      for (int sn = frames.size() - gid; sn < decoder.deliverable(); sn++) {
        byte[] frame = new byte[FRAME_BYTES];
        decoder.read(sn, frame);
        frames.add(frame);
        delays.add(arrived);
      }
      arrived++;
    }
    if (decoder != null) {
      decoder.close();
    }
    byte[] stream = new byte[frames.size() * FRAME_BYTES];
    for (int i = 0; i < frames.size(); i++) {
      System.arraycopy(frames.get(i), 0, stream, i * FRAME_BYTES, FRAME_BYTES);
    }
    return stream;
  }
}

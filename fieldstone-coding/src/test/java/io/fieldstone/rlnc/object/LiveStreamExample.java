package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.PeerExample.Peer;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Sends frames over UDP as they are captured, without feedback. */
final class LiveStreamExample {

  private LiveStreamExample() {}

  // example begin
  static final int FRAMES = 32; // of each generation
  static final int PACKETS = 52; // of each generation: the last four combine all frames
  static final Code.Pipeline CODE = new Code.Pipeline(0.5); // three packets for two frames
  static final GenerationShape SHAPE = new GenerationShape(Gf256.DEFAULT, CODE, FRAMES, 400);
  static final long SEED = 42; // the same at both ends

  static void send(Peer viewer, Engine engine, Iterator<byte[]> camera, BooleanSupplier isLost)
      throws Exception {
    BlockPackets packets = new BlockPackets(SHAPE, SEED, 0);
    ByteBuffer buffer = ByteBuffer.allocateDirect(packets.maxBytes());
    try (Encoder encoder = new Encoder(engine, SHAPE, 0, SEED)) {
      int next = 0; // the next block of this generation
      for (int number = 0; camera.hasNext(); number++) {
        int frame = number % FRAMES;
        if (frame == 0) {
          encoder.reset(number / FRAMES);
          next = 0;
        }
        encoder.store(frame, camera.next());
        while (next < PACKETS && CODE.sequenceNumber(next, FRAMES) <= frame) {
          int _ = packets.write(encoder.block(next++), buffer.clear());
          if (!isLost.getAsBoolean()) {
            viewer.send(buffer.flip());
          }
        }
      }
    }
  }

  static void play(Peer sender, Engine engine, Consumer<byte[]> screen) throws Exception {
    BlockPackets packets = new BlockPackets(SHAPE, SEED, 0);
    ByteBuffer buffer = ByteBuffer.allocateDirect(packets.maxBytes());
    byte[] frame = new byte[SHAPE.blockSize()];
    try (Decoder decoder = new Decoder(engine, SHAPE, 0)) {
      long generation = 0;
      int played = 0; // of this generation
      while (true) { // until the thread is interrupted
        sender.receive(buffer, packet -> add(packets.read(packet), decoder));
        if (decoder.generation() > generation) {
          generation = decoder.generation(); // frames that could not be restored are skipped
          played = 0;
        }
        for (; played < decoder.deliverable(); played++) {
          decoder.read(played, frame);
          screen.accept(frame);
        }
      }
    }
  }

  private static void add(CodedBlock block, Decoder decoder) {
    if (block.generation() > decoder.generation()) {
      decoder.reset(block.generation());
    }
    if (block.generation() == decoder.generation()) {
      decoder.add(block);
    }
  }
  // example end
}

package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Measures the delay of each frame of a live stream over a link that loses packets, in virtual time
 * (HPDS, Sec. 3.1). The sender sends one packet a tick, and a new frame appears every 1 +
 * redundancy ticks. A sender of whole generations waits for n frames before it codes them. The
 * pipeline code sends from the first frame on.
 *
 * <p>Blocks are coded and decoded by {@link Encoder} and {@link Decoder}; every frame that is
 * delivered is compared with what was sent.
 */
public final class DelayTrial {

  /** The bytes of a frame. */
  static final int FRAME_BYTES = 32;

  private final Engine engine;
  private final DelaySettings settings;
  private final GenerationShape shape;
  private final boolean isPipeline;

  private DelayTrial(Engine engine, DelaySettings settings, boolean isPipeline) {
    this.engine = engine;
    this.settings = settings;
    this.isPipeline = isPipeline;
    this.shape =
        new GenerationShape(
            Gf256.DEFAULT,
            isPipeline ? new Code.Pipeline(settings.redundancy()) : new Code.Dense(),
            settings.frames(),
            FRAME_BYTES);
  }

  /** Sends a stream with the pipeline code. */
  public static DelayReport pipeline(Engine engine, DelaySettings settings) {
    return new DelayTrial(engine, settings, true).run();
  }

  /** Sends a stream by whole generations. The same packets are lost as with the pipeline code. */
  public static DelayReport wholeGenerations(Engine engine, DelaySettings settings) {
    return new DelayTrial(engine, settings, false).run();
  }

  /** Sends a stream with a sliding window. The same packets are lost as with the other codes. */
  public static DelayReport window(Engine engine, DelaySettings settings) {
    return WindowTrial.run(engine, settings);
  }

  private DelayReport run() {
    int n = settings.frames();
    SplittableRandom frames = new SplittableRandom(settings.seed());
    SplittableRandom losses = new SplittableRandom(~settings.seed());
    double[][] delays = new double[settings.generations()][n];
    try (Encoder encoder = new Encoder(engine, shape, 0, settings.seed());
        Decoder decoder = new Decoder(engine, shape, 0)) {
      for (int generation = 0; generation < settings.generations(); generation++) {
        encoder.reset(generation);
        decoder.reset(generation);
        byte[][] source = new byte[n][FRAME_BYTES];
        for (byte[] frame : source) {
          frames.nextBytes(frame);
        }
        send(encoder, decoder, source, losses, delays[generation]);
      }
    }
    return new DelayReport(delays);
  }

  /** Sends one generation and sets the delay of each frame; infinite if it is lost. */
  private void send(
      Encoder encoder, Decoder decoder, byte[][] source, SplittableRandom losses, double[] delays) {
    int n = source.length;
    double interval = 1 + settings.redundancy();
    int packets = settings.packets();
    int firstTick = isPipeline ? 0 : packets;
    int stored = 0;
    int delivered = 0;
    byte[] frame = new byte[FRAME_BYTES];
    Arrays.fill(delays, Double.POSITIVE_INFINITY);
    for (int index = 0; index < packets; index++) {
      int tick = firstTick + index;
      int needed =
          shape.code() instanceof Code.Pipeline code ? code.sequenceNumber(index, n) : n - 1;
      for (; stored <= needed; stored++) {
        encoder.store(stored, source[stored]);
      }
      CodedBlock block = encoder.block(index);
      if (losses.nextDouble() < settings.loss()) {
        continue;
      }
      boolean _ = decoder.add(block);
      for (; delivered < decoder.deliverable(); delivered++) {
        decoder.read(delivered, frame);
        if (!Arrays.equals(frame, source[delivered])) {
          throw new IllegalStateException("frame " + delivered + " differs from the one sent");
        }
        delays[delivered] = Math.max(0, tick - delivered * interval) / interval;
      }
    }
  }
}

package io.fieldstone.cli.demo;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Reception;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Measures the delay of each frame of the stream of {@link DelayTrial} with a sliding window as
 * long as a generation. A frame is sent as soon as it appears; each tick without one sends a repair
 * over the window. Frames are delivered in order, and given up once they have left the window.
 */
final class WindowTrial {

  private final DelaySettings settings;
  private final double interval;
  private final byte[][] source;
  private final double[][] delays;
  private int tick;

  private WindowTrial(DelaySettings settings) {
    this.settings = settings;
    this.interval = 1 + settings.redundancy();
    this.source = new byte[settings.frames() * settings.generations()][DelayTrial.FRAME_BYTES];
    this.delays = new double[settings.generations()][settings.frames()];
  }

  /** Sends a stream. The same packets are lost as with the codes of {@link DelayTrial}. */
  static DelayReport run(Engine engine, DelaySettings settings) {
    WindowTrial trial = new WindowTrial(settings);
    SplittableRandom frames = new SplittableRandom(settings.seed());
    for (byte[] frame : trial.source) {
      frames.nextBytes(frame);
    }
    for (double[] generation : trial.delays) {
      Arrays.fill(generation, Double.POSITIVE_INFINITY);
    }
    trial.send(engine);
    return new DelayReport(trial.delays);
  }

  private void send(Engine engine) {
    SplittableRandom losses = new SplittableRandom(~settings.seed());
    WindowShape shape = WindowShape.of(DelayTrial.FRAME_BYTES, settings.frames());
    MemorySegment symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
    PacketSink sink = new Deliveries();
    int ticks = settings.packets() * settings.generations();
    int sent = 0;
    try (WindowEncoder encoder = WindowEncoder.open(engine, shape, WindowCode.GF256, 0);
        WindowDecoder decoder =
            WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
      for (tick = 0; tick < ticks; tick++) {
        boolean isLost = losses.nextDouble() < settings.loss();
        Reception _ =
            sent < source.length && sent * interval <= tick
                ? frame(encoder, decoder, sent++, isLost, sink)
                : repair(encoder, decoder, symbol, isLost, sink);
      }
    }
  }

  private Reception frame(
      WindowEncoder encoder, WindowDecoder decoder, int frame, boolean isLost, PacketSink sink) {
    MemorySegment packet = MemorySegment.ofArray(source[frame]);
    long id = encoder.add(packet);
    return isLost ? Reception.LATE : decoder.source(id, packet, sink);
  }

  private Reception repair(
      WindowEncoder encoder,
      WindowDecoder decoder,
      MemorySegment symbol,
      boolean isLost,
      PacketSink sink) {
    Repair repair = encoder.repair(tick % WindowCode.GF256.keys(), symbol);
    return isLost ? Reception.LATE : decoder.repair(repair, symbol, sink);
  }

  private final class Deliveries implements PacketSink {
    @Override
    public void packet(long id, MemorySegment packet) {
      int frame = (int) id;
      if (packet.mismatch(MemorySegment.ofArray(source[frame])) >= 0) {
        throw new IllegalStateException("frame " + frame + " differs from the one sent");
      }
      delays[frame / settings.frames()][frame % settings.frames()] =
          Math.max(0, tick - frame * interval) / interval;
    }

    @Override
    public void gap(long first, long count) {}
  }
}

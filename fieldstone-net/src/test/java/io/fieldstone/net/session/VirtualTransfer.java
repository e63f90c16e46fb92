package io.fieldstone.net.session;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.impairment.Direction;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.ReceiverOptions;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Transfers of one object over impaired links in virtual time: senders, receiver, reports and
 * pacing as in a fetch, without connections. Blocks are short, and count as packets of {@value
 * #PACKET_BYTES} bytes.
 */
final class VirtualTransfer {

  static final int PACKET_BYTES = 1250;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 4;
  private static final int REPORT_BYTES = 1200;
  private static final long MIN_REPORT_NANOS = 5_000_000;

  /** The time between attempts of a sender: as precise as a timer of a host. */
  private static final long STEP_NANOS = 250_000;

  private static final long MAX_NANOS = 200_000_000_000L;

  /**
   * The end of a transfer.
   *
   * @param seconds its time
   * @param received the packets that arrived, as a multiple of the blocks of the object
   */
  record Result(double seconds, double received) {}

  /** The two directions of the path to a sender. */
  record Path(Impairment down, Impairment up) {
    long rttNanos() {
      return down.delayNanos() + up.delayNanos();
    }
  }

  private final int generations;
  private final long seed;

  VirtualTransfer(int generations, long seed) {
    this.generations = generations;
    this.seed = seed;
  }

  /** Transfers the object over unchanging paths, from one sender each. */
  Result run(Path... paths) throws Exception {
    return run(List.of(paths).stream().<LongFunction<Path>>map(path -> _ -> path).toList());
  }

  /** Transfers the object over paths that depend on the time. */
  Result run(List<LongFunction<Path>> paths) throws Exception {
    MemoryObject content =
        MemoryObject.of(
            new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), BLOCKS, BLOCK_BYTES),
            MemorySegment.ofArray(new byte[generations * BLOCKS * BLOCK_BYTES]));
    // The memory of a window of 64 MiB holds as many generations of whole packets.
    long window = (64L << 20) / (2 * PACKET_BYTES) * (2 * BLOCK_BYTES + BLOCKS);
    try (Engine engine = Engine.open("cpu:scalar");
        GenerationCache cache = new GenerationCache(engine, 1 << 24);
        ObjectReceiver receiver =
            ObjectReceiver.builder(engine, content.hashes(), (_, _) -> {})
                .options(ReceiverOptions.DEFAULT.withWindowBytes(window))
                .build()) {
      List<Link> links = new ArrayList<>();
      for (LongFunction<Path> path : paths) {
        SourceObject source = cache.open(content.manifest(), links.size() + 1, content);
        links.add(new Link(path, receiver, source, seed + links.size()));
      }
      long now = 0;
      while (!receiver.isComplete() && now < MAX_NANOS) {
        for (Link link : links) {
          link.advance(now);
        }
        now += STEP_NANOS;
      }
      double received = receiver.packetsReceived();
      links.forEach(Link::close);
      return new Result(now / 1e9, received / (generations * BLOCKS));
    }
  }

  /** A sender, its path, and the reports to it. */
  private static final class Link {
    private final LongFunction<Path> path;
    private final ObjectReceiver receiver;
    private final OutgoingObject object;
    private final SourceObject source;
    private final int number;
    private final SenderPacing pacing = new SenderPacing(Long.MAX_VALUE, false, PACKET_BYTES);
    private final Direction<byte[]> down;
    private final Direction<byte[]> up;
    private final MemorySegment memory;
    private long reportNanos;
    private long lastPacketNanos;

    Link(LongFunction<Path> path, ObjectReceiver receiver, SourceObject source, long seed) {
      this.path = path;
      this.receiver = receiver;
      this.source = source;
      this.object = new OutgoingObject(0, new SentObject(source));
      this.number = receiver.addSender(source.seed(), SenderKind.ORIGIN, 0);
      this.down = new Direction<>(path.apply(0).down(), PACKET_BYTES, seed);
      this.up = new Direction<>(path.apply(0).up(), 0, ~seed);
      this.memory = MemorySegment.ofArray(new byte[object.sender.maxPacketBytes()]);
      pacing.opened("", path.apply(0).rttNanos());
    }

    void advance(long now) throws IOException, MalformedDataException {
      Path current = path.apply(now);
      down.impair(current.down());
      up.impair(current.up());
      for (var next = down.poll(now); next != null; next = down.poll(now)) {
        var _ = receiver.receive(number, next.target());
        lastPacketNanos = now;
      }
      if (now >= reportNanos) {
        byte[] report = new byte[REPORT_BYTES];
        int bytes = receiver.report(number, (now - lastPacketNanos) / 1000, report);
        up.offer(EMPTY, Arrays.copyOf(report, bytes), now);
        reportNanos = now + Math.max(MIN_REPORT_NANOS, current.rttNanos() / 4);
      }
      for (var next = up.poll(now); next != null; next = up.poll(now)) {
        if (object.sender.onReport(next.target())) {
          pacing.reported(List.of(object), object, now);
        }
      }
      while (object.sender.hasNext() && pacing.delayNanos(now) == 0) {
        int bytes = object.next(memory);
        object.sent(PACKET_BYTES, now);
        pacing.sent(PACKET_BYTES, now);
        byte[] packet = memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        down.offer(EMPTY, packet, now);
      }
    }

    void close() {
      object.close();
      source.close();
    }
  }
}

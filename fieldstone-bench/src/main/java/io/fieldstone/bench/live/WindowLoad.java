package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.Blackhole;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowRecoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An encoder and a recoder with full windows, and streams for a decoder. Not thread-safe. */
final class WindowLoad implements AutoCloseable {

  /** The bytes of a symbol. */
  static final int SHAPE_BYTES = LiveStream.PACKET_BYTES + 2;

  private static final int ROW_WORDS = Math.ceilDiv(SHAPE_BYTES, Long.BYTES);
  private static final long SEED = 8681;
  private static final int ALIGNMENT = 64;

  private final Engine engine;
  private final WindowShape shape;
  private final Closer closer = new Closer();
  private final WindowEncoder encoder;
  private final WindowRecoder recoder;
  private final MemorySegment packet;
  private final MemorySegment symbol;
  private final MemorySegment coefficients;
  private final ByteMatrices vector;
  private final ByteMatrices sources;
  private final ByteMatrices product;
  private final long[] rows;
  private final long[] sum = new long[ROW_WORDS];
  private final Blackhole blackhole = new Blackhole();
  private int key;

  WindowLoad(Engine engine, int window) {
    this.engine = engine;
    this.shape = WindowShape.of(LiveStream.PACKET_BYTES, window);
    CountedArena arena = closer.register(new CountedArena());
    this.packet = arena.allocate(LiveStream.PACKET_BYTES, Long.BYTES);
    this.symbol = arena.allocate(SHAPE_BYTES, Long.BYTES);
    this.coefficients = arena.allocate(window, Long.BYTES);
    long stride = ByteMatrices.paddedStride(SHAPE_BYTES);
    this.sources =
        ByteMatrices.strided(
            arena.allocate(stride * window, ALIGNMENT), window, SHAPE_BYTES, stride);
    this.vector = ByteMatrices.of(arena.allocate(window, Long.BYTES), 1, window);
    this.product = ByteMatrices.of(arena.allocate(SHAPE_BYTES, Long.BYTES), 1, SHAPE_BYTES);
    this.rows = new long[window * ROW_WORDS];
    RandomBytes.fill(sources.data(), SEED);
    RandomBytes.fill(MemorySegment.ofArray(rows), SEED);
    WindowCode.GF256.coefficients(1, window, vector.data());
    this.encoder = closer.register(WindowEncoder.open(engine, shape, WindowCode.GF256, 0));
    this.recoder = closer.register(WindowRecoder.open(engine, shape, WindowCode.GF256, SEED, 0));
    for (long id = 0; id < window; id++) {
      RandomBytes.fill(packet, id);
      encoder.add(packet);
      recoder.source(id, packet);
    }
  }

  void product() {
    engine.products().multiply(Gf256.DEFAULT, vector, sources, product);
  }

  void xor() {
    for (int row = 0; row < rows.length; row += ROW_WORDS) {
      for (int i = 0; i < ROW_WORDS; i++) {
        sum[i] ^= rows[row + i];
      }
    }
    blackhole.consume(sum[0]);
  }

  void repair() {
    key = (key + 1) % WindowCode.GF256.keys();
    encoder.repair(key, symbol);
  }

  void recode() {
    recoder.next(coefficients, symbol);
  }

  void add() {
    encoder.add(packet);
  }

  /**
   * Makes the packets of a stream and the repair symbols of its losses, and checks that a decoder
   * delivers them.
   *
   * @param count the number of packets
   * @param lost the distance between lost packets, in packets; 0 for no loss
   */
  Stream stream(int count, int lost) {
    return new Stream(count, lost);
  }

  @Override
  public void close() {
    closer.close();
  }

  /** A recorded stream. */
  final class Stream implements PacketSink, AutoCloseable {
    private final int count;
    private final int lost;
    private final CountedArena arena = new CountedArena();
    private final MemorySegment packets;
    private final List<Repair> repairs = new ArrayList<>();
    private final MemorySegment symbols;
    private Optional<WindowDecoder> decoder = Optional.empty();
    private long delivered;

    Stream(int count, int lost) {
      this.count = count;
      this.lost = lost;
      this.packets = arena.allocate(end() * LiveStream.PACKET_BYTES, Long.BYTES);
      this.symbols = arena.allocate((count + 1L) * SHAPE_BYTES, Long.BYTES);
      RandomBytes.fill(packets, SEED);
      try (WindowEncoder source = WindowEncoder.open(engine, shape, WindowCode.GF256, 0)) {
        for (long id = 0; id < end(); id++) {
          source.add(packet(id));
          if (isLost(id)) {
            int index = repairs.size();
            repairs.add(source.repair(index % WindowCode.GF256.keys(), symbol(index)));
          }
        }
      }
      open();
      decode();
    }

    private MemorySegment packet(long id) {
      return packets.asSlice(id * LiveStream.PACKET_BYTES, LiveStream.PACKET_BYTES);
    }

    private MemorySegment symbol(long index) {
      return symbols.asSlice(index * SHAPE_BYTES, SHAPE_BYTES);
    }

    private boolean isLost(long id) {
      return lost > 0 && id >= shape.window() && id % lost == lost - 1;
    }

    /** Returns the number of packets, with those that fill the window before the measurement. */
    private long end() {
      return shape.window() + (long) count;
    }

    /** Returns the number of lost packets. */
    int lost() {
      return repairs.size();
    }

    Candidate candidate(String name, double work) {
      return new Candidate(name, work, Optional.of(this::open), this::decode);
    }

    private void open() {
      decoder.ifPresent(WindowDecoder::close);
      decoder =
          Optional.of(WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, 0));
      delivered = 0;
      for (long id = 0; id < shape.window(); id++) {
        decoder.orElseThrow().source(id, packet(id), this);
      }
    }

    private void decode() {
      WindowDecoder opened = decoder.orElseThrow();
      int next = 0;
      for (long id = shape.window(); id < end(); id++) {
        if (isLost(id)) {
          opened.repair(repairs.get(next), symbol(next), this);
          next++;
        } else {
          opened.source(id, packet(id), this);
        }
      }
      if (delivered != end()) {
        throw new IllegalStateException(
            "a decoder delivered %d packets of %d".formatted(delivered, end()));
      }
    }

    @Override
    public void packet(long id, MemorySegment got) {
      // Of the others, the decoder has copied what it was given.
      if (isLost(id) && got.mismatch(packet(id)) >= 0) {
        throw new IllegalStateException("packet %d was decoded to other bytes".formatted(id));
      }
      delivered++;
    }

    @Override
    public void gap(long first, long count) {
      throw new IllegalStateException("%d packets from id %d were lost".formatted(count, first));
    }

    @Override
    public void close() {
      decoder.ifPresent(WindowDecoder::close);
      arena.close();
    }
  }
}

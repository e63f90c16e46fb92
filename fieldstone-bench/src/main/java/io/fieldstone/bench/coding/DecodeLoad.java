package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.BatchDecoder;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes one generation from coded blocks of full rank with explicit coefficients. Each candidate
 * runs once, and its result is compared with the source, before it is measured.
 */
public final class DecodeLoad implements AutoCloseable {

  private static final long SEED = 0x5EED;
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final GenerationShape shape;
  private final MemorySegment source;
  private final MemorySegment decoded;
  private final List<CodedBlock> blocks = new ArrayList<>();
  private final Closer decoders = new Closer();

  /**
   * Encodes a generation of random bytes.
   *
   * @param engine encodes; another may decode
   */
  public DecodeLoad(Engine engine, Code code, int n, int k) {
    this.shape = new GenerationShape(Gf256.DEFAULT, code, n, k);
    this.source = arena.allocate(shape.bytes(), ALIGNMENT);
    this.decoded = arena.allocate(shape.bytes(), ALIGNMENT);
    RandomBytes.fill(source, SEED);
    ByteMatrices payloads = ByteMatrices.of(arena.allocate(shape.bytes(), ALIGNMENT), n, k);
    ByteMatrices vectors = ByteMatrices.of(arena.allocate((long) n * n, ALIGNMENT), n, n);
    makeInnovative(engine, vectors, payloads);
    for (int i = 0; i < n; i++) {
      blocks.add(
          new CodedBlock(0, new CodingVector.Explicit(vectors.row(0, i)), payloads.row(0, i)));
    }
  }

  /** Encodes with the first seed whose n blocks have full rank; about one seed in 255 lacks it. */
  private void makeInnovative(Engine engine, ByteMatrices vectors, ByteMatrices payloads) {
    for (long seed = SEED; ; seed++) {
      try (Encoder encoder = new Encoder(engine, shape, 0, seed, source)) {
        encoder.coefficients(0, vectors);
        if (isRegular(engine, vectors)) {
          encoder.encode(0, payloads);
          return;
        }
      }
    }
  }

  private static boolean isRegular(Engine engine, ByteMatrices vectors) {
    int n = vectors.rows();
    try (Arena scratch = Arena.ofShared()) {
      ByteMatrices inverse = ByteMatrices.of(scratch.allocate((long) n * n, ALIGNMENT), n, n);
      return engine.eliminations().invert(Gf256.DEFAULT, vectors, inverse)[0] == n;
    }
  }

  /**
   * Returns n²·k, the GF-MACs of one product of the inverse by the payloads: the work of decoding.
   */
  double work() {
    return (double) shape.blocks() * shape.bytes();
  }

  /** Returns the source bytes. */
  public double bytes() {
    return shape.bytes();
  }

  /** Converts a measurement of one of the candidates to millions of source bytes per second. */
  public double megabytesPerSecond(Measurement measurement) {
    return bytes() * 1e3 / measurement.bestNanos();
  }

  /** Adds block after block to a decoder, then reads the source. */
  public Candidate progressive(String name, Engine engine) {
    Decoder decoder = decoder(engine);
    return verified(
        name,
        () -> {
          decoder.reset(0);
          blocks.forEach(decoder::add);
          decoder.decode(decoded);
        });
  }

  /** Collects all blocks, then decodes them at once with a decoder that is reused. */
  public Candidate buffered(String name, Engine engine) {
    ByteMatrices destination = ByteMatrices.of(decoded, shape.blocks(), shape.blockSize());
    BatchDecoder decoder = decoders.register(new BatchDecoder(engine, shape, destination));
    return verified(
        name,
        () -> {
          decoder.reset(0, 1);
          blocks.forEach(decoder::add);
          decoder.decode();
        });
  }

  /** Adds block after block to a decoder without reading sources. The work is counted in blocks. */
  public Candidate arrivals(String name, Engine engine) {
    Decoder decoder = decoder(engine);
    Runnable arrivals =
        () -> {
          decoder.reset(0);
          blocks.forEach(decoder::add);
        };
    verified(
        name,
        () -> {
          arrivals.run();
          decoder.decode(decoded);
        });
    return new Candidate(name, shape.blocks(), arrivals);
  }

  private Decoder decoder(Engine engine) {
    return decoders.register(new Decoder(engine, shape, 0));
  }

  private Candidate verified(String name, Runnable body) {
    decoded.fill((byte) 0);
    body.run();
    long wrong = source.mismatch(decoded);
    if (wrong >= 0) {
      throw new IllegalStateException(
          "%s of (%d, %d) gave a wrong byte at %d"
              .formatted(name, shape.blocks(), shape.blockSize(), wrong));
    }
    return new Candidate(name, work(), body);
  }

  @Override
  public void close() {
    decoders.close();
    arena.close();
  }
}

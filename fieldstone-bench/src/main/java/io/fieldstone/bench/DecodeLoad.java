package io.fieldstone.bench;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
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
import java.util.SplittableRandom;

/**
 * A generation that waits to be decoded: its source, and coded blocks of full rank with their
 * coefficients written out. Every way to decode it is run once and compared with the source before
 * it may be measured.
 */
final class DecodeLoad implements AutoCloseable {

  private static final long SEED = 0x5EED;
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final GenerationShape shape;
  private final MemorySegment source;
  private final MemorySegment decoded;
  private final List<CodedBlock> blocks = new ArrayList<>();
  private final Closings decoders = new Closings();

  /**
   * @param engine encodes; may be another than the one that decodes
   */
  DecodeLoad(Engine engine, Code code, int n, int k) {
    this.shape = new GenerationShape(Gf256.DEFAULT, code, n, k);
    this.source = arena.allocate(shape.bytes(), ALIGNMENT);
    this.decoded = arena.allocate(shape.bytes(), ALIGNMENT);
    ProductLoad.fillRandomly(source, new SplittableRandom(SEED));
    ByteMatrices payloads = ByteMatrices.of(arena.allocate(shape.bytes(), ALIGNMENT), n, k);
    ByteMatrices vectors = ByteMatrices.of(arena.allocate((long) n * n, ALIGNMENT), n, n);
    makeInnovative(engine, vectors, payloads);
    for (int i = 0; i < n; i++) {
      blocks.add(
          new CodedBlock(0, new CodingVector.Explicit(vectors.row(0, i)), payloads.row(0, i)));
    }
  }

  /** The first n blocks of some seed that have full rank; all but one in 255 seeds do. */
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
   * n²·k, the GF-MACs of one product of the inverse by the payloads: what decoding is counted as.
   */
  double work() {
    return (double) shape.blocks() * shape.bytes();
  }

  /** Source bytes. */
  double bytes() {
    return shape.bytes();
  }

  /** Millions of source bytes a second, of a measurement of one of the candidates. */
  double megabytesPerSecond(Measurement measurement) {
    return bytes() * 1e3 / measurement.bestNanos();
  }

  /** Blocks come one by one; the source is read when the generation is complete. */
  Candidate progressive(String name, Engine engine) {
    Decoder decoder = decoder(engine);
    return verified(
        name,
        () -> {
          decoder.reset(0);
          blocks.forEach(decoder::add);
          decoder.decode(decoded);
        });
  }

  /** All blocks are collected, then decoded at once; the decoder's memory is used again. */
  Candidate buffered(String name, Engine engine) {
    ByteMatrices destination = ByteMatrices.of(decoded, shape.blocks(), shape.blockSize());
    BatchDecoder decoder =
        decoders.with(new BatchDecoder(engine, shape, destination), BatchDecoder::close);
    return verified(
        name,
        () -> {
          decoder.reset(0, 1);
          blocks.forEach(decoder::add);
          decoder.decode();
        });
  }

  /**
   * Blocks come one by one, and nothing is read: what each block costs on arrival. Its work is
   * counted in blocks.
   */
  Candidate arrivals(String name, Engine engine) {
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
    return decoders.with(new Decoder(engine, shape, 0), Decoder::close);
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

package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.ContentDigests;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.Source;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encrypts the batches of an object. A file is read twice: the first time for its salt. In the
 * second pass the plaintext is digested again, because ciphertext of another content under the same
 * salt would reveal both. Thread-safe.
 */
final class BatchEncryption {

  private final GenerationCipher cipher;

  /** Those of the first pass, if there was one. */
  private final Optional<ContentDigests> digests;

  private BatchEncryption(GenerationCipher cipher, Optional<ContentDigests> digests) {
    this.cipher = cipher;
    this.digests = digests;
  }

  /**
   * Returns the encryption of a file, which is read to its end.
   *
   * @param engine has the threads that read and hash
   * @param file at its start
   * @param listener receives the bytes read
   * @param phases receives the stages of each part as phases of its thread
   */
  static BatchEncryption ofFile(
      Engine engine,
      Source.OfFile file,
      EncodingParameters parameters,
      MasterKey key,
      ProgressListener listener,
      PhaseListener phases)
      throws IOException, InterruptedException {
    GenerationShape shape = parameters.shape();
    ContentDigests digests = new ContentDigests(shape, file.length());
    ProgressSum progress = new ProgressSum(file.length(), listener);
    Engine.hashing().expect(file.length());
    try (Arena arena = new CountedArena()) {
      new Pipeline<Part, IOException>("encrypt", parts(engine, file, shape, arena))
          .inOrder("read", part -> part.claim(file))
          .anyOrder("read", part -> part.read(file))
          .anyOrder("encrypt", part -> part.digest(digests, progress))
          .withPhaseListener(phases)
          .run();
    }
    return new BatchEncryption(GenerationCipher.of(key, digests.salt(key)), Optional.of(digests));
  }

  private static List<Part> parts(
      Engine engine, Source.OfFile file, GenerationShape shape, Arena arena) throws IOException {
    int pitch = GenerationCipher.plaintextBytes(shape);
    Batches batches = Batches.plan(engine, pitch, Math.ceilDiv(file.length(), pitch));
    long bytes = Math.min((long) batches.generations() * pitch, Math.max(1, file.length()));
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < batches.slots(); i++) {
      parts.add(new Part(NativeMemory.reserve(() -> arena.allocate(bytes)), pitch));
    }
    return parts;
  }

  /** The generations of a file that one thread reads and digests at a time. */
  private static final class Part {
    private final MemorySegment memory;
    private final int pitch;
    private long position;
    private MemorySegment plaintext = MemorySegment.NULL;

    Part(MemorySegment memory, int pitch) {
      this.memory = memory;
      this.pitch = pitch;
    }

    long claim(Source.OfFile file) {
      position = file.claimed();
      plaintext = memory.asSlice(0, file.claim(memory));
      return plaintext.byteSize() == 0 ? Stage.END : plaintext.byteSize();
    }

    long read(Source.OfFile file) throws IOException {
      file.read(plaintext, position);
      return plaintext.byteSize();
    }

    long digest(ContentDigests digests, ProgressSum progress) {
      digests.digest(position / pitch, plaintext);
      progress.add(plaintext.byteSize());
      return plaintext.byteSize();
    }
  }

  /** Returns the encryption of a stream, which has a random salt. */
  static BatchEncryption ofStream(MasterKey key) {
    return new BatchEncryption(
        GenerationCipher.of(key, ContentDigests.randomSalt()), Optional.empty());
  }

  GenerationCipher cipher() {
    return cipher;
  }

  /**
   * Encrypts a batch; returns the bytes of the plaintext.
   *
   * @param name of the file, for an exception
   * @throws IOException if the first pass has read another plaintext
   */
  long encrypt(EncodingBatch batch, String name) throws IOException {
    MemorySegment plaintext = batch.plaintext();
    if (digests.isPresent() && !digests.get().areOf(batch.firstGeneration(), plaintext)) {
      throw FileProblem.changed(name);
    }
    batch.encrypt(cipher);
    return batch.sourceBytes();
  }
}

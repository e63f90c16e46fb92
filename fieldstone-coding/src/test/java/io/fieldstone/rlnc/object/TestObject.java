package io.fieldstone.rlnc.object;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** An object of random bytes with its manifest and hashes. */
record TestObject(byte[] content, ObjectManifest manifest, GenerationHashes hashes)
    implements GenerationSource {

  static TestObject random(Random random, int length, int n, int k) {
    return random(random, length, new Code.Systematic(), n, k);
  }

  static TestObject random(Random random, int length, Code code, int n, int k) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, n, k);
    MemoryObject object = MemoryObject.of(shape, MemorySegment.ofArray(content));
    return new TestObject(content, object.manifest(), object.hashes());
  }

  private static byte[] padded(byte[] content, ObjectManifest manifest, int generation) {
    int from = (int) (generation * manifest.shape().bytes());
    return Arrays.copyOfRange(content, from, from + (int) manifest.shapeOf(generation).bytes());
  }

  int generations() {
    return manifest.generations();
  }

  byte[] padded(int generation) {
    return padded(content, manifest, generation);
  }

  /** Returns the hashes of the source blocks of a generation. */
  List<Sha256> leaves(int generation) {
    HashTree tree = new HashTree();
    MemorySegment bytes = MemorySegment.ofArray(padded(generation));
    int k = manifest.shape().blockSize();
    List<Sha256> leaves = new ArrayList<>();
    for (long at = 0; at < bytes.byteSize(); at += k) {
      leaves.add(tree.leaf(bytes.asSlice(at, k)));
    }
    return leaves;
  }

  @Override
  public void read(int generation, MemorySegment destination) {
    byte[] bytes = padded(generation);
    MemorySegment.copy(bytes, 0, destination, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  /** A store of bytes in memory that fails if a generation comes twice or is read before. */
  final class Store implements GenerationStore {
    final byte[] bytes = new byte[content.length];
    private final java.util.BitSet held = new java.util.BitSet();

    @Override
    public void verified(int generation, MemorySegment source) {
      if (held.get(generation)) {
        throw new AssertionError("generation " + generation + " twice");
      }
      held.set(generation);
      int at = (int) (generation * manifest.shape().bytes());
      MemorySegment.copy(
          source, ValueLayout.JAVA_BYTE, 0, bytes, at, Math.toIntExact(source.byteSize()));
    }

    @Override
    public void read(int generation, MemorySegment destination) {
      if (!held.get(generation)) {
        throw new AssertionError("generation " + generation + " is not there");
      }
      byte[] padded = padded(bytes, manifest, generation);
      MemorySegment.copy(padded, 0, destination, ValueLayout.JAVA_BYTE, 0, padded.length);
    }

    boolean isRight() {
      return Arrays.equals(bytes, content);
    }
  }

  Store store() {
    return new Store();
  }
}

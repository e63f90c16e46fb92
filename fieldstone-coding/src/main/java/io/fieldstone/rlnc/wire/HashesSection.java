package io.fieldstone.rlnc.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;

/**
 * The section of a shard with the hashes of all generations, which the root of the {@link HashTree}
 * covers (docs/format.md, "Hashes"). They take 32 bytes of memory each. An immutable list.
 */
public final class HashesSection extends AbstractList<Sha256> implements RandomAccess {

  /** The bytes before the hashes in their section of a shard. */
  public static final int PREFIX_BYTES = 16;

  /** "FSTHASHS". */
  private static final long MAGIC = 0x4653544841534853L;

  /** The section of a shard. */
  private final byte[] section;

  private final int count;

  private HashesSection(byte[] section, int count) {
    this.section = section;
    this.count = count;
  }

  /** Collects hashes. Thread-safe. */
  public static final class Builder {
    private byte[] section = new byte[PREFIX_BYTES + Sha256.BYTES];
    private int count;

    /** Adds the hash of the next generation. */
    public synchronized void add(Sha256 hash) {
      set(count, hash);
    }

    /**
     * Sets the hash of a generation; before {@link #build}, those before it must be set too.
     *
     * @param generation the number of the generation, ≥ 0
     */
    public synchronized void set(int generation, Sha256 hash) {
      int at = Math.addExact(PREFIX_BYTES, Math.multiplyExact(generation, Sha256.BYTES));
      if (at >= section.length) {
        section = Arrays.copyOf(section, PREFIX_BYTES + 2 * (at - PREFIX_BYTES));
      }
      hash.writeTo(ByteBuffer.wrap(section, at, Sha256.BYTES));
      count = Math.max(count, generation + 1);
    }

    /** Sets the hashes of consecutive generations, from {@code first} on. */
    public synchronized void setAll(long first, List<Sha256> hashes) {
      for (int g = 0; g < hashes.size(); g++) {
        set(Math.toIntExact(first + g), hashes.get(g));
      }
    }

    /** Returns the hashes added so far. */
    public synchronized HashesSection build() {
      byte[] exact = Arrays.copyOf(section, (int) sectionBytes(count));
      System.arraycopy(prefix(count), 0, exact, 0, PREFIX_BYTES);
      return new HashesSection(exact, count);
    }
  }

  /** Returns the bytes of the section of an object with this number of generations. */
  public static long sectionBytes(long generations) {
    return PREFIX_BYTES + generations * Sha256.BYTES;
  }

  /**
   * Returns true if bytes begin as the section of an object does, in at least half of their first
   * {@value #PREFIX_BYTES} bytes: a damaged section is no record either.
   *
   * @param prefix at least {@value #PREFIX_BYTES} bytes
   */
  public static boolean resemblesSection(MemorySegment prefix, long generations) {
    byte[] expected = prefix(generations);
    ByteBuffer found = prefix.asByteBuffer();
    int equal = 0;
    for (int at = 0; at < PREFIX_BYTES; at++) {
      equal += found.get(at) == expected[at] ? 1 : 0;
    }
    return equal >= PREFIX_BYTES / 2;
  }

  private static byte[] prefix(long generations) {
    return ByteBuffer.allocate(PREFIX_BYTES).putLong(MAGIC).putInt((int) generations).array();
  }

  /**
   * Parses the section of a shard.
   *
   * @param section exactly one section
   * @return empty if it is damaged or of another object: the root of its hashes is another
   */
  public static Optional<HashesSection> parse(MemorySegment section, ObjectManifest manifest) {
    int count = manifest.generations();
    byte[] bytes = section.toArray(ValueLayout.JAVA_BYTE);
    if (bytes.length != sectionBytes(count)
        || !Arrays.equals(bytes, 0, PREFIX_BYTES, prefix(count), 0, PREFIX_BYTES)) {
      return Optional.empty();
    }
    HashesSection hashes = new HashesSection(bytes, count);
    return hashes.root().equals(manifest.root()) ? Optional.of(hashes) : Optional.empty();
  }

  /** Returns the bytes of the section. */
  public byte[] toBytes() {
    return section.clone();
  }

  /** Returns the root of the object, which its manifest states. */
  public Sha256 root() {
    return new HashTree().object(this);
  }

  @Override
  public Sha256 get(int generation) {
    Objects.checkIndex(generation, count);
    return Sha256.read(ByteBuffer.wrap(section, (int) sectionBytes(generation), Sha256.BYTES));
  }

  @Override
  public int size() {
    return count;
  }
}

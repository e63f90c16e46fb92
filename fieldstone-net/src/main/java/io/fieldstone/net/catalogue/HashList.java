package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.Sha256;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Hashes in 32 bytes each. Different elements may be set by different threads; reading needs their
 * end.
 */
public final class HashList extends AbstractList<Sha256> implements RandomAccess {

  private final byte[] bytes;

  /** Creates a list of zeros. */
  public HashList(int size) {
    bytes = new byte[Math.multiplyExact(size, Sha256.BYTES)];
  }

  @Override
  public Sha256 get(int index) {
    return Sha256.read(at(index));
  }

  /** Sets a hash and returns it. */
  @Override
  public Sha256 set(int index, Sha256 hash) {
    hash.writeTo(at(index));
    return hash;
  }

  @Override
  public int size() {
    return bytes.length / Sha256.BYTES;
  }

  /** Writes all hashes. */
  void writeTo(DataOutputStream out) throws IOException {
    out.write(bytes);
  }

  /** Reads all hashes. */
  void readFrom(DataInputStream in) throws IOException {
    in.readFully(bytes);
  }

  private ByteBuffer at(int index) {
    Objects.checkIndex(index, size());
    return ByteBuffer.wrap(bytes, index * Sha256.BYTES, Sha256.BYTES);
  }
}

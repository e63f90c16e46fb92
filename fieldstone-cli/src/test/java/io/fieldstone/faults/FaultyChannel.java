package io.fieldstone.faults;

import io.fieldstone.faults.Faults.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A file that is open through a {@link FaultyProvider}. */
final class FaultyChannel extends FileChannel {

  private final Faults faults;
  private final Path file;
  private final FileChannel real;

  FaultyChannel(Faults faults, Path file, FileChannel real) {
    this.faults = faults;
    this.file = file;
    this.real = real;
  }

  private boolean before(Kind kind) throws IOException {
    return faults.before(kind, file, null);
  }

  /** The number of bytes that an omitted write returns. */
  private static int skip(ByteBuffer source) {
    int bytes = source.remaining();
    source.position(source.limit());
    return bytes;
  }

  @Override
  public int read(ByteBuffer destination) throws IOException {
    faults.beforeRead(file);
    return real.read(destination);
  }

  @Override
  public long read(ByteBuffer[] destinations, int offset, int length) throws IOException {
    faults.beforeRead(file);
    return real.read(destinations, offset, length);
  }

  @Override
  public int read(ByteBuffer destination, long position) throws IOException {
    faults.beforeRead(file, position, destination.remaining());
    return real.read(destination, position);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return before(Kind.WRITE) ? real.write(source) : skip(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    if (before(Kind.WRITE)) {
      return real.write(sources, offset, length);
    }
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += skip(sources[i]);
    }
    return bytes;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return before(Kind.WRITE) ? real.write(source, position) : skip(source);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (before(Kind.WRITE)) {
      real.truncate(size);
    }
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    if (before(Kind.FORCE)) {
      real.force(metaData);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return real.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return before(Kind.WRITE) ? real.transferFrom(source, position, count) : count;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return real.map(mode, position, size);
  }

  @Override
  public MemorySegment map(MapMode mode, long position, long size, Arena arena) throws IOException {
    return real.map(mode, position, size, arena);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return real.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return real.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
  }
}

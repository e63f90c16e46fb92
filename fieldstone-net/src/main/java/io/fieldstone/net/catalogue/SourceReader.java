package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Reads generations of a file as an object codes them: encrypted if the object is, and padded with
 * zeros. For one thread.
 */
public final class SourceReader {

  private final GenerationContent content;

  /** The bytes of the file in a generation, if they are encrypted. */
  private final MemorySegment plaintext;

  /**
   * Creates a reader.
   *
   * @param memory allocates at most n·k bytes
   */
  public SourceReader(GenerationContent content, SegmentAllocator memory) {
    this.content = content;
    this.plaintext =
        content.isEncrypted()
            ? memory.allocate(content.manifest().shape().bytes())
            : MemorySegment.NULL;
  }

  /**
   * Reads a generation.
   *
   * @param source n·k bytes with the n of this generation, all of which are written
   * @return the bytes of the file in it, before encryption; valid until the next call
   * @throws java.io.EOFException if the file is too short
   */
  public MemorySegment read(OpenFile file, int generation, MemorySegment source)
      throws IOException {
    long count = content.bytesOf(generation);
    MemorySegment bytes = (content.isEncrypted() ? plaintext : source).asSlice(0, count);
    file.readFully(bytes, content.positionOf(generation));
    if (content.isEncrypted()) {
      content.encrypt(generation, bytes, source);
    } else {
      source.asSlice(count).fill((byte) 0);
    }
    return bytes;
  }
}

package io.fieldstone.rlnc.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The optional sections of a shard header of version 2 (docs/format.md, "Optional sections"). This
 * version knows none: it skips those that it may skip, and refuses the others. Immutable.
 */
final class HeaderSections {

  static final HeaderSections NONE = new HeaderSections(new byte[0]);

  /** Set in the type of a section without which the shard cannot be read. */
  private static final int REQUIRED = 1 << 15;

  private static final int PREFIX_BYTES = 4;

  private final byte[] bytes;

  private HeaderSections(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Parses sections.
   *
   * @param at the offset of the first section in the header, for messages
   * @throws MalformedDataException if they are not in ascending order of type, do not fit, or one
   *     must be understood
   */
  static HeaderSections parse(byte[] bytes, int at) throws MalformedDataException {
    ByteBuffer sections = ByteBuffer.wrap(bytes);
    int previous = -1;
    while (sections.hasRemaining()) {
      int here = at + sections.position();
      if (sections.remaining() < PREFIX_BYTES) {
        throw new MalformedDataException(here, "a section without a length");
      }
      int type = Short.toUnsignedInt(sections.getShort());
      int length = Short.toUnsignedInt(sections.getShort());
      if (type <= previous) {
        throw new MalformedDataException(
            here, "section %d follows section %d".formatted(type, previous));
      }
      if (length > sections.remaining()) {
        throw new MalformedDataException(
            here, "a section of %d bytes, of which %d".formatted(length, sections.remaining()));
      }
      if ((type & REQUIRED) != 0) {
        throw new MalformedDataException(
            here, "section 0x%04x needs a later version".formatted(type));
      }
      sections.position(sections.position() + length);
      previous = type;
    }
    return bytes.length == 0 ? NONE : new HeaderSections(bytes.clone());
  }

  int byteSize() {
    return bytes.length;
  }

  void writeTo(ByteBuffer header) {
    header.put(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HeaderSections that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes of sections";
  }
}

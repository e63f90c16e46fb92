package io.fieldstone.rlnc.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The optional sections of a shard header (docs/format.md, "Optional sections"). This version knows
 * the publisher record. It skips other sections that it may skip, and refuses the rest. Immutable.
 */
final class HeaderSections {

  static final HeaderSections NONE = new HeaderSections(new byte[0]);

  /** The type of a publisher record. */
  private static final int PUBLISHER_RECORD = 1;

  /** Set in the type of a section without which the shard cannot be read. */
  private static final int REQUIRED = 1 << 15;

  /** The bytes of the type and the length of a section. */
  static final int PREFIX_BYTES = 4;

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
            here, "a section of %d bytes, but %d remain".formatted(length, sections.remaining()));
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

  /** Returns a publisher record as the only section. */
  static HeaderSections ofPublisherRecord(byte[] record) {
    return new HeaderSections(
        ByteBuffer.allocate(PREFIX_BYTES + record.length)
            .putShort((short) PUBLISHER_RECORD)
            .putShort((short) record.length)
            .put(record)
            .array());
  }

  /**
   * Returns the offset of the content of the publisher record, after its length, in these bytes.
   */
  OptionalInt publisherRecordAt() {
    ByteBuffer sections = ByteBuffer.wrap(bytes);
    while (sections.hasRemaining()) {
      int type = Short.toUnsignedInt(sections.getShort());
      int length = Short.toUnsignedInt(sections.getShort());
      if (type == PUBLISHER_RECORD) {
        return OptionalInt.of(sections.position());
      }
      sections.position(sections.position() + length);
    }
    return OptionalInt.empty();
  }

  /** Returns the content of the section at an offset of {@link #publisherRecordAt}. */
  byte[] content(int at) {
    int length = Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(at - Short.BYTES));
    return Arrays.copyOfRange(bytes, at, at + length);
  }

  /** Returns the sections that this version knows. */
  HeaderSections known() {
    OptionalInt at = publisherRecordAt();
    return at.isPresent() ? ofPublisherRecord(content(at.getAsInt())) : NONE;
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

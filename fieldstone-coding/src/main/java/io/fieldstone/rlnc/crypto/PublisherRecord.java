package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * The signed statement of a publisher that a name stands for an object (docs/format.md, "Publisher
 * record"). It is detached from the object: it does not change the id, and several publishers may
 * name one object. A record that was parsed is not yet verified: call {@link #isValid}.
 *
 * <p>A record may have a time, in whole seconds. Of two records of one publisher and name, the one
 * with the later time is newer. One without a time is older than all that have one.
 *
 * <p>Immutable and thread-safe.
 */
public final class PublisherRecord {

  /** The maximum bytes of a record. */
  public static final int MAX_BYTES = 146 + Names.MAX_PATH_BYTES;

  /** The bytes of a signature. */
  public static final int SIGNATURE_BYTES = PublisherKey.SIGNATURE_BYTES;

  /** Orders the records of one publisher and name, the oldest first. */
  public static final Comparator<PublisherRecord> BY_TIME =
      Comparator.comparingLong(PublisherRecord::seconds);

  /** The value of {@link #seconds} of a record without a time. */
  public static final long NO_TIME = 0;

  /** The latest time, in seconds since 1970: the end of the year 9999. */
  public static final long MAX_SECONDS = 253_402_300_799L;

  /**
   * Separate these signatures from those of any other protocol with the same key, and records with
   * a time from those without one.
   */
  private static final byte[] MAGIC = "FSTPUB\0\2".getBytes(StandardCharsets.ISO_8859_1);

  private static final byte[] TIMED_MAGIC = "FSTPUB\0\3".getBytes(StandardCharsets.ISO_8859_1);

  private static final int KEY_AT = 8;
  private static final int SIGNATURE_AT = KEY_AT + PublisherKey.BYTES;

  /** Where the id is without a time, which is 8 bytes before the id. */
  private static final int ID_AT = SIGNATURE_AT + PublisherKey.SIGNATURE_BYTES;

  private static final int NAME_LENGTH_AT = ID_AT + Sha256.BYTES;
  private static final int NAME_AT = NAME_LENGTH_AT + Short.BYTES;

  private final String name;
  private final Sha256 id;
  private final PublisherKey publisher;
  private final long seconds;
  private final byte[] signature;

  private PublisherRecord(
      String name, Sha256 id, PublisherKey publisher, long seconds, byte[] signature) {
    this.name = name;
    this.id = id;
    this.publisher = publisher;
    this.seconds = seconds;
    this.signature = signature;
  }

  /**
   * Signs the statement that a name stands for an object, without a time. The same key, name and id
   * give the same record.
   *
   * @param name that of a file, or several with {@code /} between them ({@link Names#pathUtf8})
   * @param id the identity of the object
   * @throws IllegalArgumentException if the name has another form (docs/format.md)
   */
  public static PublisherRecord sign(SigningKey key, String name, Sha256 id) {
    return sign(key, name, id, NO_TIME);
  }

  /**
   * Signs the statement that a name stands for an object as of a time. The same arguments give the
   * same record.
   *
   * @param name that of a file, or several with {@code /} between them ({@link Names#pathUtf8})
   * @param id the identity of the object
   * @param seconds the time in seconds since 1970, at most {@link #MAX_SECONDS}; or {@link
   *     #NO_TIME}
   * @throws IllegalArgumentException if the name has another form, or the time is out of range
   */
  public static PublisherRecord sign(SigningKey key, String name, Sha256 id, long seconds) {
    byte[] signature = key.sign(message(key.publisher(), name, id, requireTime(seconds)));
    return new PublisherRecord(name, id, key.publisher(), seconds, signature);
  }

  private static long requireTime(long seconds) {
    if (seconds < NO_TIME || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "a time of %d s since 1970 is not in 1…%d".formatted(seconds, MAX_SECONDS));
    }
    return seconds;
  }

  /**
   * Returns a record of its parts, which is not verified.
   *
   * @param name that of a file, or several with {@code /} between them ({@link Names#pathUtf8})
   * @param seconds the time in seconds since 1970, or {@link #NO_TIME}
   * @param signature {@value #SIGNATURE_BYTES} bytes
   * @throws IllegalArgumentException if the name, the time or the length of the signature is wrong
   */
  public static PublisherRecord of(
      String name, Sha256 id, PublisherKey publisher, long seconds, byte[] signature) {
    byte[] _ = Names.pathUtf8(name);
    long _ = requireTime(seconds);
    if (signature.length != SIGNATURE_BYTES) {
      throw new IllegalArgumentException(
          "a signature of %d bytes, not %d".formatted(signature.length, SIGNATURE_BYTES));
    }
    return new PublisherRecord(name, id, publisher, seconds, signature.clone());
  }

  /** Returns the bytes of a record of a name, without a time. */
  public static int byteSize(String name) {
    return NAME_AT + Names.pathUtf8(name).length;
  }

  /** Returns true if the publisher has signed this name, this id and this time. */
  public boolean isValid() {
    return publisher.verifies(message(publisher, name, id, seconds), signature);
  }

  /** Returns the time in seconds since 1970; {@link #NO_TIME} if the record has none. */
  public long seconds() {
    return seconds;
  }

  /** Returns the time as text, such as {@code 2026-11-26T20:00:00Z}; or {@code no time}. */
  public String timeText() {
    return seconds == NO_TIME ? "no time" : Instant.ofEpochSecond(seconds).toString();
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the identity of the object. */
  public Sha256 id() {
    return id;
  }

  /** Returns the public key, with which the record states to be signed. */
  public PublisherKey publisher() {
    return publisher;
  }

  /** Returns a copy of the signature, {@value #SIGNATURE_BYTES} bytes. */
  public byte[] signature() {
    return signature.clone();
  }

  /** Returns the message that is signed: the record without the signature. */
  private static byte[] message(PublisherKey publisher, String name, Sha256 id, long seconds) {
    byte[] utf8 = Names.pathUtf8(name);
    boolean isTimed = seconds != NO_TIME;
    ByteBuffer message =
        ByteBuffer.allocate(
                NAME_AT - PublisherKey.SIGNATURE_BYTES + timeBytes(isTimed) + utf8.length)
            .put(isTimed ? TIMED_MAGIC : MAGIC)
            .put(publisher.bytes());
    if (isTimed) {
      message.putLong(seconds);
    }
    id.writeTo(message);
    return message.putShort((short) utf8.length).put(utf8).array();
  }

  private static int timeBytes(boolean isTimed) {
    return isTimed ? Long.BYTES : 0;
  }

  /** Returns the bytes of the format, of which each record has exactly one form. */
  public byte[] toBytes() {
    byte[] message = message(publisher, name, id, seconds);
    return ByteBuffer.allocate(message.length + signature.length)
        .put(message, 0, SIGNATURE_AT)
        .put(signature)
        .put(message, SIGNATURE_AT, message.length - SIGNATURE_AT)
        .array();
  }

  /**
   * Parses a record without verifying the signature.
   *
   * @param bytes exactly one record
   * @throws MalformedDataException if the bytes are not valid
   */
  public static PublisherRecord parse(byte[] bytes) throws MalformedDataException {
    if (bytes.length <= NAME_AT || bytes.length > MAX_BYTES) {
      throw new MalformedDataException(
          0,
          "a publisher record of %d bytes, not %d…%d"
              .formatted(bytes.length, NAME_AT + 1, MAX_BYTES));
    }
    byte[] magic = Arrays.copyOf(bytes, MAGIC.length);
    boolean isTimed = Arrays.equals(TIMED_MAGIC, magic);
    int mismatch = isTimed ? -1 : Arrays.mismatch(MAGIC, magic);
    if (mismatch >= 0) {
      throw new MalformedDataException(mismatch, "not a publisher record of version 2 or 3");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int shift = timeBytes(isTimed);
    int nameAt = NAME_AT + shift;
    int left = bytes.length - nameAt;
    if (left < 1) {
      throw new MalformedDataException(0, "a publisher record of %d bytes".formatted(bytes.length));
    }
    int nameLength = Short.toUnsignedInt(buffer.getShort(NAME_LENGTH_AT + shift));
    if (nameLength != left) {
      throw new MalformedDataException(
          NAME_LENGTH_AT + shift, "a name of %d bytes, but %d remain".formatted(nameLength, left));
    }
    long seconds = isTimed ? buffer.getLong(ID_AT) : NO_TIME;
    if (isTimed && (seconds <= NO_TIME || seconds > MAX_SECONDS)) {
      throw new MalformedDataException(ID_AT, "a time of %d s since 1970".formatted(seconds));
    }
    try {
      String name =
          StandardCharsets.UTF_8.newDecoder().decode(buffer.slice(nameAt, nameLength)).toString();
      byte[] _ = Names.pathUtf8(name);
      return new PublisherRecord(
          name,
          Sha256.read(buffer.slice(ID_AT + shift, Sha256.BYTES)),
          PublisherKey.of(Arrays.copyOfRange(bytes, KEY_AT, SIGNATURE_AT)),
          seconds,
          Arrays.copyOfRange(bytes, SIGNATURE_AT, ID_AT));
    } catch (CharacterCodingException e) {
      throw new MalformedDataException(nameAt, "the name is not UTF-8");
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(nameAt, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the record in the header of a shard after verifying it.
   *
   * @return empty if the header has no record
   * @throws MalformedDataException if the record is malformed, has another name or id than the
   *     header, or a wrong signature; the offset is that in the shard
   */
  public static Optional<PublisherRecord> verified(ShardHeader header)
      throws MalformedDataException {
    Optional<byte[]> bytes = header.publisherRecord();
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      PublisherRecord record = parse(bytes.get());
      record.requireValid(header.descriptor());
      return Optional.of(record);
    } catch (MalformedDataException e) {
      throw new MalformedDataException(
          header.publisherRecordAt().orElseThrow() + e.offset(), e.problem());
    }
  }

  private void requireValid(CodedObject object) throws MalformedDataException {
    if (!id.equals(object.manifest().id())) {
      throw new MalformedDataException(
          ID_AT, "the publisher record is of object %s, not %s".formatted(id, object.idText()));
    }
    if (!name.equals(object.name())) {
      throw new MalformedDataException(
          NAME_AT, "the publisher record is of '%s', not '%s'".formatted(name, object.name()));
    }
    if (!isValid()) {
      throw new MalformedDataException(
          SIGNATURE_AT, "the signature of the publisher record is wrong");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PublisherRecord that
        && name.equals(that.name)
        && id.equals(that.id)
        && publisher.equals(that.publisher)
        && seconds == that.seconds
        && Arrays.equals(signature, that.signature);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, id, publisher, seconds, Arrays.hashCode(signature));
  }

  @Override
  public String toString() {
    return "'%s' is %s, signed by %s, %s".formatted(name, id, publisher, timeText());
  }
}

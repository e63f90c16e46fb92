package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes and parses control messages (docs/network.md, "Protocol"). Each message has exactly one
 * form. Thread-safe.
 */
public final class MessageCodec {

  private static final int HELLO = 1;
  private static final int LIST = 2;
  private static final int CATALOGUE = 3;
  private static final int FIND = 4;
  private static final int FOUND = 5;
  private static final int OPEN = 6;
  private static final int OPENED = 7;
  private static final int REFUSED = 8;
  private static final int HASHES_REQUEST = 9;
  private static final int HASHES = 10;
  private static final int LEAVES_REQUEST = 11;
  private static final int LEAVES = 12;
  private static final int PACING = 13;
  private static final int CLOSE = 14;
  private static final int ENDED = 15;
  private static final int POLLUTED = 16;

  /** The bytes that most messages fit, such as the leaves of a generation. */
  private static final int USUAL_BYTES = 1 << 12;

  private static final int FIRST_PAGE = 1;
  private static final int LAST_PAGE = 2;

  /** The bytes of a publisher record in an entry, whose name and id it shares. */
  private static final int RECORD_BYTES =
      PublisherKey.BYTES + Long.BYTES + PublisherRecord.SIGNATURE_BYTES;

  /** What a decoder puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  /** The bytes of an entry beside its name and its records. */
  private static final int MIN_ENTRY_BYTES = Sha256.BYTES + Long.BYTES + 1 + 2 + 1;

  private static final int MAX_ALIAS = Packet.MAX_ALIASES - 1;

  private MessageCodec() {}

  /**
   * Writes a message.
   *
   * @throws IllegalArgumentException if a value exceeds its bound, or the message 64 KiB
   */
  public static MemorySegment write(Message message) {
    try {
      return write(message, USUAL_BYTES);
    } catch (BufferOverflowException _) {
      try {
        return write(message, Connection.MAX_CONTROL_BYTES);
      } catch (BufferOverflowException e) {
        throw new IllegalArgumentException(
            "a message of more than " + Connection.MAX_CONTROL_BYTES + " bytes", e);
      }
    }
  }

  private static MemorySegment write(Message message, int maxBytes) {
    byte[] bytes = new byte[maxBytes];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    write(message, out);
    return MemorySegment.ofArray(bytes).asSlice(0, out.position());
  }

  private static void write(Message message, ByteBuffer out) {
    switch (message) {
      case Message.Hello hello -> {
        out.put((byte) HELLO).putShort((short) hello.version()).put((byte) hello.role().code());
        putText(out, hello.token(), Message.MAX_TOKEN_BYTES);
      }
      case Message.ListRequest _ -> out.put((byte) LIST);
      case Message.CataloguePage page -> {
        int flags = (page.isFirst() ? FIRST_PAGE : 0) | (page.isLast() ? LAST_PAGE : 0);
        out.put((byte) CATALOGUE).put((byte) flags);
        putEntries(out, page.entries());
      }
      case Message.Find find -> {
        out.put((byte) FIND);
        putText(out, find.query(), Message.MAX_QUERY_BYTES);
      }
      case Message.Found found -> {
        out.put((byte) FOUND);
        putEntries(out, found.entries());
      }
      case Message.Open open -> {
        out.put((byte) OPEN);
        open.id().writeTo(out);
      }
      case Message.Opened opened -> putOpened(out, opened);
      case Message.Refused refused -> {
        out.put((byte) REFUSED);
        refused.id().writeTo(out);
        out.put((byte) refused.code().code());
        putText(out, refused.text(), Message.MAX_TEXT_BYTES);
      }
      case Message.HashesRequest request -> {
        putAlias(out.put((byte) HASHES_REQUEST), request.alias());
        out.putInt(request.first()).putInt(request.count());
      }
      case Message.Hashes hashes -> {
        putAlias(out.put((byte) HASHES), hashes.alias());
        putHashes(out.putInt(hashes.first()), hashes.hashes());
      }
      case Message.LeavesRequest request ->
          putAlias(out.put((byte) LEAVES_REQUEST), request.alias()).putInt(request.generation());
      case Message.Leaves leaves -> {
        putAlias(out.put((byte) LEAVES), leaves.alias()).putInt(leaves.generation());
        putHashes(out.putInt(leaves.first()), leaves.leaves());
      }
      case Message.Pacing pacing ->
          out.put((byte) PACING)
              .putLong(pacing.bytesPerSecond())
              .put((byte) (pacing.isCubic() ? 1 : 0));
      case Message.Polluted polluted ->
          putAlias(out.put((byte) POLLUTED), polluted.alias()).putInt(polluted.generation());
      case Message.Close close -> putAlias(out.put((byte) CLOSE), close.alias());
      case Message.Ended ended -> {
        putAlias(out.put((byte) ENDED), ended.alias()).put((byte) ended.code().code());
        putText(out, ended.text(), Message.MAX_TEXT_BYTES);
      }
    }
  }

  private static void putOpened(ByteBuffer out, Message.Opened opened) {
    putAlias(out.put((byte) OPENED), opened.alias());
    byte[] manifest = opened.manifest().toBytes();
    out.put((byte) manifest.length).put(manifest).putLong(opened.seed());
  }

  private static ByteBuffer putAlias(ByteBuffer out, int alias) {
    if (alias < 0 || alias > MAX_ALIAS) {
      throw new IllegalArgumentException("alias " + alias + " is not in 0…" + MAX_ALIAS);
    }
    return out.putShort((short) alias);
  }

  private static void putEntries(ByteBuffer out, List<CatalogueEntry> entries) {
    out.putShort((short) requireAtMost("entries", entries, 0xFFFF));
    for (CatalogueEntry entry : entries) {
      entry.id().writeTo(out);
      out.putLong(entry.length()).put((byte) entry.hops());
      putText(out, entry.name(), Names.MAX_PATH_BYTES);
      out.put((byte) entry.records().size());
      for (PublisherRecord each : entry.records()) {
        out.put(each.publisher().bytes()).putLong(each.seconds()).put(each.signature());
      }
    }
  }

  /** Returns the bytes of an entry in a message. */
  public static int bytesOf(CatalogueEntry entry) {
    int nameBytes = entry.name().getBytes(StandardCharsets.UTF_8).length;
    return MIN_ENTRY_BYTES + nameBytes + RECORD_BYTES * entry.records().size();
  }

  private static void putHashes(ByteBuffer out, List<Sha256> hashes) {
    out.putShort((short) requireAtMost("hashes", hashes, Message.MAX_HASHES));
    hashes.forEach(hash -> hash.writeTo(out));
  }

  private static int requireAtMost(String name, List<?> list, int max) {
    if (list.size() > max) {
      throw new IllegalArgumentException(
          "%d %s; the maximum is %d".formatted(list.size(), name, max));
    }
    return list.size();
  }

  private static void putText(ByteBuffer out, String text, int maxBytes) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > maxBytes) {
      throw new IllegalArgumentException(
          "a text of %d bytes; the maximum is %d".formatted(bytes.length, maxBytes));
    }
    out.putShort((short) bytes.length).put(bytes);
  }

  /**
   * Parses a message.
   *
   * @param message exactly one message
   * @throws MalformedMessageException if the type is unknown, a value is out of range, or the
   *     message is too short or too long
   */
  public static Message parse(MemorySegment message) throws MalformedMessageException {
    ByteBuffer in = message.asByteBuffer();
    if (!in.hasRemaining()) {
      throw new MalformedMessageException("an empty control message");
    }
    int type = in.get() & 0xFF;
    try {
      Message parsed = parse(type, in);
      if (in.hasRemaining()) {
        throw new MalformedMessageException(
            "%d bytes after a control message of type %d".formatted(in.remaining(), type));
      }
      return parsed;
    } catch (BufferUnderflowException e) {
      throw new MalformedMessageException(
          "a control message of type %d ends early, after %d bytes"
              .formatted(type, message.byteSize()));
    }
  }

  private static Message parse(int type, ByteBuffer in) throws MalformedMessageException {
    return switch (type) {
      case HELLO ->
          new Message.Hello(
              in.getShort() & 0xFFFF,
              constant("role", PeerRole.values(), in),
              text(in, Message.MAX_TOKEN_BYTES));
      case LIST -> new Message.ListRequest();
      case CATALOGUE -> page(in);
      case FIND -> new Message.Find(text(in, Message.MAX_QUERY_BYTES));
      case FOUND -> new Message.Found(entries(in));
      case OPEN -> new Message.Open(Sha256.read(in));
      case OPENED -> opened(in);
      case REFUSED ->
          new Message.Refused(
              Sha256.read(in),
              constant("reason", Message.RefusalCode.values(), in),
              text(in, Message.MAX_TEXT_BYTES));
      case HASHES_REQUEST ->
          new Message.HashesRequest(
              alias(in), natural("first generation", in.getInt()), positive("count", in.getInt()));
      case HASHES ->
          new Message.Hashes(alias(in), natural("first generation", in.getInt()), hashes(in));
      case LEAVES_REQUEST ->
          new Message.LeavesRequest(alias(in), natural("generation", in.getInt()));
      case LEAVES ->
          new Message.Leaves(
              alias(in),
              natural("generation", in.getInt()),
              natural("first position", in.getInt()),
              hashes(in));
      case PACING -> pacing(in);
      case POLLUTED -> new Message.Polluted(alias(in), natural("generation", in.getInt()));
      case CLOSE -> new Message.Close(alias(in));
      case ENDED ->
          new Message.Ended(
              alias(in),
              constant("reason", Message.RefusalCode.values(), in),
              text(in, Message.MAX_TEXT_BYTES));
      default -> throw new MalformedMessageException("unknown type of control message " + type);
    };
  }

  private static Message page(ByteBuffer in) throws MalformedMessageException {
    int flags = in.get();
    if ((flags & ~(FIRST_PAGE | LAST_PAGE)) != 0) {
      throw new MalformedMessageException("unknown flags 0x%02x".formatted(flags & 0xFF));
    }
    return new Message.CataloguePage(
        (flags & FIRST_PAGE) != 0, (flags & LAST_PAGE) != 0, entries(in));
  }

  private static Message opened(ByteBuffer in) throws MalformedMessageException {
    int alias = alias(in);
    byte[] manifest = bytes(in, in.get() & 0xFF);
    ObjectManifest parsed;
    try {
      parsed = ObjectManifest.parse(manifest);
    } catch (MalformedDataException e) {
      throw new MalformedMessageException("manifest: " + e.getMessage());
    }
    long seed = in.getLong();
    return new Message.Opened(alias, parsed, seed);
  }

  private static Message pacing(ByteBuffer in) throws MalformedMessageException {
    long bytesPerSecond = in.getLong();
    if (bytesPerSecond < 1) {
      throw new MalformedMessageException("rate " + bytesPerSecond + " is less than 1");
    }
    return new Message.Pacing(bytesPerSecond, isTrue("controller", in));
  }

  private static boolean isTrue(String name, ByteBuffer in) throws MalformedMessageException {
    int value = in.get();
    if (value != 0 && value != 1) {
      throw new MalformedMessageException(name + " " + value + " is neither 0 nor 1");
    }
    return value == 1;
  }

  private static int alias(ByteBuffer in) throws MalformedMessageException {
    return requireInRange("alias", in.getShort() & 0xFFFF, MAX_ALIAS);
  }

  private static <E> E constant(String name, E[] values, ByteBuffer in)
      throws MalformedMessageException {
    return values[requireInRange(name, in.get() & 0xFF, values.length - 1)];
  }

  private static List<CatalogueEntry> entries(ByteBuffer in) throws MalformedMessageException {
    int count = in.getShort() & 0xFFFF;
    List<CatalogueEntry> entries =
        new ArrayList<>(Math.min(count, in.remaining() / MIN_ENTRY_BYTES + 1));
    for (int i = 0; i < count; i++) {
      Sha256 id = Sha256.read(in);
      long length = in.getLong();
      int hops = in.get() & 0xFF;
      String name = text(in, Names.MAX_PATH_BYTES);
      try {
        entries.add(new CatalogueEntry(name, length, id, hops, records(in, name, id)));
      } catch (IllegalArgumentException e) {
        throw new MalformedMessageException("entry: " + e.getMessage());
      }
    }
    return List.copyOf(entries);
  }

  /** Parses the records of an entry, of which the message has keys, times and signatures. */
  private static List<PublisherRecord> records(ByteBuffer in, String name, Sha256 id)
      throws MalformedMessageException {
    int count = requireInRange("number of records", in.get() & 0xFF, CatalogueEntry.MAX_RECORDS);
    if (count == 0) {
      return List.of();
    }
    List<PublisherRecord> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      PublisherKey publisher = PublisherKey.of(bytes(in, PublisherKey.BYTES));
      records.add(
          PublisherRecord.of(
              name, id, publisher, in.getLong(), bytes(in, PublisherRecord.SIGNATURE_BYTES)));
    }
    return records;
  }

  private static List<Sha256> hashes(ByteBuffer in) throws MalformedMessageException {
    int count = requireInRange("number of hashes", in.getShort() & 0xFFFF, Message.MAX_HASHES);
    List<Sha256> hashes = new ArrayList<>(Math.min(count, in.remaining() / Sha256.BYTES + 1));
    for (int i = 0; i < count; i++) {
      hashes.add(Sha256.read(in));
    }
    return List.copyOf(hashes);
  }

  private static String text(ByteBuffer in, int maxBytes) throws MalformedMessageException {
    int length = requireInRange("text length", in.getShort() & 0xFFFF, maxBytes);
    byte[] utf8 = bytes(in, length);
    String text = new String(utf8, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    try { // The text has this character, or bytes that it replaces.
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("a text that is not UTF-8");
    }
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (in.remaining() < length) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int natural(String name, int value) throws MalformedMessageException {
    return requireAtLeast(name, value, 0);
  }

  private static int positive(String name, int value) throws MalformedMessageException {
    return requireAtLeast(name, value, 1);
  }

  private static int requireAtLeast(String name, int value, int min)
      throws MalformedMessageException {
    if (value < min) {
      throw new MalformedMessageException("%s %d is less than %d".formatted(name, value, min));
    }
    return value;
  }

  private static int requireInRange(String name, int value, int max)
      throws MalformedMessageException {
    if (value > max) {
      throw new MalformedMessageException("%s %d is not in 0…%d".formatted(name, value, max));
    }
    return value;
  }
}

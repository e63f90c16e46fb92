package io.fieldstone.net.session;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.wire.Names;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/**
 * A control message (docs/network.md, "Protocol"). A <i>sender</i> is a server or a relay, a
 * <i>receiver</i> fetches. An <i>alias</i> is the number that the sender gives to an open object of
 * this connection.
 */
public sealed interface Message {

  /** The version of the protocol. */
  int VERSION = 2;

  /** The maximum bytes of a token in UTF-8. */
  int MAX_TOKEN_BYTES = 255;

  /** The maximum bytes of a text for an operator in UTF-8. */
  int MAX_TEXT_BYTES = 1000;

  /** The maximum bytes of a name or id that is looked up, in UTF-8. */
  int MAX_QUERY_BYTES = Names.MAX_PATH_BYTES;

  /** The maximum number of hashes in one message. */
  int MAX_HASHES = 1900;

  /** The maximum number of hashes that follow the answer to {@link Find}, without a request. */
  int FIRST_HASHES = 512;

  /**
   * The first message of each side. The sender answers that of the receiver.
   *
   * @param version the version of the protocol
   * @param role what this peer does
   * @param token what authorizes the receiver; empty from senders and if there is none
   */
  record Hello(int version, PeerRole role, String token) implements Message {}

  /** From the receiver: asks for the catalogue, now and after each change. */
  record ListRequest() implements Message {}

  /**
   * From the sender: a part of the catalogue.
   *
   * @param isFirst true if earlier entries are void
   * @param isLast true if the catalogue is complete
   * @param entries the entries of this part
   */
  record CataloguePage(boolean isFirst, boolean isLast, List<CatalogueEntry> entries)
      implements Message {}

  /**
   * From the receiver: looks up a name, or the digits that an id begins with. If all entries of the
   * answer have one id, the sender opens that object, too: {@link Opened} and the first {@link
   * #FIRST_HASHES} {@link Hashes} follow, or {@link Refused}. That saves two round trips.
   *
   * @param query the name or at least 8 hexadecimal digits
   */
  record Find(String query) implements Message {}

  /**
   * From the sender: the answer to {@link Find}; answers come in the order of the questions.
   *
   * @param entries the entries, none if the query is unknown
   */
  record Found(List<CatalogueEntry> entries) implements Message {}

  /** From the receiver: opens an object. */
  record Open(Sha256 id) implements Message {}

  /**
   * From the sender: an object is open, and packets of it may follow.
   *
   * @param alias the number of the object on this connection
   * @param manifest the description of the object, whose hash is the id
   * @param seed the seed of this sender's coded blocks
   */
  record Opened(int alias, ObjectManifest manifest, long seed) implements Message {}

  /**
   * From the sender: the object cannot be opened.
   *
   * @param id the object
   * @param code the reason
   * @param text the reason for an operator
   */
  record Refused(Sha256 id, RefusalCode code, String text) implements Message {}

  /** From the receiver: asks for the hashes of generations. */
  record HashesRequest(int alias, int first, int count) implements Message {}

  /** From the sender: hashes of consecutive generations. */
  record Hashes(int alias, int first, List<Sha256> hashes) implements Message {}

  /** From the receiver: asks for the hashes of the source blocks of a generation. */
  record LeavesRequest(int alias, int generation) implements Message {}

  /**
   * From the sender: hashes of consecutive source blocks of a generation.
   *
   * @param alias the object
   * @param generation the generation
   * @param first the position of the first block
   * @param leaves the hashes
   */
  record Leaves(int alias, int generation, int first, List<Sha256> leaves) implements Message {}

  /**
   * From the receiver: limits how the sender sends on this connection. The sender keeps its own
   * limits too, and uses CUBIC if either side asks for it.
   *
   * @param bytesPerSecond the maximum rate; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
   */
  record Pacing(long bytesPerSecond, boolean isCubic) implements Message {}

  /**
   * From the receiver to a relay that recodes unverified blocks: a generation with blocks of this
   * relay has a wrong hash, so the relay should identify the sender of wrong blocks. Peers of other
   * roles ignore it.
   */
  record Polluted(int alias, int generation) implements Message {}

  /** From the receiver: it needs no more packets of an object. The alias is free after this. */
  record Close(int alias) implements Message {}

  /**
   * From the sender: it can send no more packets of an object.
   *
   * @param alias the object; free after this
   * @param code the reason
   * @param text the reason for an operator
   */
  record Ended(int alias, RefusalCode code, String text) implements Message {}

  /** Why a sender does not send an object. */
  enum RefusalCode {
    /** It does not have the object. */
    UNKNOWN(0),
    /** The file has changed. */
    CHANGED(1),
    /** The receiver has too many objects open. */
    LIMIT(2),
    /** The file cannot be read. */
    FAILED(3),
    /** Its packets do not fit the path. */
    NARROW_PATH(4);

    private final int code;

    RefusalCode(int code) {
      this.code = code;
    }

    /** Returns the number of the protocol. */
    int code() {
      return code;
    }
  }
}

package io.fieldstone.net.carrier;

/**
 * Why a connection was closed.
 *
 * @param kind what closed it
 * @param code the code of the protocol, or of QUIC if {@code kind} is {@link Kind#FAILED}; 0 for
 *     none
 * @param text one line for an operator
 */
public record CloseReason(Kind kind, long code, String text) {
  /** The most bytes of UTF-8 that a peer receives of the text. */
  public static final int MAX_TEXT_BYTES = 200;

  /** Code: nothing is wrong. */
  public static final long DONE = 0;

  /** Code: the client does not trust the certificate of the server. */
  public static final long UNTRUSTED_CODE = 1;

  /** Code: a control message breaks the framing. */
  public static final long BAD_FRAME = 2;

  /** Code: a handler failed. */
  public static final long INTERNAL = 3;

  /** Code: the client did not open the control stream in time. */
  public static final long NO_STREAM_CODE = 4;

  /** Code: the transport of the sender sends no datagrams any more; another connection may. */
  public static final long NO_DATAGRAMS = 5;

  /** Codes from here on belong to the protocol above the carrier. */
  public static final long MIN_SESSION_CODE = 16;

  /** The cause of the end of a connection. */
  public enum Kind {
    /** This side closed it. */
    CLOSED_HERE,
    /** The peer closed it, with a code and a text. */
    CLOSED_BY_PEER,
    /**
     * Nothing arrived for the idle timeout, or no answer came to the first packets. Or the server
     * did not receive the packet that opens the control stream.
     */
    TIMED_OUT,
    /** The certificate of the server is not trusted. */
    UNTRUSTED,
    /** The peer speaks no common version of the protocol. */
    VERSION_MISMATCH,
    /** The transport failed. */
    FAILED
  }
}

package io.fieldstone.net.trust;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * Writes an X.509 certificate (RFC 5280, section 4.1), version 3, that its own key signs with ECDSA
 * and SHA-256 (RFC 5758, section 3.2). Its only extension says that it may sign itself (RFC 5280,
 * section 4.2.1.9). The encoding is DER (ITU-T X.690).
 */
final class SelfSignedCertificate {

  private static final int SERIAL_BITS = 127;

  /** The first year that is written with four digits (RFC 5280, section 4.1.2.5). */
  private static final int FIRST_LONG_YEAR = 2050;

  private static final DateTimeFormatter SHORT_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LONG_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int UTF8_STRING = 0x0C;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int VERSION = 0xA0;
  private static final int EXTENSIONS = 0xA3;

  private static final byte[] VERSION_3 = {2};
  private static final byte[] TRUE = {(byte) 0xFF};

  /** 1.2.840.10045.4.3.2: ECDSA with SHA-256. */
  private static final byte[] SIGNATURE_ALGORITHM =
      der(SEQUENCE, der(OBJECT_IDENTIFIER, HexFormat.of().parseHex("2a8648ce3d040302")));

  /** 2.5.4.3: the common name. */
  private static final byte[] COMMON_NAME =
      der(OBJECT_IDENTIFIER, HexFormat.of().parseHex("550403"));

  /** 2.5.29.19: the basic constraints; critical; the certificate is of an authority. */
  private static final byte[] BASIC_CONSTRAINTS =
      der(
          SEQUENCE,
          der(OBJECT_IDENTIFIER, HexFormat.of().parseHex("551d13")),
          der(BOOLEAN, TRUE),
          der(OCTET_STRING, der(SEQUENCE, der(BOOLEAN, TRUE))));

  private SelfSignedCertificate() {}

  /**
   * Makes a certificate with a random serial number.
   *
   * @param keys of an elliptic curve
   * @param name the common name of the subject, which is the issuer too
   * @param from the first second at which it is valid
   * @param to the last second at which it is valid
   */
  static X509Certificate of(KeyPair keys, String name, Instant from, Instant to)
      throws GeneralSecurityException {
    byte[] subject =
        der(
            SEQUENCE,
            der(
                SET,
                der(
                    SEQUENCE,
                    COMMON_NAME,
                    der(UTF8_STRING, name.getBytes(StandardCharsets.UTF_8)))));
    BigInteger serial = new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE);
    byte[] signed =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, VERSION_3)),
            der(INTEGER, serial.toByteArray()),
            SIGNATURE_ALGORITHM,
            subject,
            der(SEQUENCE, time(from), time(to)),
            subject,
            keys.getPublic().getEncoded(),
            der(EXTENSIONS, der(SEQUENCE, BASIC_CONSTRAINTS)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(signed);
    byte[] noUnusedBits = {0};
    byte[] certificate =
        der(SEQUENCE, signed, SIGNATURE_ALGORITHM, der(BIT_STRING, noUnusedBits, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  private static byte[] time(Instant time) {
    boolean isLong = time.atZone(ZoneOffset.UTC).getYear() >= FIRST_LONG_YEAR;
    String text = (isLong ? LONG_TIME : SHORT_TIME).format(time);
    return der(isLong ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns a tag, a length and the contents. */
  private static byte[] der(int tag, byte[]... contents) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] content : contents) {
      all.writeBytes(content);
    }
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    encoded.write(tag);
    if (all.size() <= Byte.MAX_VALUE) {
      encoded.write(all.size());
    } else {
      byte[] length = BigInteger.valueOf(all.size()).toByteArray();
      int zeros = length[0] == 0 ? 1 : 0;
      encoded.write(0x80 + length.length - zeros);
      encoded.write(length, zeros, length.length - zeros);
    }
    encoded.writeBytes(all.toByteArray());
    return encoded.toByteArray();
  }
}

package io.fieldstone.net.trust;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/** Makes self-signed X.509 certificates (RFC 5280) of keys of ECDSA, in DER (ITU-T X.690). */
final class SelfSignedCertificate {

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

  /** Explicit tags 0 and 3: the version, and the extensions. */
  private static final int VERSION = 0xA0;

  private static final int EXTENSIONS = 0xA3;

  /** 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758). */
  private static final byte[] ECDSA_WITH_SHA256 = oid("2A8648CE3D040302");

  /** 2.5.4.3, commonName. */
  private static final byte[] COMMON_NAME = oid("550403");

  /** 2.5.29.19, basicConstraints. */
  private static final byte[] BASIC_CONSTRAINTS = oid("551D13");

  private static final byte[] TRUE = der(BOOLEAN, new byte[] {(byte) 0xFF});
  private static final int SERIAL_BYTES = 16;

  /** The first year that UTCTime cannot represent (RFC 5280, Sec. 4.1.2.5). */
  private static final int FIRST_GENERALIZED_YEAR = 2050;

  private SelfSignedCertificate() {}

  /**
   * Makes a certificate of an authority, signed with SHA256withECDSA.
   *
   * @param keys the keys, of which the private one signs
   * @param name the common name of subject and issuer
   * @param from the first second of validity
   * @param to the last second of validity
   */
  static X509Certificate of(KeyPair keys, String name, Instant from, Instant to)
      throws GeneralSecurityException {
    byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
    byte[] text = der(UTF8_STRING, name.getBytes(StandardCharsets.UTF_8));
    byte[] names = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text)));
    byte[] authority = der(OCTET_STRING, der(SEQUENCE, TRUE));
    byte[] body =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, new byte[] {2})), // version 3
            der(INTEGER, serial()),
            algorithm,
            names,
            der(SEQUENCE, time(from), time(to)),
            names,
            keys.getPublic().getEncoded(),
            der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, authority))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(body);
    byte[] unusedBits = {0};
    byte[] certificate =
        der(SEQUENCE, body, algorithm, der(BIT_STRING, unusedBits, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  /** Returns a positive random number; its first byte has no leading zeros. */
  private static byte[] serial() {
    byte[] serial = new byte[SERIAL_BYTES];
    new SecureRandom().nextBytes(serial);
    serial[0] = (byte) (serial[0] & 0x3F | 0x40);
    return serial;
  }

  private static byte[] time(Instant instant) {
    ZonedDateTime utc = instant.atZone(ZoneOffset.UTC);
    boolean isGeneralized = utc.getYear() >= FIRST_GENERALIZED_YEAR;
    String pattern = isGeneralized ? "uuuuMMddHHmmss'Z'" : "uuMMddHHmmss'Z'";
    return der(
        isGeneralized ? GENERALIZED_TIME : UTC_TIME,
        DateTimeFormatter.ofPattern(pattern).format(utc).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] oid(String hex) {
    return der(OBJECT_IDENTIFIER, HexFormat.of().parseHex(hex));
  }

  /** Returns a tag, the length, and the parts in order. */
  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    encoded.write(tag);
    if (length < 0x80) {
      encoded.write(length);
    } else {
      int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / Byte.SIZE;
      encoded.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        encoded.write(length >>> Byte.SIZE * i);
      }
    }
    encoded.writeBytes(content.toByteArray());
    return encoded.toByteArray();
  }
}

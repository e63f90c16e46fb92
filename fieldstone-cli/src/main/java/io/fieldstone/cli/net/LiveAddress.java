package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.net.shelf.ShelfServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Where live packets come from or go to: {@code udp://HOST:PORT}, a file, or {@code -} for a
 * standard stream.
 *
 * @param udp the address of UDP, if it is one
 * @param file the file, or {@code -}
 */
record LiveAddress(Optional<InetSocketAddress> udp, Path file) {

  private static final String UDP = "udp://";

  /** Converts the text of an option. */
  static final class Converter implements ITypeConverter<LiveAddress> {
    @Override
    public LiveAddress convert(String text) {
      if (!text.startsWith(UDP)) {
        int scheme = text.indexOf("://");
        if (scheme >= 0) {
          throw new TypeConversionException(
              "'%s' has the scheme '%s'; there is udp://HOST:PORT"
                  .formatted(text, text.substring(0, scheme)));
        }
        return new LiveAddress(Optional.empty(), Path.of(text));
      }
      String address = text.substring(UDP.length());
      // ffmpeg writes udp://@:5000 and udp://:5000 for a port of this host.
      address = address.startsWith("@") ? address.substring(1) : address;
      address = address.startsWith(":") ? "0.0.0.0" + address : address;
      return new LiveAddress(Optional.of(new Converters.Address().convert(address)), Path.of("."));
    }
  }

  boolean isStandardStream() {
    return udp.isEmpty() && file.toString().equals("-");
  }

  /** Returns the address of UDP, resolved. */
  InetSocketAddress resolved() throws IOException {
    return ShelfServer.resolved(udp.orElseThrow());
  }

  @Override
  public String toString() {
    return udp.map(each -> UDP + each.getHostString() + ":" + each.getPort())
        .orElse(file.toString());
  }
}

package example;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.Engine;
import java.nio.charset.StandardCharsets;

/** Prints a checksum and the engine of the cores. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    byte[] message = "123456789".getBytes(StandardCharsets.US_ASCII);
    System.out.println(Crc.of(CrcCatalogue.model("CRC-32C")).hash(message));
    try (Engine engine = Engine.open("cpu")) {
      System.out.println(engine.description());
    }
  }
}

package example;

// example begin
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.VectorApi;
import java.nio.charset.StandardCharsets;

public final class Application {

  public static void main(String[] arguments) {
    if (!VectorApi.load()) { // before the first engine opens
      System.err.println("start java with --add-modules jdk.incubator.vector");
    }
    byte[] message = "123456789".getBytes(StandardCharsets.US_ASCII);
    System.out.println(Crc.of(CrcCatalogue.model("CRC-64/XZ")).hash(message)); // 995dc9bbdf1939fa
    try (Engine engine = Engine.open("auto")) {
      System.out.println(engine.summary()); // cpu (lane shuffles on 512-bit vectors, 2 threads)
    }
  }
}
// example end

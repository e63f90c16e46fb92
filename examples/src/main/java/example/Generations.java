package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.util.Iterator;

final class Generations {

  private Generations() {}

  // example begin
  static byte[] sendAndReceive(Engine engine, byte[] message, Iterator<Boolean> losses) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1152);
    byte[] received = new byte[(int) shape.bytes()]; // message, and zeros after it
    try (Encoder encoder = new Encoder(engine, shape, 0, 42, message);
        Decoder decoder = new Decoder(engine, shape, 0)) {
      while (!decoder.isComplete()) {
        CodedBlock block = encoder.next(); // block.payload() has 1152 bytes
        if (!losses.next()) {
          decoder.add(block);
        }
      }
      decoder.decode(received);
    }
    return received;
  }
  // example end
}
// page end

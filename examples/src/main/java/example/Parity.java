package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.backup.ProtectionParameters;
import io.fieldstone.rlnc.backup.Protector;
import io.fieldstone.rlnc.backup.Selection;
import io.fieldstone.rlnc.backup.SetRepairer;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

final class Parity {

  private Parity() {}

  /** Writes parity of a tenth of the bytes of a folder beside it. */
  static void protect(Path photos, Path parity) throws IOException, InterruptedException {
    OptionalInt byDefault = OptionalInt.empty();
    ProtectionParameters parameters =
        new ProtectionParameters(0.1, byDefault, byDefault, byDefault);
    try (Engine engine = Engine.open("auto")) {
      new Protector(engine, parameters, false)
          .protect(Selection.of(List.of(photos), parity), parity, ProgressListener.NONE);
    }
  }

  /** Restores what is damaged or missing below a folder, and returns the blocks that were lost. */
  static int repair(Path base, Path parity) throws IOException, InterruptedException {
    try (Engine engine = Engine.open("auto")) {
      return SetRepairer.open(engine, parity)
          .repair(base, false, ProgressListener.NONE)
          .before()
          .lost();
    }
  }
}
// page end

package io.fieldstone.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.engine.Engine;
import io.fieldstone.faults.Faults;
import io.fieldstone.faults.FaultyProvider;
import io.fieldstone.rlnc.backup.ProtectionParameters;
import io.fieldstone.rlnc.backup.Protector;
import io.fieldstone.rlnc.backup.RepairResult;
import io.fieldstone.rlnc.backup.Selection;
import io.fieldstone.rlnc.backup.SetRepairer;
import io.fieldstone.stream.ProgressListener;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A sector that stays unreadable after a block was written to it. */
class BadSectorTest {

  private static final ProtectionParameters PARAMETERS =
      new ProtectionParameters(
          0.5, OptionalInt.empty(), OptionalInt.of(1 << 14), OptionalInt.empty());

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theFileAndTheByteAreNamed(@TempDir Path temporary) throws Exception {
    Path base = temporary.toRealPath();
    byte[] content = new byte[100_000];
    new Random(1).nextBytes(content);
    Files.write(base.resolve("film"), content);
    FileSystem disk =
        new FaultyProvider(FileSystems.getDefault().provider()).getFileSystem(URI.create("file:/"));
    Faults.ofThisJvm().makeUnreadable(disk.getPath(base.resolve("film").toString()), 30_000);
    try (Engine engine = Engine.open("cpu:scalar")) {
      new Protector(engine, PARAMETERS, false)
          .protect(
              Selection.of(List.of(base.resolve("film")), base.resolve("p")),
              base.resolve("p"),
              ProgressListener.NONE);
      RepairResult result =
          SetRepairer.open(engine, disk.getPath(base.resolve("p").toString()))
              .repair(disk.getPath(base.toString()), false, ProgressListener.NONE);

      assertThat(result.before().lost()).isEqualTo(1);
      assertThat(result.after().files().getFirst().unreadable())
          .isEqualTo(OptionalLong.of(7 * 4096));
      assertThat(SetText.text(result.after(), false, false))
          .contains("film  damaged, byte 28672 cannot be read");
      Failure failure = SetText.notRestorable(result.after(), base.resolve("p"), false);
      assertThat(failure.status()).isEqualTo(1);
      assertThat(failure)
          .hasMessage(
              "byte 28672 of film cannot be read although it was restored: the disk is damaged;"
                  + " rename this file, or copy all to another disk, and repair again: "
                  + base.resolve("p"));
    }
  }
}

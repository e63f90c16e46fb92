package io.fieldstone.cli.backup;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.rlnc.backup.SetReport;
import io.fieldstone.rlnc.backup.SetVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone verify}: finds damage in protected files and in their parity. */
@Command(
    name = "verify",
    sortOptions = false,
    customSynopsis = "fieldstone verify DIR [OPTION]...",
    description = {
      "Check every block of protected files and of their parity, and write nothing.",
      "",
      "Exit status: 0 if every file is intact or can be restored by 'fieldstone repair', 1 if not."
          + " A table names each damaged or missing file and volume.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone verify photos.parity",
      "  fieldstone verify /mnt/usb/parity --base /srv",
    })
public final class VerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SetOptions options = new SetOptions();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    Path folder = options.folder();
    Path base = options.base();
    SetVerifier verifier = SetVerifier.open(folder, session.threads());
    SetText.requireBase(verifier.manifest(), options, base);
    SetReport report;
    try (Progress progress = session.progress("verify", SetText.bytes(verifier.manifest()))) {
      report = verifier.verify(base, (done, _) -> progress.accept(done));
    }
    session.print(SetText.State.of(report), () -> SetText.text(report));
    if (!report.isRestorable()) {
      session.streams().requireWritten();
      throw SetText.notRestorable(report, folder);
    }
    return ExitCode.OK;
  }
}

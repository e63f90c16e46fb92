package io.fieldstone.cli.backup;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.rlnc.backup.NoFilesException;
import io.fieldstone.rlnc.backup.SetListing;
import io.fieldstone.rlnc.backup.SetPlaces;
import io.fieldstone.rlnc.backup.SetReport;
import io.fieldstone.rlnc.backup.SetVerifier;
import io.fieldstone.rlnc.backup.UnreadableSetException;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone verify}: finds damage in protected files and in their parity. */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "verify",
    sortOptions = false,
    customSynopsis = "fieldstone verify DIR [OPTION]...",
    description = {
      "Check all bytes of protected files and of their parity, and write nothing.",
      "",
      "A table names each damaged or missing file and volume, and stderr has one line also with"
          + " --quiet.",
      "",
      "Exit status: 0 if all is intact, 1 if 'fieldstone repair' can restore all damage or if the"
          + " check failed, 2 for a usage error, 3 if bytes are lost for good. Only a check that"
          + " was made prints a result: with --json, isRestorable is there after damage, and not"
          + " there after a failure.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone verify photos.parity",
      "  fieldstone verify /mnt/usb/parity --base /srv",
      "  fieldstone verify photos.parity --also /mnt/old",
      "  fieldstone verify /mnt/usb/parity --parity-only",
    })
public final class VerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SetOptions options = new SetOptions();

  @Option(
      names = "--parity-only",
      description = "Check the parity alone: the files need not be there.")
  private boolean isParityOnly;

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    Path folder = options.folder();
    SetPlaces places = options.places();
    SetVerifier verifier = open(folder, session.threads());
    SetListing listing = verifier.list();
    long bytes = isParityOnly ? listing.parityBytes() : listing.blockBytes();
    SetReport report;
    try (Progress progress = session.progress("verify", bytes)) {
      ProgressListener listener = (done, _) -> progress.accept(done);
      report = isParityOnly ? verifier.verifyParity(listener) : verifier.verify(places, listener);
    } catch (NoFilesException e) {
      throw SetText.noFiles(e);
    }
    session.print(
        SetText.State.of(report), () -> SetText.text(report, isParityOnly, session.isVerbose()));
    if (!report.isIntact()) {
      session.streams().requireWritten();
      throw report.isRestorable()
          ? SetText.damaged(report, folder)
          : SetText.notRestorable(report, folder, false);
    }
    return ExitCode.OK;
  }

  private static SetVerifier open(Path folder, int threads) throws IOException, Failure {
    try {
      return SetVerifier.open(folder, threads);
    } catch (UnreadableSetException e) {
      throw SetText.unreadable(e);
    }
  }
}

package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenRecordsTest {
  private static final long SECONDS = 1_800_000_000;

  private final SigningKey key = SigningKey.generate();

  @TempDir private Path folder;

  private PublisherRecord record(String name, long seconds) {
    return PublisherRecord.sign(key, name, new Sha256(1, 2, 3, 4), seconds);
  }

  @Test
  void theNewestRecordOfEachPublisherAndNameCounts() throws Exception {
    SeenRecords seen = new SeenRecords(folder.resolve("state"));
    assertThat(seen.check(record("a", PublisherRecord.NO_TIME))).isEmpty();
    assertThat(folder.resolve("state")).doesNotExist();
    assertThat(seen.check(record("a", SECONDS))).isEmpty();
    assertThat(seen.check(record("a  b \"", SECONDS + 9))).isEmpty();
    SeenRecords again = new SeenRecords(folder.resolve("state"));
    assertThat(again.check(record("a", SECONDS))).isEmpty();
    assertThat(again.check(record("a", SECONDS + 2))).isEmpty();
    for (long older : new long[] {SECONDS + 1, PublisherRecord.NO_TIME}) {
      assertThat(again.check(record("a", older)))
          .contains(
              ("the record of a by %s is older than one that was used: it has %s, and the newer one"
                   + " 2027-01-15T08:00:02Z; to use the older one, remove the line of the newer one"
                   + " in %s")
                  .formatted(
                      key.publisher(),
                      older == 0 ? "no time" : "2027-01-15T08:00:01Z",
                      folder.resolve("state/seen_records")));
    }
    assertThat(again.check(record("a  b \"", SECONDS + 8))).isPresent();
    assertThat(again.check(record("a b \"", SECONDS + 8))).isEmpty();
    assertThat(
            again.check(
                PublisherRecord.sign(SigningKey.generate(), "a", new Sha256(1, 2, 3, 4), SECONDS)))
        .isEmpty();
  }

  @Test
  void aLineThatIsNotValidIsNamed() throws Exception {
    Path file = folder.resolve(SeenRecords.FILE);
    for (String line : new String[] {"x", key.publisher() + " noon \"a\"", "x 1 \"\""}) {
      Files.writeString(file, "# comment\n" + line + "\n");
      assertThatThrownBy(() -> new SeenRecords(folder).check(record("a", 1)))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("line 2: ");
    }
  }
}

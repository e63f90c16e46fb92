package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the messages of encode, decode, recode and inspect for damaged and mixed shards. */
class ShardCommandsTest {

  static final int BLOCKS = 60;
  private static final int SHARDS = 6;
  private static final int RECORD = 64 + 4096;

  /** A header of a name as short as that of the file. */
  private static final int HEADER = 128;

  @TempDir private Path directory;

  private byte[] content = {};
  private List<Path> shards = List.of();

  /** 60 source blocks, 15 of 90 coded blocks in each shard. */
  @BeforeEach
  void encode() throws IOException {
    content = new byte[BLOCKS * 4096];
    new SplittableRandom(1).nextBytes(content);
    Path file = Files.write(directory.resolve("file"), content);
    RunOf run = RunOf.fieldstone("encode", file.toString(), "-o", folder(), "--shards", "6");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("any 5 of them are almost certainly sufficient");
    List<Path> made = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      made.add(directory.resolve("shards/file.0%d.fst".formatted(shard)));
    }
    shards = made;
  }

  private String folder() {
    return directory.resolve("shards").toString();
  }

  private String target() {
    return directory.resolve("target").toString();
  }

  private RunOf run(String verb, List<Path> given, String... options) {
    List<String> words = new ArrayList<>(List.of(verb));
    given.forEach(shard -> words.add(shard.toString()));
    words.addAll(Arrays.asList(options));
    return RunOf.fieldstone(words.toArray(String[]::new));
  }

  private static void change(Path shard, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(shard);
    bytes[at] ^= 1;
    Files.write(shard, bytes);
  }

  /** Changes the payload of a shard's first record and makes its CRC right again. */
  static void pollute(Path shard) throws IOException {
    byte[] bytes = Files.readAllBytes(shard);
    ByteBuffer record = ByteBuffer.wrap(bytes, HEADER, RECORD).slice();
    record.put(RECORD - 1, (byte) ~record.get(RECORD - 1));
    CRC32C crc = new CRC32C();
    crc.update(record.slice(0, 60));
    crc.update(record.slice(64, RECORD - 64));
    record.putInt(60, (int) crc.getValue());
    Files.write(shard, bytes);
  }

  @Test
  void decodeReplacesAndReportsADamagedHeader() throws Exception {
    change(shards.getFirst(), 30);

    RunOf decoded = run("decode", shards.subList(0, 5), "-o", target());

    assertThat(decoded.err()).isEmpty();
    assertThat(decoded.status()).isZero();
    assertThat(decoded.out())
        .contains("damaged header, read from another shard instead: " + shards.getFirst())
        .contains("from 5 shards");
    assertThat(Path.of(target())).hasBinaryContent(content);
  }

  @Test
  void decodeNamesOmittedShardsBeforeItFails() throws Exception {
    Path foreign = Files.write(directory.resolve("foreign"), content);
    change(shards.get(1), 5000);

    List<Path> given = List.of(shards.getFirst(), foreign, shards.get(1));
    RunOf decoded = run("decode", given, "-o", target(), "--quiet");

    assertThat(decoded.status()).isEqualTo(3);
    assertThat(decoded.out()).isEmpty();
    assertThat(decoded.err().lines())
        .containsExactly(
            "warning: damaged, without 4.0 of 60.0 KiB: " + shards.get(1),
            "warning: left out: not a shard: it does not start with \"FSTSHARD\" (at byte 0): "
                + foreign,
            "fieldstone: not enough shards: 2 given, about 5 needed;"
                + " --partial restores what they are enough for");
    assertThat(Path.of(target())).doesNotExist();
  }

  /** Shards 0 to 2 of 6 have source blocks 0 to 2, 6 to 8 … of 60, and 15 coded blocks. */
  @Test
  void decodeRestoresAPart() throws Exception {
    byte[] expected = content.clone();
    for (int block = 3; block < BLOCKS; block += 6) {
      Arrays.fill(expected, block * 4096, (block + 3) * 4096, (byte) 0);
    }
    String missing =
        "122,880 bytes are missing, with zeros in place of 12288…24575, 36864…49151, 61440…73727,"
            + " 86016…98303, 110592…122879, 135168…147455, 159744…172031, 184320…196607, …: ";

    RunOf decoded = run("decode", shards.subList(0, 3), "-o", target(), "--partial");
    assertThat(decoded.status()).isEqualTo(3);
    assertThat(decoded.out())
        .contains(
            "not complete: the first 12,288 bytes are; of 122,880 bytes restored, 122,880 cannot be"
                + " verified\n");
    assertThat(decoded.err()).isEqualTo("fieldstone: not complete, " + missing + target() + "\n");
    assertThat(Path.of(target())).hasBinaryContent(expected);

    assertThat(run("decode", shards.subList(3, 6), "-o", target(), "--partial", "--force").out())
        .contains(
            "not complete: the first byte is missing; of 122,880 bytes restored, 122,880 cannot be"
                + " verified\n");

    RunOf stream = run("decode", shards.subList(0, 3), "-o", "-", "--partial");
    assertThat(stream.status()).isEqualTo(3);
    assertThat(stream.out()).isEqualTo(new String(expected, StandardCharsets.UTF_8));
    assertThat(stream.err())
        .isEqualTo("fieldstone: not complete, " + missing + "standard output\n");

    RunOf enough = run("decode", shards, "-o", target(), "--partial", "--force");
    assertThat(enough.status()).isZero();
    assertThat(enough.out()).contains(", verified\n");
    assertThat(Path.of(target())).hasBinaryContent(content);
  }

  @Test
  void everyFileThatIsNoShardIsNamed() throws Exception {
    Path one = Files.write(directory.resolve("one"), new byte[10]);
    Path other = Files.write(directory.resolve("other"), content);
    for (String verb : List.of("decode", "inspect", "recode")) {
      String[] options = verb.equals("inspect") ? new String[0] : new String[] {"-o", target()};
      RunOf run = run(verb, List.of(one, other), options);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err().lines())
          .containsExactly(
              "warning: left out: the file ends inside the header (at byte 10): " + one,
              "warning: left out: not a shard: it does not start with \"FSTSHARD\" (at byte 0): "
                  + other,
              "fieldstone: no valid shard header in 2 files: " + one + " and others");
      assertThat(run(verb, List.of(one), options).err())
          .isEqualTo("fieldstone: the file ends inside the header (at byte 10): " + one + "\n");
    }
  }

  @Test
  void inspectFailsWhenThereIsNotEnough() {
    RunOf enough = run("inspect", shards.subList(1, 6));
    assertThat(enough.status()).isZero();
    assertThat(enough.err()).isEmpty();
    assertThat(enough.out())
        .endsWith("\nenough to restore the file\n")
        .doesNotContain("generation", "rank", "code");

    RunOf few = run("inspect", shards.subList(0, 3));
    assertThat(few.status()).isEqualTo(1);
    assertThat(few.out()).endsWith("\nnot enough to restore the file: 61,440 bytes missing\n");
    assertThat(few.err()).isEqualTo("fieldstone: not enough shards: 3 given, about 4 needed\n");
    assertThat(run("inspect", shards.subList(0, 3), "--verbose").err())
        .contains("; 1 of 1 generation is short of rank, 15 blocks are missing; generation");
    RunOf one = run("inspect", shards.subList(0, 1));
    assertThat(one.out())
        .matches("(?s)shard 00 of \\d+, any 4 almost certainly restore [^\n]+\n.*");
    assertThat(run("inspect", shards.subList(0, 3), "--quiet").status()).isEqualTo(1);
  }

  @Test
  void inspectShowsADamagedHeader() throws Exception {
    change(shards.get(2), 30);

    RunOf inspected = run("inspect", shards);
    assertThat(inspected.status()).isZero();
    assertThat(inspected.out()).contains("damaged header, read from another shard instead: ");
    JsonNode json = JsonMapper.shared().readTree(run("inspect", shards, "--json").out());
    assertThat(json.get("shards").get(2).get("hasDamagedHeader").asBoolean()).isTrue();
    assertThat(json.get("shards").get(3).get("hasDamagedHeader").asBoolean()).isFalse();
  }

  @Test
  void decodeReplacesBlocksOfAPollutedShard() throws Exception {
    pollute(shards.get(3));

    RunOf decoded = run("decode", shards, "-o", target());

    assertThat(decoded.err()).isEmpty();
    assertThat(decoded.status()).isZero();
    assertThat(decoded.out())
        .contains("wrong content, replaced by that of other shards: " + shards.get(3));
    assertThat(Path.of(target())).hasBinaryContent(content);
  }

  @Test
  void recodeRefusesAPollutedShard() throws Exception {
    pollute(shards.get(3));

    RunOf recoded = run("recode", shards, "-o", target());

    assertThat(recoded.status()).isEqualTo(1);
    assertThat(recoded.err())
        .isEqualTo(
            "fieldstone: 'file' is not recoded: %s has wrong blocks of generation 0%n"
                .formatted(shards.get(3)));
    assertThat(Path.of(target())).doesNotExist();
  }

  @Test
  void recodeReportsUnverifiedGenerations() throws Exception {
    RunOf few = run("recode", shards.subList(0, 3), "-o", target());
    assertThat(few.out())
        .contains("not verified: the given shards are too few to check each other\n");
    assertThat(run("recode", shards.subList(0, 3), "-o", target(), "--force", "-v").out())
        .contains("not verified: 1 generation without spare blocks to check against");
    RunOf all = run("recode", shards, "-o", target(), "--force");
    assertThat(all.out()).contains("the given shards agree with each other");
    RunOf json = run("recode", shards.subList(0, 3), "-o", target(), "--force", "--json");
    assertThat(JsonMapper.shared().readTree(json.out()).get("uncheckedGenerations").asLong())
        .isEqualTo(1);
  }

  private String key(String name) {
    String file = directory.resolve(name).toString();
    String line = RunOf.fieldstone("key", "signing", "-o", file).out();
    return line.substring("signing key ".length(), line.lastIndexOf(": "));
  }

  private List<Path> signed(String name) {
    String folder = directory.resolve("signed by " + name).toString();
    RunOf run =
        RunOf.fieldstone(
            "encode",
            directory.resolve("file").toString(),
            "-o",
            folder,
            "--shards",
            "6",
            "--sign",
            directory.resolve(name).toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("\nsigned by ed25519:");
    return shards.stream().map(shard -> Path.of(folder).resolve(shard.getFileName())).toList();
  }

  @Test
  void aSignedFileIsDecodedForItsPublisherOnly() throws Exception {
    String publisher = key("one");
    String other = key("other");
    List<Path> signed = signed("one");
    RunOf decoded = run("decode", signed, "-o", target(), "--publisher", other + "," + publisher);
    assertThat(decoded.err()).isEmpty();
    assertThat(decoded.out()).contains(", verified\nsigned by " + publisher + "\n");
    assertThat(Path.of(target())).hasBinaryContent(content);

    String copy = directory.resolve("copy").toString();
    assertThat(run("decode", signed, "-o", copy, "--publisher", other))
        .isEqualTo(
            new RunOf(
                1,
                "",
                "fieldstone: signed by %s, which is not a required publisher: %s\n"
                    .formatted(publisher, signed.getFirst())));
    assertThat(run("decode", shards, "-o", copy, "--publisher", publisher))
        .isEqualTo(
            new RunOf(1, "", "fieldstone: no publisher record: %s\n".formatted(shards.getFirst())));
    assertThat(Path.of(copy)).doesNotExist();
    RunOf json = run("decode", signed, "-o", copy, "--publisher", publisher, "--json");
    assertThat(json(json).get("publisher").asString()).isEqualTo(publisher);
  }

  private static JsonNode json(RunOf run) {
    assertThat(run.err()).isEmpty();
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void inspectNamesThePublishers() throws Exception {
    String one = key("one");
    String two = key("two");
    List<Path> signed = signed("one");
    assertThat(run("inspect", signed).out()).contains("\npublisher  " + one + "\n");
    assertThat(run("inspect", shards).out()).doesNotContain("publisher");

    List<Path> mixed = new ArrayList<>(signed.subList(0, 3));
    mixed.add(signed("two").get(3));
    mixed.add(shards.get(4));
    mixed.add(withWrongSignature(signed.get(5)));
    RunOf inspected = run("inspect", mixed);
    assertThat(inspected.status()).isZero();
    assertThat(inspected.out())
        .contains("\npublisher  " + one + ", 3 of 6 shards\n")
        .contains("\npublisher  " + two + ", 1 of 6 shards\n")
        .contains(
            "\nthe signature of the publisher record is wrong (at byte 156): " + mixed.get(5));
    JsonNode described = json(run("inspect", mixed, "--json")).get("shards");
    assertThat(described.get(3).get("publisher").asString()).isEqualTo(two);
    assertThat(described.get(4).get("publisher").isNull()).isTrue();
    assertThat(described.get(4).get("hasWrongPublisherRecord").asBoolean()).isFalse();
    assertThat(described.get(5).get("hasWrongPublisherRecord").asBoolean()).isTrue();

    change(mixed.getFirst(), 30);
    assertThat(run("inspect", mixed).out()).contains("\npublisher  " + one + ", 2 of 6 shards\n");
  }

  /** Changes the signature, and makes the checksum of the header right again. */
  private static Path withWrongSignature(Path shard) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(shard));
    int header = bytes.getShort(10);
    bytes.put(160, (byte) ~bytes.get(160));
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, header - 4));
    bytes.putInt(header - 4, (int) crc.getValue());
    return Files.write(shard, bytes.array());
  }

  /** The header of a shard of a format that Fieldstone had before its first release. */
  @Test
  void aShardOfFormatVersion1IsNamedAsOne() throws Exception {
    Path old =
        Files.write(
            directory.resolve("old.fst"),
            HexFormat.of()
                .parseHex(
                    "4653545348415244000100800102000144b928f0f9ea39ec0000000000000000"
                        + "000000000000002a00000000000f42400000008000001000ba7816bf8f01cfea"
                        + "414140de5dae2223b00361a396177a9cb410ff61f20015ad000b6772c3bcc39f"
                        + "652e747874000000000000000000000000000000000000000000000023f8cbe0"));
    String problem =
        "a shard of format version 1, which is not read any more (at byte 8): %s\n".formatted(old);
    for (RunOf run :
        List.of(
            run("decode", List.of(old), "-o", target()),
            run("recode", List.of(old), "-o", target(), "--blocks", "1"),
            run("inspect", List.of(old)))) {
      assertThat(run.err()).isEqualTo("fieldstone: " + problem);
      assertThat(run.status()).isEqualTo(1);
    }
    assertThat(directory.resolve("target")).doesNotExist();
    List<Path> given = new ArrayList<>(shards);
    given.add(old);
    RunOf mixed = run("decode", given, "-o", target());
    assertThat(mixed.status()).isZero();
    assertThat(mixed.out()).contains("left out: " + problem);
  }

  @Test
  void aPublisherThatIsNoKeyIsRefused() throws Exception {
    RunOf malformed = run("decode", shards, "-o", target(), "--publisher", "ed25519:0");
    assertThat(malformed.status()).isEqualTo(2);
    assertThat(malformed.err()).contains("--publisher: 'ed25519:0' is not a public key");
  }
}

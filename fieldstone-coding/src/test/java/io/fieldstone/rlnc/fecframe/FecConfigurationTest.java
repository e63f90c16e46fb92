package io.fieldstone.rlnc.fecframe;

import static io.fieldstone.rlnc.fecframe.PayloadIdTest.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FecConfigurationTest {

  private static final String DESCRIPTION =
      """
      v=0
      o=ali 1122334455 1122334466 IN IP4 fec.example.com
      s=FEC Framework Examples
      t=0 0
      a=group:FEC-FR S1 S2 R1
      m=video 30000 FEC/UDP 100
      c=IN IP4 233.252.0.1/127
      a=fec-source-flow: id=0; tag-len=4
      a=mid:S1
      m=audio 30000 FEC/UDP 101
      a=fec-source-flow: id=7; tag-len=4
      a=mid:S2
      m=application 30000 UDP/FEC
      c=IN IP4 233.252.0.2/127
      a=fec-repair-flow: encoding-id=10; fssi=E:1400,WSR:191
      a=repair-window:150ms
      a=mid:R1
      """;

  /** E = 1400 and WSR = 191 are the example of RFC 8681, section 4.1.1.2. */
  @Test
  void informationHasTheFormsOfTheRfc() throws Exception {
    SchemeInformation information = new SchemeInformation(1400, 191);
    assertThat(information.text()).isEqualTo("E:1400,WSR:191");
    assertThat(SchemeInformation.parse("E:1400,WSR:191")).isEqualTo(information);
    MemorySegment bytes = hex("000000");
    information.writeTo(bytes);
    assertThat(hex(bytes)).isEqualTo("0578bf");
    assertThat(SchemeInformation.parse(hex("0578bf"))).isEqualTo(information);
  }

  @Test
  void elementsMayHaveAnyOrderAndOthersBesideThem() throws Exception {
    assertThat(SchemeInformation.parse("WSR:0,X:y,E:0065535"))
        .isEqualTo(new SchemeInformation(65535, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "E:1400 | WSR is missing",
        "WSR:191 | E is missing",
        "E:1400,WSR:256 | WSR 256 is not in 0…255",
        "E:65536,WSR:1 | E 65536 is not in 4…65535",
        "E:3,WSR:1 | E 3 is not in 4…65535",
        "E:99999999999999999999,WSR:1 | E 99999999999999999999 is not in",
        "E:-5,WSR:1 | E is not a number",
        "E:1x,WSR:1 | E is not a number",
        "E:,WSR:1 | no name and value",
        "E:9,WSR:1, | no name and value",
        "E:9,E:9,WSR:1 | a second E",
      })
  void wrongInformationIsNamed(String text, String problem) {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SchemeInformation.parse(text))
        .withMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0578", "0578bf00", "0003bf"})
  void wrongBytesAreRefused(String digits) {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SchemeInformation.parse(hex(digits)));
  }

  @Test
  void descriptionsAreRead() throws Exception {
    FecConfiguration expected =
        new FecConfiguration(FecScheme.GF256, new SchemeInformation(1400, 191), List.of(0, 7));
    assertThat(FecConfiguration.parseSdp(DESCRIPTION)).isEqualTo(expected);
    assertThat(FecConfiguration.parseSdp(DESCRIPTION.replace("\n", "\r\n"))).isEqualTo(expected);
    assertThat(FecConfiguration.parseSdp(DESCRIPTION.replace("id=10", "id=9")).scheme())
        .isEqualTo(FecScheme.GF2);
  }

  @Test
  void writtenLinesAreReadAgain() throws Exception {
    FecConfiguration configuration = FecConfiguration.of(FecScheme.GF2, 1316);
    String lines =
        configuration.sourceFlows().getFirst().line()
            + "\r\n"
            + configuration.repairFlow().line()
            + "\r\n";
    assertThat(lines)
        .isEqualTo(
            "a=fec-source-flow: id=0; tag-len=4\r\n"
                + "a=fec-repair-flow: encoding-id=9; fssi=E:1319,WSR:191\r\n");
    assertThat(FecConfiguration.parseSdp(lines)).isEqualTo(configuration);
  }

  /** The repair flows of RFC 6364, section 6.4, are of schemes that are not spoken here. */
  @Test
  void repairFlowsOfOtherSchemesAreSkipped() throws Exception {
    String foreign =
        "a=fec-repair-flow: encoding-id=0; preference-lvl=0; ss-fssi=n:7,k:5\n"
            + "a=fec-repair-flow: encoding-id=1; preference-lvl=1; ss-fssi=t:3\n";
    assertThat(FecConfiguration.parseSdp(foreign + DESCRIPTION))
        .isEqualTo(FecConfiguration.parseSdp(DESCRIPTION));
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> FecConfiguration.parseSdp(DESCRIPTION.replace("id=10", "id=1")))
        .withMessageContaining("no repair flow with encoding-id 9 or 10");
    assertThat(RepairFlow.parse(foreign.lines().findFirst().orElseThrow()))
        .isEqualTo(new RepairFlow(0, OptionalInt.of(0), "n:7,k:5", ""));
  }

  @Test
  void lowestPreferenceLevelCounts() throws Exception {
    String flows =
        "a=fec-repair-flow: encoding-id=9; preference-lvl=2; fssi=E:8,WSR:1\n"
            + "a=fec-repair-flow: encoding-id=10; preference-lvl=1; fssi=E:9,WSR:1\n";
    assertThat(FecConfiguration.parseSdp(DESCRIPTION + flows).information().symbolBytes())
        .isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "; tag-len=4 | '' | tag-len 0, not 4",
        "tag-len=4 | tag-len=8 | tag-len 8, not 4",
        "tag-len=4 | tag-len=0 | tag-len 0 is not in 1…",
        "id=7 | id=0 | a second source flow 0",
        "id=7 | id=256 | source flow 256 is not in 0…255",
        "id=7 | id=4294967296 | id 4294967296 is not in 0…4294967295",
        "id=7; | jd=7; | id is missing",
        "; fssi=E:1400,WSR:191 | '' | no name and value",
        "encoding-id=10 | encoding-id=256 | encoding-id 256 is not in 0…255",
        "a=mid:R1 | a=group:FEC-FR S3 R3 | a second group",
      })
  void wrongDescriptionsAreNamed(String from, String to, String problem) {
    String wrong = DESCRIPTION.replace(from, to);
    assertThat(wrong).isNotEqualTo(DESCRIPTION);
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> FecConfiguration.parseSdp(wrong))
        .withMessageContaining(problem);
  }

  @Test
  void descriptionWithoutSourceFlowIsRefused() {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(
            () -> FecConfiguration.parseSdp("a=fec-repair-flow: encoding-id=9; fssi=E:9,WSR:1"))
        .withMessageContaining("no line a=fec-source-flow:");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SourceFlow.parse("a=mid:S1"))
        .withMessageContaining("does not begin with");
  }

  @Test
  void misuseIsNamed() {
    SchemeInformation information = new SchemeInformation(100, 191);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FecConfiguration(FecScheme.GF2, information, List.of()))
        .withMessage("no source flow");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FecConfiguration(FecScheme.GF2, information, List.of(1, 1)))
        .withMessageContaining("repeated");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FecConfiguration(FecScheme.GF2, information, List.of(256)))
        .withMessage("flow 256 is not in 0…255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FecConfiguration.of(FecScheme.GF2, 65533));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RepairFlow(9, OptionalInt.empty(), "", "E:9;WSR:1"))
        .withMessageContaining("fssi has the character 0x3b at 3");
    assertThatIllegalArgumentException().isThrownBy(() -> new SchemeInformation(3, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new SchemeInformation(4, 256));
  }

  @Test
  void schemesHaveTheNumbersOfIana() {
    assertThat(FecScheme.GF2.encodingId()).isEqualTo(9);
    assertThat(FecScheme.GF256.encodingId()).isEqualTo(10);
    assertThat(FecScheme.ofEncodingId(10)).contains(FecScheme.GF256);
    assertThat(FecScheme.ofEncodingId(6)).isEmpty();
    assertThat(FecScheme.GF256.code(15)).isEqualTo(WindowCode.GF256);
    assertThat(FecScheme.GF2.code(7)).isEqualTo(WindowCode.GF2);
  }
}

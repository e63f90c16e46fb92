package io.fieldstone.crc.emit;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes circuits: each bit of the next register is a sum of bits, so the step is linear. */
final class CircuitText {

  private static final String VERILOG =
      """
      // @TITLE@
      //
      // next is the register after @BITS@ more bits of the message; @FIRST@.
      // The first register is @INIT@. The checksum is the last register@REFLECTED@, XOR @XOROUT@.
      // With the macro @UPPER@_TEST, @NAME@_test proves the step on @VECTORS@ vectors.

      module @NAME@ (
          input  wire [@TOP@:0] crc,
          input  wire [@LAST@:0] data,
          output wire [@TOP@:0] next
      );
      @SUMS@endmodule

      `ifdef @UPPER@_TEST
      module @NAME@_test;
        reg [@TOP@:0] crc;
        reg [@LAST@:0] data;
        wire [@TOP@:0] next;
        integer wrong;

        @NAME@ step (.crc(crc), .data(data), .next(next));

        task check(input [@TOP@:0] from, input [@LAST@:0] bits, input [@TOP@:0] expected);
          begin
            crc = from;
            data = bits;
            #1 if (next !== expected) wrong = wrong + 1;
          end
        endtask

        initial begin
          wrong = 0;
      @CHECKS@    if (wrong == 0) $display("proven");
          else $display("%0d WRONG", wrong);
          $finish;
        end
      endmodule
      `endif
      """;

  private static final String VHDL =
      """
      -- @TITLE@
      --
      -- following is the register after @BITS@ more bits of the message; @FIRST@.
      -- The first register is @INIT@. The checksum is the last register@REFLECTED@, XOR @XOROUT@.
      -- The entity @NAME@_test proves the step on @VECTORS@ vectors.

      library ieee;
      use ieee.std_logic_1164.all;

      entity @NAME@ is
        port (
          crc : in std_logic_vector(@TOP@ downto 0);
          data : in std_logic_vector(@LAST@ downto 0);
          following : out std_logic_vector(@TOP@ downto 0));
      end entity;

      architecture sums of @NAME@ is
      begin
      @SUMS@end architecture;

      library ieee;
      use ieee.std_logic_1164.all;

      entity @NAME@_test is
      end entity;

      architecture proof of @NAME@_test is
        signal crc : std_logic_vector(@TOP@ downto 0);
        signal data : std_logic_vector(@LAST@ downto 0);
        signal following : std_logic_vector(@TOP@ downto 0);
      begin
        step : entity work.@NAME@ port map (crc => crc, data => data, following => following);

        process
          variable wrong : natural := 0;

          procedure check(
            from : std_logic_vector(@TOP@ downto 0);
            bits : std_logic_vector(@LAST@ downto 0);
            expected : std_logic_vector(@TOP@ downto 0)) is
          begin
            crc <= from;
            data <= bits;
            wait for 1 ns;
            if following /= expected then
              wrong := wrong + 1;
            end if;
          end procedure;
        begin
      @CHECKS@    if wrong = 0 then
            report "proven";
          else
            report "WRONG" severity failure;
          end if;
          wait;
        end process;
      end architecture;
      """;

  private CircuitText() {}

  /** Returns a module in Verilog (IEEE 1364-2001). */
  static String verilog(LinearStep step, String name) {
    StringBuilder sums = new StringBuilder();
    for (int i = 0; i < step.model().width(); i++) {
      sums.append("  assign next[%d] = %s;\n".formatted(i, sum(step, i, "%s[%d]", " ^ ", "1'b0")));
    }
    return fill(VERILOG, step, name, sums.toString(), "", "%d'b%s", "    check(%s, %s, %s);\n");
  }

  /** Returns entities in VHDL-93. */
  static String vhdl(LinearStep step, String name) {
    StringBuilder sums = new StringBuilder();
    for (int i = 0; i < step.model().width(); i++) {
      sums.append("  following(%d) <= %s;\n".formatted(i, sum(step, i, "%s(%d)", " xor ", "'0'")));
    }
    return fill(VHDL, step, name, sums.toString(), "", "%2$s", "    check(%s, %s, %s);\n");
  }

  private static String sum(LinearStep step, int bit, String term, String plus, String zero) {
    List<String> terms = new ArrayList<>();
    step.registerBits(bit).forEach(i -> terms.add(term.formatted("crc", i)));
    step.messageBits(bit).forEach(i -> terms.add(term.formatted("data", i)));
    return terms.isEmpty() ? zero : String.join(plus, terms);
  }

  private static String fill(
      String text,
      LinearStep step,
      String name,
      String sums,
      String none,
      String literal,
      String check) {
    CrcModel model = step.model();
    int width = model.width();
    int bits = step.bits();
    String title =
        "%s: width=%d poly=0x%s init=0x%s refin=%b refout=%b xorout=0x%s"
            .formatted(
                model.name(),
                width,
                model.poly(),
                model.init(),
                model.refin(),
                model.refout(),
                model.xorout());
    StringBuilder checks = new StringBuilder();
    String noRegister = literal(literal, width, -1);
    String noMessage = literal(literal, bits, -1);
    checks.append(check.formatted(noRegister, noMessage, noRegister));
    for (int i = 0; i < width; i++) {
      String next = literal(literal, step.ofRegister().get(i));
      checks.append(check.formatted(literal(literal, width, i), noMessage, next));
    }
    for (int i = 0; i < bits; i++) {
      String next = literal(literal, step.ofMessage().get(i));
      checks.append(check.formatted(noRegister, literal(literal, bits, i), next));
    }
    return text.replace("@TITLE@", title)
        .replace("@NAME@", name)
        .replace("@UPPER@", name.toUpperCase(Locale.ROOT))
        .replace("@BITS@", Integer.toString(bits))
        .replace("@TOP@", Integer.toString(width - 1))
        .replace("@LAST@", Integer.toString(bits - 1))
        .replace("@VECTORS@", Integer.toString(width + bits))
        .replace("@FIRST@", model.refin() ? "data[0] comes first" : "the highest comes first")
        .replace("@INIT@", "0x" + step.init())
        .replace("@XOROUT@", "0x" + model.xorout())
        .replace("@REFLECTED@", step.isReflectedAtEnd() ? ", reflected" : none)
        .replace("@SUMS@", sums)
        .replace("@CHECKS@", checks);
  }

  private static String literal(String format, CrcValue value) {
    StringBuilder digits = new StringBuilder();
    for (int i = value.width() - 1; i >= 0; i--) {
      digits.append(value.bit(i) ? '1' : '0');
    }
    return format(format, value.width(), digits.toString());
  }

  private static String literal(String format, int width, int set) {
    StringBuilder digits = new StringBuilder("0".repeat(width));
    if (set >= 0) {
      digits.setCharAt(width - 1 - set, '1');
    }
    return format(format, width, digits.toString());
  }

  private static String format(String format, int width, String digits) {
    return format.startsWith("%2") ? '"' + digits + '"' : format.formatted(width, digits);
  }
}

package io.fieldstone.crc.emit;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Writes programs. The bits of a message and those of the register that they meet are looked up in
 * tables, eight bits at a time.
 *
 * <p>Source: Kounavis and Berry, "Novel table lookup-based algorithms for high-performance CRC
 * generation", IEEE Transactions on Computers 57, 2008.
 */
final class ProgramText {

  private static final int ENTRIES_PER_LINE = 8;
  private static final int TABLE_BITS = 8;

  private static final String C =
      """
      /* @TITLE@
       *
       *   @NAME@(message, length)                 the checksum of a message
       *   @NAME@_update(register, bytes, length)  the register after more bytes, first @NAME@_INIT
       *   @NAME@_final(register)                  the checksum of a register
       *
       * Compile with -D@UPPER@_TEST for a program that proves the step on @VECTORS@ vectors.
       */
      #include <stddef.h>
      #include <stdint.h>

      #define @NAME@_INIT @INIT@

      static const @TYPE@ @NAME@_table[@TABLES@][@ENTRIES@] = {
      @TABLE@};

      @TYPE@ @NAME@_step(@TYPE@ crc, uint64_t data) {
        uint64_t index = data ^ @ALIGNED@;
        @TYPE@ next = @REST@;
        for (int i = 0; i < @TABLES@; i++) {
          next ^= @NAME@_table[i][index >> @SLICE@ * i & @TABLE_MASK@];
        }
        return next;
      }

      @TYPE@ @NAME@_update(@TYPE@ crc, const void *bytes, size_t length) {
        const unsigned char *at = bytes;
      @UPDATE@  return crc;
      }

      @TYPE@ @NAME@_final(@TYPE@ crc) {
      @FINAL@  return crc ^ @XOROUT@;
      }

      @TYPE@ @NAME@(const void *message, size_t length) {
        return @NAME@_final(@NAME@_update(@NAME@_INIT, message, length));
      }

      #ifdef @UPPER@_TEST
      #include <stdio.h>

      static const @TYPE@ of_register[@WIDTH@] = {
      @OF_REGISTER@};
      static const @TYPE@ of_message[@BITS@] = {
      @OF_MESSAGE@};

      int main(void) {
        int wrong = 0;
        for (int i = 0; i < @WIDTH@; i++) {
          wrong += @NAME@_step((@TYPE@)((@TYPE@)1 << i), 0) != of_register[i];
        }
        for (int i = 0; i < @BITS@; i++) {
          wrong += @NAME@_step(0, (uint64_t)1 << i) != of_message[i];
        }
        for (int t = 0; t < @TABLES@; t++) { /* linear: so is the step, of XOR and shifts */
          wrong += @NAME@_table[t][0] != 0;
          for (int i = 1; i < @ENTRIES@; i++) {
            wrong += @NAME@_table[t][i]
                != (@NAME@_table[t][i & -i] ^ @NAME@_table[t][i & (i - 1)]);
          }
        }
        wrong += @NAME@("123456789", 9) != @CHECK@;
        printf(wrong ? "%d WRONG\\n" : "proven\\n", wrong);
        return wrong != 0;
      }
      #endif
      """;

  private static final String JAVA =
      """
      /**
       * @TITLE@
       *
       * <p>Run the class for a proof of its step on @VECTORS@ vectors.
       */
      public final class @CLASS@ {

        public static final long INIT = @INIT@;

        private static final long[][] TABLE = new long[@TABLES@][];

        static {
      @TABLE@  }

        private @CLASS@() {}

        /** Returns the register after @BITS@ more bits. */
        public static long step(long crc, long data) {
          long index = data ^ @ALIGNED@;
          long next = @REST@;
          for (int i = 0; i < @TABLES@; i++) {
            next ^= TABLE[i][(int) (index >>> @SLICE@ * i & @TABLE_MASK@)];
          }
          return next;
        }

        /** Returns the register after more bytes; the first is INIT. */
        public static long update(long register, byte[] bytes, int offset, int length) {
          long crc = register;
          int at = offset;
          int end = offset + length;
      @UPDATE@    return crc;
        }

        /** Returns the checksum of a register. */
        public static long finish(long register) {
          long crc = register;
      @FINAL@    return crc ^ @XOROUT@;
        }

        /** Returns the checksum of a message. */
        public static long hash(byte[] message) {
          return finish(update(INIT, message, 0, message.length));
        }

        private static final long[] OF_REGISTER = {
      @OF_REGISTER@  };

        private static final long[] OF_MESSAGE = {
      @OF_MESSAGE@  };

        public static void main(String[] arguments) {
          int wrong = 0;
          for (int i = 0; i < @WIDTH@; i++) {
            wrong += step(1L << i, 0) != OF_REGISTER[i] ? 1 : 0;
          }
          for (int i = 0; i < @BITS@; i++) {
            wrong += step(0, 1L << i) != OF_MESSAGE[i] ? 1 : 0;
          }
          for (long[] table : TABLE) { // linear: so is the step, of XOR and shifts
            wrong += table[0] != 0 ? 1 : 0;
            for (int i = 1; i < table.length; i++) {
              wrong += table[i] != (table[i & -i] ^ table[i & i - 1]) ? 1 : 0;
            }
          }
          byte[] digits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
          wrong += hash(digits) != @CHECK@ ? 1 : 0;
          System.out.println(wrong == 0 ? "proven" : wrong + " WRONG");
          System.exit(wrong == 0 ? 0 : 1);
        }
      }
      """;

  private static final String RUST =
      """
      //! @TITLE@
      //!
      //! `rustc --test` makes a program that proves the step on @VECTORS@ vectors.

      #![allow(dead_code)]

      pub const INIT: @TYPE@ = @INIT@;

      static TABLE: [[@TYPE@; @ENTRIES@]; @TABLES@] = [
      @TABLE@];

      /// Returns the register after @BITS@ more bits.
      pub fn step(crc: @TYPE@, data: u64) -> @TYPE@ {
          let index: u64 = data ^ @ALIGNED@;
          let mut next: @TYPE@ = @REST@;
          for i in 0..@TABLES@ {
              next ^= TABLE[i][(index >> (@SLICE@ * i) & @TABLE_MASK@) as usize];
          }
          next
      }

      /// Returns the register after more bytes; the first is INIT.
      pub fn update(register: @TYPE@, bytes: &[u8]) -> @TYPE@ {
          let mut crc = register;
      @UPDATE@    crc
      }

      /// Returns the checksum of a register.
      pub fn finish(register: @TYPE@) -> @TYPE@ {
          let @MUT@crc = register;
      @FINAL@    crc ^ @XOROUT@
      }

      /// Returns the checksum of a message.
      pub fn hash(message: &[u8]) -> @TYPE@ {
          finish(update(INIT, message))
      }

      #[cfg(test)]
      mod tests {
          use super::*;

          static OF_REGISTER: [@TYPE@; @WIDTH@] = [
      @OF_REGISTER@    ];
          static OF_MESSAGE: [@TYPE@; @BITS@] = [
      @OF_MESSAGE@    ];

          #[test]
          fn proven() {
              for i in 0..@WIDTH@ {
                  assert_eq!(step(1 << i, 0), OF_REGISTER[i]);
              }
              for i in 0..@BITS@ {
                  assert_eq!(step(0, 1 << i), OF_MESSAGE[i]);
              }
              for table in TABLE.iter() {
                  // linear: so is the step, of XOR and shifts
                  assert_eq!(table[0], 0);
                  for i in 1..table.len() {
                      let low = i & i.wrapping_neg();
                      assert_eq!(table[i], table[low] ^ table[i ^ low]);
                  }
              }
              assert_eq!(hash(b"123456789"), @CHECK@);
          }
      }
      """;

  private final LinearStep step;
  private final CrcModel model;
  private final String name;
  private final LongFunction<String> literal;

  private ProgramText(LinearStep step, String name, LongFunction<String> literal) {
    this.step = step;
    this.model = step.model();
    this.name = name;
    this.literal = literal;
  }

  /** Returns a program in C99. */
  static String c(LinearStep step, String name) {
    int size = typeBits(step.model().width());
    ProgramText text =
        new ProgramText(
            step, name, value -> size > 32 ? hex(value) + "u" + "ll" : hex(value) + "u");
    String type = "uint" + size + "_t";
    String wide = "(uint64_t)crc";
    return text.fill(
        C.replace("@TYPE@", type)
            .replace("@UPPER@", name.toUpperCase(Locale.ROOT))
            .replace("@ALIGNED@", text.aligned(wide))
            .replace("@REST@", text.rest("(" + type + ")(@)"))
            .replace("@TABLE@", text.tables("  {\n", "  },\n", "    "))
            .replace("@OF_REGISTER@", text.list(step.ofRegister(), "  "))
            .replace("@OF_MESSAGE@", text.list(step.ofMessage(), "  "))
            .replace("@UPDATE@", text.cUpdate())
            .replace("@FINAL@", text.cFinal(type)));
  }

  /** Returns a class in Java. */
  static String java(LinearStep step, String name) {
    ProgramText text = new ProgramText(step, name, value -> hex(value) + "L");
    StringBuilder tables = new StringBuilder();
    List<List<Long>> all = text.tables();
    for (int i = 0; i < all.size(); i++) {
      tables.append("    TABLE[%d] = new long[] {\n".formatted(i));
      tables.append(text.lines(all.get(i), "      ")).append("    };\n");
    }
    return text.fill(
        JAVA.replace("@CLASS@", className(name))
            .replace("@ALIGNED@", text.aligned("crc").replace(">> ", ">>> "))
            .replace("@REST@", text.rest("@").replace(">> ", ">>> "))
            .replace("@TABLE@", tables)
            .replace("@OF_REGISTER@", text.list(step.ofRegister(), "    "))
            .replace("@OF_MESSAGE@", text.list(step.ofMessage(), "    "))
            .replace("@UPDATE@", text.javaUpdate())
            .replace("@FINAL@", text.javaFinal()));
  }

  /** Returns the name of the class in Java. */
  static String className(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** Returns a crate in Rust. */
  static String rust(LinearStep step, String name) {
    ProgramText text = new ProgramText(step, name, ProgramText::hex);
    int size = typeBits(step.model().width());
    String type = "u" + size;
    return text.fill(
        RUST.replace("@TYPE@", type)
            .replace("@ALIGNED@", text.aligned("(crc as u64)"))
            .replace("@REST@", text.rest("(@) as " + type).replace("(crc ", "((crc as u64) "))
            .replace("@TABLE@", text.tables("    [\n", "    ],\n", "        "))
            .replace("@OF_REGISTER@", text.list(step.ofRegister(), "        "))
            .replace("@OF_MESSAGE@", text.list(step.ofMessage(), "        "))
            .replace("@UPDATE@", text.rustUpdate(type))
            .replace("@MUT@", step.isReflectedAtEnd() ? "mut " : "")
            .replace("@FINAL@", text.rustFinal()));
  }

  private static int typeBits(int width) {
    return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  private String fill(String text) {
    String title =
        "%s, %d bits a step: width=%d poly=0x%s init=0x%s refin=%b refout=%b xorout=0x%s"
            .formatted(
                model.name(),
                step.bits(),
                model.width(),
                model.poly(),
                model.init(),
                model.refin(),
                model.refout(),
                model.xorout());
    return text.replace("@TITLE@", title)
        .replace("@NAME@", name)
        .replace("@VECTORS@", Integer.toString(model.width() + step.bits()))
        .replace("@INIT@", literal.apply(step.init().toLong()))
        .replace("@XOROUT@", literal.apply(model.xorout().toLong()))
        .replace("@CHECK@", literal.apply(model.check().toLong()))
        .replace("@WIDTH@", Integer.toString(model.width()))
        .replace("@BITS@", Integer.toString(step.bits()))
        .replace("@TABLES@", Integer.toString(tableCount()))
        .replace("@ENTRIES@", Integer.toString(1 << slice()))
        .replace("@SLICE@", Integer.toString(slice()))
        .replace("@TABLE_MASK@", Integer.toString((1 << slice()) - 1));
  }

  private int slice() {
    return Math.min(TABLE_BITS, step.bits());
  }

  private int tableCount() {
    return step.bits() / slice();
  }

  /** Returns the register where its bits meet those of the message. */
  private String aligned(String crc) {
    int gap = model.width() - step.bits();
    String mask = step.bits() == Long.SIZE ? "" : " & " + literal64((1L << step.bits()) - 1);
    if (model.refin() || gap == 0) {
      return "(" + crc + mask + ")";
    }
    return gap > 0 ? "(" + crc + " >> " + gap + mask + ")" : "(" + crc + " << " + -gap + ")";
  }

  private String literal64(long value) {
    return hex(value) + (literal.apply(0).endsWith("L") ? "L" : "");
  }

  /** Returns the bits of the register that the message does not meet, in their next place. */
  private String rest(String cast) {
    int gap = model.width() - step.bits();
    if (gap <= 0) {
      return "0";
    }
    String mask = literal64(model.width() == Long.SIZE ? -1L : (1L << model.width()) - 1);
    return model.refin()
        ? "crc >> " + step.bits()
        : cast.replace("@", "(crc << " + step.bits() + ") & " + mask);
  }

  /** Returns the tables, that of the lowest bits of the message first. */
  private List<List<Long>> tables() {
    List<List<Long>> tables = new ArrayList<>();
    for (int from = 0; from < step.bits(); from += slice()) {
      List<Long> table = new ArrayList<>(List.of(0L));
      for (int i = 1; i < 1 << slice(); i++) {
        int low = Integer.numberOfTrailingZeros(i);
        table.add(table.get(i & i - 1) ^ step.ofMessage().get(from + low).toLong());
      }
      tables.add(table);
    }
    return tables;
  }

  private String tables(String begin, String end, String indent) {
    return tables().stream()
        .map(table -> begin + lines(table, indent) + end)
        .collect(Collectors.joining());
  }

  private String list(List<CrcValue> values, String indent) {
    return lines(values.stream().map(CrcValue::toLong).toList(), indent);
  }

  private String lines(List<Long> values, String indent) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i += ENTRIES_PER_LINE) {
      text.append(
          values.subList(i, Math.min(values.size(), i + ENTRIES_PER_LINE)).stream()
              .map(literal::apply)
              .collect(Collectors.joining(", ", indent, ",\n")));
    }
    return text.toString();
  }

  /** Returns the number of the byte's table, or of the shift of a part of a byte. */
  private int byteTable() {
    return model.refin() ? tableCount() - 1 : 0;
  }

  /** Returns the shift of part i of j parts, in the order of division. */
  private String shift(String i, int parts, int size) {
    return model.refin() ? size + " * " + i : "%d * (%d - %s)".formatted(size, parts - 1, i);
  }

  private String cUpdate() {
    int bytes = step.bits() / Byte.SIZE;
    if (bytes == 0) {
      return """
        for (; length > 0; length--, at++) {
          for (int i = 0; i < %1$d; i++) {
            crc = %2$s_step(crc, *at >> %3$s & %4$d);
          }
        }
      """
          .formatted(8 / step.bits(), name, shift("i", 8 / step.bits(), step.bits()), mask())
          .replace("\n", "\n");
    }
    String whole =
        """
          for (; length >= %1$d; length -= %1$d, at += %1$d) {
            uint64_t data = 0;
            for (int i = 0; i < %1$d; i++) {
              data |= (uint64_t)at[i] << %3$s;
            }
            crc = %2$s_step(crc, data);
          }
        """
            .formatted(bytes, name, shift("i", bytes, 8));
    return bytes == 1
        ? whole
        : whole
            + """
              for (; length > 0; length--, at++) {
                crc = (@TYPE@)(%s);
              }
            """
                .formatted(
                    byteStep("crc", "*at", "%s_table[%d][%s]".formatted(name, byteTable(), "#")))
                .replace("@TYPE@", "uint" + typeBits(model.width()) + "_t");
  }

  private int mask() {
    return (1 << slice()) - 1;
  }

  /** Returns an expression of the register after one byte; the hash sign stands for the index. */
  private String byteStep(String crc, String octet, String table) {
    int width = model.width();
    if (model.refin()) {
      String found = table.replace("#", "(%s ^ %s) & 255".formatted(crc, octet));
      return width > 8 ? found + " ^ " + crc + " >> 8" : found;
    }
    String top =
        width >= 8 ? "%s >> %d".formatted(crc, width - 8) : "%s << %d".formatted(crc, 8 - width);
    String found = table.replace("#", "((%s) ^ %s) & 255".formatted(top, octet));
    String mask = literal64(width == Long.SIZE ? -1L : (1L << width) - 1);
    return width > 8 ? "%s ^ ((%s << 8) & %s)".formatted(found, crc, mask) : found;
  }

  private String cFinal(String type) {
    return step.isReflectedAtEnd()
        ? """
          %1$s plain = 0;
          for (int i = 0; i < %2$d; i++) {
            plain = (%1$s)(plain << 1 | (crc >> i & 1));
          }
          crc = plain;
        """
            .formatted(type, model.width())
        : "";
  }

  private String javaUpdate() {
    int bytes = step.bits() / Byte.SIZE;
    if (bytes == 0) {
      return """
          for (; at < end; at++) {
            for (int i = 0; i < %1$d; i++) {
              crc = step(crc, bytes[at] >> %2$s & %3$d);
            }
          }
      """
          .formatted(8 / step.bits(), shift("i", 8 / step.bits(), step.bits()), mask());
    }
    String whole =
        """
            for (; end - at >= %1$d; at += %1$d) {
              long data = 0;
              for (int i = 0; i < %1$d; i++) {
                data |= (bytes[at + i] & 255L) << %2$s;
              }
              crc = step(crc, data);
            }
        """
            .formatted(bytes, shift("i", bytes, 8));
    return bytes == 1
        ? whole
        : whole
            + """
                for (; at < end; at++) {
                  crc = %s;
                }
            """
                .formatted(
                    byteStep("crc", "bytes[at]", "TABLE[%d][(int) (#)]".formatted(byteTable()))
                        .replace(">> ", ">>> "));
  }

  private String javaFinal() {
    return step.isReflectedAtEnd()
        ? "    crc = Long.reverse(crc) >>> %d;\n".formatted(Long.SIZE - model.width())
        : "";
  }

  private String rustUpdate(String type) {
    int bytes = step.bits() / Byte.SIZE;
    if (bytes == 0) {
      return """
          for octet in bytes {
              for i in 0..%1$d {
                  crc = step(crc, (*octet as u64) >> (%2$s) & %3$d);
              }
          }
      """
          .formatted(8 / step.bits(), shift("i", 8 / step.bits(), step.bits()), mask());
    }
    String whole =
        """
            let mut parts = bytes.chunks_exact(%1$d);
            for part in &mut parts {
                let mut data: u64 = 0;
                for i in 0..%1$d {
                    data |= (part[i] as u64) << (%2$s);
                }
                crc = step(crc, data);
            }
        """
            .formatted(bytes, shift("i", bytes, 8));
    return bytes == 1
        ? whole
        : whole
            + """
                for octet in parts.remainder() {
                    let wide = crc as u64;
                    crc = (%s) as %s;
                }
            """
                .formatted(
                    byteStep(
                        "wide",
                        "*octet as u64",
                        "TABLE[%d][(#) as usize] as u64".formatted(byteTable())),
                    type);
  }

  private String rustFinal() {
    return step.isReflectedAtEnd()
        ? "    crc = crc.reverse_bits() >> %d;\n".formatted(typeBits(model.width()) - model.width())
        : "";
  }
}

package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.TextTable;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcNotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats the catalogue of CRCs and the parameters of a CRC. */
final class CrcListing {

  private CrcListing() {}

  /** Returns a table of all algorithms. */
  static String catalogue() {
    TextTable table =
        new TextTable()
            .text("name")
            .number("width")
            .text("poly")
            .text("init")
            .text("refin")
            .text("refout")
            .text("xorout")
            .text("check")
            .text("aliases");
    for (CrcCatalogue.Entry entry : CrcCatalogue.entries()) {
      CrcModel model = entry.model();
      table.row(
          model.name(),
          model.width(),
          model.poly(),
          model.init(),
          model.refin(),
          model.refout(),
          model.xorout(),
          entry.check(),
          String.join(", ", entry.aliases()));
    }
    return table.toString();
  }

  /** An algorithm as {@code --json} prints it. */
  record Algorithm(
      String name,
      List<String> aliases,
      int width,
      Map<String, String> poly,
      String init,
      boolean refin,
      boolean refout,
      String xorout,
      String check,
      String residue) {

    /** Describes a model, which need not be in the catalogue. */
    static Algorithm of(CrcModel model) {
      return CrcCatalogue.find(model.name())
          .map(Algorithm::of)
          .orElseGet(() -> of(model, List.of()));
    }

    /** Describes an entry of the catalogue. */
    static Algorithm of(CrcCatalogue.Entry entry) {
      return of(entry.model(), entry.aliases());
    }

    private static Algorithm of(CrcModel model, List<String> aliases) {
      Map<String, String> poly = new LinkedHashMap<>();
      for (CrcNotation notation : CrcNotation.values()) {
        poly.put(notation.toString(), notation.of(model.poly()).toString());
      }
      return new Algorithm(
          model.name(),
          aliases,
          model.width(),
          poly,
          model.init().toString(),
          model.refin(),
          model.refout(),
          model.xorout().toString(),
          model.check().toString(),
          model.residue().toString());
    }

    /** Returns all parameters as text. */
    String text() {
      TextTable table = new TextTable().text("").text("").row("name", name);
      if (!aliases.isEmpty()) {
        table.row("aliases", String.join(", ", aliases));
      }
      table.row("width", width);
      poly.forEach((notation, written) -> table.row("poly, " + notation, written));
      return table
          .row("init", init)
          .row("refin", refin)
          .row("refout", refout)
          .row("xorout", xorout)
          .row("check", check)
          .row("residue", residue)
          .toString();
    }
  }
}

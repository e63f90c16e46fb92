package io.fieldstone.bench;

import java.util.List;

/** A report as one page that needs no other file: well-formed XHTML with the charts inside. */
final class HtmlReport {

  /** Charts keep a white ground of their own, so that they read in the dark as well. */
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1b1f24; --ground: #ffffff; --rule: #d0d7de; --soft: #57606a; --band: #f6f8fa; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --ground: #0d1117; --rule: #30363d; --soft: #9aa4af; --band: #161b22; } }
      body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; line-height: 1.3; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
      th { border-bottom-width: 2px; } tbody tr:nth-child(even) { background: var(--band); }
      .number { text-align: right; white-space: nowrap; }
      .soft, ul { color: var(--soft); font-size: 0.9rem; }
      figure { margin: 1.5rem 0; background: #ffffff; border: 1px solid var(--rule); border-radius: 6px; padding: 0.5rem; overflow-x: auto; }
      figure svg { display: block; max-width: 100%; height: auto; }
      """;

  private HtmlReport() {}

  static String of(Report report, List<Report.Drawing> drawings) {
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n")
        .append("<head>\n<meta charset=\"utf-8\"/>\n")
        .append(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>")
        .append(escaped(report.title()))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n");
    element(page, "h1", report.title());
    page.append("<p class=\"soft\">")
        .append(escaped(report.machine().description()))
        .append("<br/><code>")
        .append(escaped(report.command()))
        .append("</code></p>\n");
    report.introduction().forEach(paragraph -> element(page, "p", paragraph));
    int figures = 0;
    for (Part part : report.parts()) {
      switch (part) {
        case Table table -> append(page, table);
        case Chart chart -> {
          for (Report.Drawing drawing : drawings) {
            if (drawing.chart().equals(chart)) {
              figures++;
              page.append("<figure>\n")
                  .append(SvgCharts.inlined(drawing.svg(), "f" + figures + "-"))
                  .append("\n</figure>\n");
            }
          }
        }
      }
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private static void append(StringBuilder page, Table table) {
    element(page, "h2", table.title());
    page.append("<div class=\"scroll\"><table>\n<thead><tr>");
    for (int column = 0; column < table.columns().size(); column++) {
      cell(page, "th", table.isNumeric(column), table.columns().get(column));
    }
    page.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : table.rows()) {
      page.append("<tr>");
      for (int column = 0; column < row.size(); column++) {
        cell(page, "td", table.isNumeric(column), row.get(column).text());
      }
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table></div>\n");
    if (!table.notes().isEmpty()) {
      page.append("<ul>\n");
      table.notes().forEach(note -> element(page, "li", note));
      page.append("</ul>\n");
    }
  }

  private static void cell(StringBuilder page, String tag, boolean numeric, String text) {
    page.append('<').append(tag).append(numeric ? " class=\"number\">" : ">");
    page.append(escaped(text)).append("</").append(tag).append('>');
  }

  private static void element(StringBuilder page, String tag, String text) {
    page.append('<').append(tag).append('>').append(escaped(text));
    page.append("</").append(tag).append(">\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

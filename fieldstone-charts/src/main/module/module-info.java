/** Charts of figures, and plans of relays as files and maps. */
module io.fieldstone.charts {
  requires transitive io.fieldstone.codes;
  requires transitive io.fieldstone.relays;
  requires de.siegmar.fastcsv;
  requires java.desktop;
  requires static org.jspecify;
  requires tools.jackson.databind;
  requires xchart;

  exports io.fieldstone.chart;
  exports io.fieldstone.map;
}

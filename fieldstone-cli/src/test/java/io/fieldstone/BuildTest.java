package io.fieldstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

class BuildTest {

  /**
   * Failsafe reads {@code skipITs} from the command line only. So {@code -DskipTests} must set it:
   * the documents give that option for builds without tests.
   */
  @Test
  void skipTestsLeavesOutIntegrationTests()
      throws IOException, ParserConfigurationException, SAXException {
    Path pom = Path.of(System.getProperty("basedir", "."), "..", "pom.xml");
    Document root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    Element properties = (Element) root.getElementsByTagName("properties").item(0);
    assertThat(properties.getElementsByTagName("skipTests").item(0).getTextContent())
        .isEqualTo("false");
    assertThat(properties.getElementsByTagName("skipITs").item(0).getTextContent())
        .isEqualTo("${skipTests}");
  }
}

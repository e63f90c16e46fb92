package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Follows the links between the Markdown files of the repository, and between those of the archive,
 * whose files are listed in the profile {@code dist} of {@code pom.xml}.
 */
class DocumentLinksTest {

  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path ROOT = MODULE.resolve("..").normalize();
  private static final String README_OF_THE_ARCHIVE = "fieldstone-cli/src/dist/README.md";

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)");
  private static final Pattern SCHEME = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

  /** The files of the repository, by their paths with {@code /}. */
  private static Map<String, Path> repository;

  @BeforeAll
  static void findTheFiles() throws IOException {
    repository = filesIn(ROOT);
  }

  @Test
  void everyLinkOfTheRepositoryLeadsToAFile() throws IOException {
    Map<String, Path> files = new TreeMap<>(repository);
    files.remove(README_OF_THE_ARCHIVE); // its links are those of the archive

    assertThat(documentsOf(files)).hasSizeGreaterThan(40);
    assertThat(brokenLinks(files)).isEmpty();
  }

  @Test
  void everyLinkOfTheArchiveLeadsToAFileInIt() throws Exception {
    Map<String, Path> files = archive();

    assertThat(files).containsKeys("README.md", "docs/command.md", "bin/fieldstone", "LICENSE");
    assertThat(files.get("README.md")).isEqualTo(ROOT.resolve(README_OF_THE_ARCHIVE));
    assertThat(files.keySet()).noneMatch(file -> file.contains("target/"));
    assertThat(brokenLinks(files)).isEmpty();
  }

  @Test
  void theReadmeOfTheArchiveNamesEveryDocumentInIt() throws Exception {
    String readme = Files.readString(ROOT.resolve(README_OF_THE_ARCHIVE));

    assertThat(documentsOf(archive()))
        .filteredOn(file -> file.matches("docs/[^/]+|[A-Z]+\\.md"))
        .filteredOn(file -> !file.equals("README.md"))
        .allSatisfy(file -> assertThat(readme).contains("](" + file + ")"));
  }

  @Test
  void aLinkToAMissingFileOrHeadingIsFound(@TempDir Path folder) throws IOException {
    Files.createDirectory(folder.resolve("more"));
    Files.writeString(
        folder.resolve("a.md"),
        """
        [a](more/b.md) [b](more/b.md#two-words-and-3) [c](more) [d](https://localhost/x.md) [e](#f)
        [f](c.md) [g](more/b.md#three) [h](mor) [i](../a.md) [j](more#two)
        ```
        # F
        [k](d.md)
        ```
        """);
    Files.writeString(folder.resolve("more/b.md"), "# Two `words`, and 3\n[l](../a.md)\n");

    assertThat(brokenLinks(filesIn(folder)))
        .containsExactly(
            "a.md: #f",
            "a.md: c.md",
            "a.md: more/b.md#three",
            "a.md: mor",
            "a.md: ../a.md",
            "a.md: more#two");
  }

  private static List<String> documentsOf(Map<String, Path> files) {
    return files.keySet().stream().filter(file -> file.endsWith(".md")).toList();
  }

  /** Returns the relative links that lead to no file, folder or heading. */
  private static List<String> brokenLinks(Map<String, Path> files) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String document : documentsOf(files)) {
      String text = FENCED.matcher(Files.readString(files.get(document))).replaceAll("");
      for (MatchResult match : LINK.matcher(text).results().toList()) {
        String link = match.group(1);
        if (!SCHEME.matcher(link).matches() && !resolves(files, document, link)) {
          broken.add(document + ": " + link);
        }
      }
    }
    return broken;
  }

  private static boolean resolves(Map<String, Path> files, String document, String link)
      throws IOException {
    String[] parts = link.split("#", 2);
    String target =
        parts[0].isEmpty()
            ? document
            : withSlashes(Path.of(document).resolveSibling(parts[0]).normalize());
    if (!files.containsKey(target)) {
      return parts.length == 1
          && files.keySet().stream().anyMatch(file -> file.startsWith(target + "/"));
    }
    return parts.length == 1 || headings(files.get(target)).contains(parts[1]);
  }

  /** Returns the names by which links call the headings of a document, as GitHub makes them. */
  private static Set<String> headings(Path document) throws IOException {
    Set<String> names = new HashSet<>();
    String text = FENCED.matcher(Files.readString(document)).replaceAll("");
    for (MatchResult match : HEADING.matcher(text).results().toList()) {
      String name =
          match
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      for (int i = 1; !names.add(i == 1 ? name : name + "-" + (i - 1)); i++) {}
    }
    return names;
  }

  /** Returns the files that the profile {@code dist} copies, by their paths in the archive. */
  private static Map<String, Path> archive() throws Exception {
    Node pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(MODULE.resolve("pom.xml").toFile());
    NodeList resources =
        (NodeList)
            XPathFactory.newInstance()
                .newXPath()
                .evaluate("//execution[id='dist-files']//resource", pom, XPathConstants.NODESET);
    Map<String, Path> files = new TreeMap<>();
    for (int i = 0; i < resources.getLength(); i++) {
      addFilesOf((Element) resources.item(i), files);
    }
    return files;
  }

  private static void addFilesOf(Element resource, Map<String, Path> files) throws Exception {
    String directory = texts(resource, "directory").getFirst();
    if (directory.startsWith("${project.build.directory}")) {
      return; // jars, which are there after a build only
    }
    Path folder = Path.of(directory.replace("${project.basedir}", MODULE.toString())).normalize();
    List<PathMatcher> includes = matchers(texts(resource, "includes/include"));
    List<PathMatcher> excludes = matchers(texts(resource, "excludes/exclude"));
    (folder.equals(ROOT) ? repository : filesIn(folder))
        .forEach((name, file) -> {
          Path path = Path.of(name);
          if ((includes.isEmpty() || includes.stream().anyMatch(each -> each.matches(path)))
              && excludes.stream().noneMatch(each -> each.matches(path))) {
            assertThat(files.put(name, file)).as("copied twice: %s", name).isNull();
          }
        });
  }

  private static List<String> texts(Element element, String path) throws XPathExpressionException {
    XPath xpath = XPathFactory.newInstance().newXPath();
    NodeList nodes = (NodeList) xpath.evaluate(path, element, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static List<PathMatcher> matchers(List<String> patterns) {
    return patterns.stream()
        .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
        .toList();
  }

  /** Returns the files in a folder without those that a build or a tool made. */
  private static Map<String, Path> filesIn(Path folder) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            String name = path.getFileName().toString();
            return name.equals("target") || (name.startsWith(".") && !path.equals(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            files.put(withSlashes(folder.relativize(path)), path);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static String withSlashes(Path path) {
    return path.toString().replace('\\', '/');
  }
}

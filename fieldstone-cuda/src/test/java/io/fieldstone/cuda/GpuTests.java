package io.fieldstone.cuda;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs the tests that need a GPU on a machine without Maven. The class path must have this module's
 * classes, test classes and resources, and the jars of {@code mvn dependency:copy-dependencies};
 * with those of fieldstone-papers, its tests run too. Exits with 1 if a test failed or none ran.
 */
final class GpuTests {
  private GpuTests() {}

  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage("io.fieldstone.cuda"), selectPackage("io.fieldstone.papers"))
            .filters(TagFilter.includeTags("gpu"))
            .build();
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, summary);
    var out = new PrintWriter(System.out, true);
    summary.getSummary().printTo(out);
    summary.getSummary().printFailuresTo(out, 40);
    boolean good =
        summary.getSummary().getTestsSucceededCount() > 0
            && summary.getSummary().getTotalFailureCount() == 0;
    System.exit(good ? 0 : 1);
  }
}

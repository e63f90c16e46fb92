package io.fieldstone.cli.relays;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.sensors.ListOptions;
import io.fieldstone.cli.sensors.MalformedSensorsException;
import io.fieldstone.cli.sensors.PlaceList;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code relays} that name places for relays, and relays that exist. */
final class SiteOptions {

  @Option(
      names = "--sites",
      paramLabel = "FILE",
      description =
          "Place relays only at the points of FILE, which has the format of SENSORS. With a column"
              + " cost, the plan takes the least sum of costs.")
  private @Nullable Path sitesFile;

  @Option(
      names = "--existing",
      paramLabel = "FILE",
      description =
          "Use the relays in FILE, which cost nothing. It has the format of SENSORS, or is an"
              + " earlier plan, whose sensors are left out.")
  private @Nullable Path existingFile;

  /** Returns the list of sites. */
  @Nullable Path sitesFile() {
    return sitesFile;
  }

  /** Returns the list of existing relays. */
  @Nullable Path existingFile() {
    return existingFile;
  }

  Optional<PlaceList> sites(Session session, ListOptions lists, boolean isOverTerrain)
      throws IOException, Failure, MalformedSensorsException {
    Map<Quantity, String> unused =
        isOverTerrain ? Map.of() : Map.of(Quantity.HEIGHT, "without --dem");
    return sitesFile == null
        ? Optional.empty()
        : Optional.of(lists.read(session, sitesFile, unused));
  }

  /** Reads the existing relays: all places but the sensors of a plan. */
  Optional<PlaceList> existing(Session session, ListOptions lists, boolean isOverTerrain)
      throws IOException, Failure, MalformedSensorsException {
    if (existingFile == null) {
      return Optional.empty();
    }
    PlaceList list = lists.read(session, existingFile, unused("on existing relays", isOverTerrain));
    List<Place> relays = list.places().stream().filter(place -> !place.isSensorOfPlan()).toList();
    if (relays.isEmpty()) {
      throw new Failure("a plan without relays", existingFile);
    }
    return Optional.of(new PlaceList(list.name(), relays, list.coordinates()));
  }

  /**
   * Returns the quantities that a plan does not use.
   *
   * @param others the stations of a list that are no sites, which cost nothing
   */
  Map<Quantity, String> unused(String others, boolean isOverTerrain) {
    Map<Quantity, String> unused = new EnumMap<>(Quantity.class);
    unused.put(Quantity.COST, others);
    if (!isOverTerrain) {
      unused.put(Quantity.HEIGHT, "without --dem");
    }
    return unused;
  }
}

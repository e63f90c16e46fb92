package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Network;
import io.fieldstone.map.Own;
import io.fieldstone.map.Place;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import java.util.List;
import java.util.Optional;

/** A plan that tests write and read: a sensor, and a relay on the site {@code mast}. */
final class SmallPlan {

  private SmallPlan() {}

  static Network of(String sensor, Own mast) {
    return new Network(
        Coordinates.DEGREES,
        1000,
        2,
        List.of(
            new Network.Sensor(new Place(sensor, 8, 50), 0, 0, 0),
            new Network.Station(
                new Place("relay-1", 8.01, 50, "", mast),
                715,
                0,
                Relay.Kind.SITE,
                Optional.of("mast"))),
        List.of(new RelayPlan.Link(0, 1, 715)));
  }
}

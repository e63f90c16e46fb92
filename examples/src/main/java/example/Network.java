package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

final class Network {

  private Network() {}

  // example begin
  /** Begins to serve a folder on a free port; its identity is kept in the state. */
  static Server serve(Engine engine, Path folder, Path state)
      throws IOException, InterruptedException {
    EndpointSettings endpoint =
        EndpointSettings.of(state).withListen(new InetSocketAddress("127.0.0.1", 0));
    return Server.start(
        engine, ServerSettings.of(List.of(folder), endpoint), ProgressListener.NONE);
  }

  /** Fetches a file from any number of servers at once, verified. */
  static FetchResult fetch(
      Engine engine, String name, List<InetSocketAddress> servers, Path state, Path output)
      throws IOException, InterruptedException, FetchFailedException {
    FetchSettings settings = FetchSettings.of(name, servers, state);
    return new Fetch(engine, settings, 2, FetchListener.NONE).toFile(output);
  }
  // example end
}
// page end

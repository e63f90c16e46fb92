/**
 * The receiver for browsers and its page, as resources, and small HTTP servers; for
 * io.fieldstone.net.
 */
@SuppressWarnings("module") // io.fieldstone.net is built later
module io.fieldstone.web {
  requires transitive jdk.httpserver;
  requires static org.jspecify;

  exports io.fieldstone.web to
      io.fieldstone.net;
  exports io.fieldstone.web.http to
      io.fieldstone.net;
}

public import ArgumentParser
public import LivetapeServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SocketTransport
import UnixSignals

extension VenueMode: ExpressibleByArgument {
  /// As ``init(_:)``.
  public init?(argument: String) { self.init(argument) }

  /// As in the argument.
  public var defaultValueDescription: String { "simulated" }
}

/// `livetape serve`: starts the server with its page and prints the address.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page, on simulated venues by default.")

  @Option(
    help: ArgumentHelp(
      "A configuration file; flags override it.",
      discussion: "Lines of TOML: port = 8080, host-name = [\"a.example\"]. See config check.",
      valueName: "file"))
  var config: String?
  @Option(help: "The port to listen on; 0 for a free one.") var port: PortNumber = 8080
  @Option(
    help: """
      The address to listen on; others than loopback need an access token, and a certificate or \
      a proxy.
      """)
  var host = "127.0.0.1"
  @Option(
    help: "Another host name of the server, such as that of a proxy; may be repeated.")
  var hostName: [String] = []
  @Option(
    help: """
      A file with the access token that every request needs; LIVETAPE_ACCESS_TOKEN may hold it, \
      too. The page asks for it once; tools send Authorization: Bearer ….
      """)
  var tokenFile: String?
  @Option(
    help: """
      A file with a second token, for people who may see everything and change nothing; \
      LIVETAPE_VIEWER_TOKEN may hold it, too.
      """)
  var viewerTokenFile: String?
  @Option(
    help: """
      A PEM file with the server's certificate: the page is served over TLS. SIGHUP has it read \
      again.
      """)
  var tlsCertificate: String?
  @Option(help: "A PEM file with the certificate's key.") var tlsKey: String?
  @Option(
    help: """
      The name of a reverse proxy that terminates TLS for all clients: only requests that name it \
      are answered, and an access token is needed.
      """)
  var behindProxy: String?
  @OptionGroup var folder: DataFolderOption
  @Option(
    help: """
      Which venues to read: simulated, live, or some live ones by name, as in kraken,coinbase. \
      Without one that is named, the server is not ready.
      """)
  var venues = VenueMode.simulated
  @Option(help: "Seed of the simulated venues.") var seed: UInt64 = 1
  @OptionGroup var urls: VenueURLOptions
  @OptionGroup var orders: PaperOrderOptions
  @Option(
    help: """
      A program to run for each alert that fires, with the alert as JSON on its standard input; \
      no shell.
      """)
  var alertCommand: String?
  @Option(
    help: """
      An address that each alert that fires is posted to, as JSON with X-Livetape-Signature: \
      sha256=HMAC.
      """)
  var alertWebhook: String?
  @Option(
    help: """
      A file with the secret of that signature; LIVETAPE_ALERT_SECRET may hold it, too.
      """)
  var alertSecretFile: String?
  @OptionGroup var bus: BusOption
  @OptionGroup var faults: FaultOptions
  @OptionGroup var logging: LoggingOptions

  /// The flags' configuration; throws usage errors and ``CommandFailure``s.
  func configuration() throws -> LivetapeConfiguration {
    // Not in ``validate()``, which sees each line of a configuration file alone.
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together")
    }
    var configuration = LivetapeConfiguration()
    configuration.host = host
    configuration.port = port.number
    configuration.dataFolder = folder.path
    configuration.mode = venues
    configuration.addresses = try urls.addresses()
    try orders.apply(to: &configuration)
    configuration.bus = try bus.address()
    configuration.seed = seed
    configuration.faults = try faults.specs()
    configuration.hostNames = hostName
    configuration.proxyName = behindProxy
    configuration.pageToken = try Secrets.pageToken(
      file: tokenFile, variable: "LIVETAPE_ACCESS_TOKEN")
    configuration.viewerToken = try Secrets.pageToken(
      file: viewerTokenFile, variable: "LIVETAPE_VIEWER_TOKEN")
    configuration.buxToken = try Secrets.buxToken()
    configuration.alertProgram = try alertCommand.map { path in
      guard let program = AlertProgram(path: path) else {
        throw CommandFailure("--alert-command: \(path) can't be run")
      }
      return program
    }
    configuration.alertWebhook = try alertWebhook.map {
      try Secrets.webhook($0, secretFile: alertSecretFile)
    }
    configuration.tls = try Secrets.tls(certificate: tlsCertificate, key: tlsKey)
    return configuration
  }

  func run() async throws {
    var configuration = try configuration()
    let process = ManagedProcess()
    configuration.beat = process.beat
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let application = LivetapeApplication(
      configuration, group: group, logger: logging.logger("livetape"))
    let address = "\(tlsCertificate == nil ? "http" : "https")://\(displayed(host))"
    application.port.whenSuccess { port in
      try? StandardOutput.write("Livetape is running at \(address):\(port)/")
      process.ready("Running at \(address):\(port)/")
    }
    let logger = logging.logger("livetape")
    let reloading = configuration.tls.map { tls in Task { await reloadAtHangups(tls, logger) } }
    try await process.run(application, logger: logger)
    reloading?.cancel()
    try? await group.shutdownGracefully()
  }

  /// Reloads certificate and key at each SIGHUP; logs errors and keeps the old ones.
  private func reloadAtHangups(_ tls: ServerTLS, _ logger: Logger) async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) {
      do {
        try tls.reload()
        logger.notice("The certificate was read again.")
      } catch {
        logger.error("The certificate stays as it was: \(error.description).")
      }
    }
  }

  func validate() throws {
    for name in hostName where (try? Endpoint("http://\(name)"))?.host != name.lowercased() {
      throw ValidationError("--host-name needs a name without a port")
    }
    if let name = behindProxy, (try? Endpoint("http://\(name)"))?.host != name.lowercased() {
      throw ValidationError("--behind-proxy needs a name without a port")
    }
  }

  private func displayed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

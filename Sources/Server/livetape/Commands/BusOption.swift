import ArgumentParser
import Foundation
import MessageBus

/// The message bus between processes.
struct BusOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The NATS broker between readers and servers: nats://HOST:PORT or tls://HOST:PORT, or \
      several hosts of one cluster with commas between them. With user and password or a token in \
      it, it belongs in LIVETAPE_BUS.
      """, valueName: "url"))
  var bus: String?

  func validate() throws {
    guard let bus else { return }
    guard !bus.contains("@") else {
      throw ValidationError(
        "--bus can be read by every user of this machine: give credentials in LIVETAPE_BUS")
    }
    _ = try BusOption.address(bus, "--bus")
  }

  /// The given address, or that of the environment; nil for none.
  ///
  /// Throws a usage error if it is invalid.
  func address() throws -> NatsAddress? {
    if let bus { return try BusOption.address(bus, "--bus") }
    guard let text = ProcessInfo.processInfo.environment["LIVETAPE_BUS"], !text.isEmpty else {
      return nil
    }
    Secrets.forbidCoreDumps()
    return try BusOption.address(text, "LIVETAPE_BUS")
  }

  private static func address(_ text: String, _ source: String) throws -> NatsAddress {
    do {
      return try NatsAddress(text)
    } catch {
      throw ValidationError("\(source) \(error.description)")
    }
  }
}

public import MarketModel
import SocketTransport
import VenueCatalogue

/// The markets that the user of an app has chosen, and the addresses to reach them.
public struct MarketChoice: Sendable, Equatable {
  /// The source of prices.
  public enum Source: String, CaseIterable, Sendable {
    /// Simulated venues inside the app, without a network.
    case builtIn = "built-in"
    /// The real venues at their public addresses.
    case venues
    /// The simulated venues of a Livetape server.
    case server

    /// The name for people.
    public var name: Sentence {
      switch self {
      case .builtIn: "Built-in market"
      case .venues: "Real venues"
      case .server: "My own server"
      }
    }

    /// One line for people.
    public var explanation: Sentence {
      switch self {
      case .builtIn: "Simulated prices inside the app. Works without a network."
      case .venues: "Live prices over the internet. Some venues need an address or a token."
      case .server: "The simulated markets of a Livetape server in your network."
      }
    }
  }

  /// The source of the venues without an address of their own.
  public var source: Source
  /// `http://host:port` of the server.
  public var server: String
  private var addresses: [Venue: String] = [:]

  /// Creates a choice.
  public init(_ source: Source, server: String = "") {
    (self.source, self.server) = (source, server)
  }

  /// A venue's address that takes precedence over the source, empty for none.
  ///
  /// The built-in market ignores it.
  public subscript(venue: Venue) -> String {
    get { addresses[venue] ?? "" }
    set { addresses[venue] = newValue }
  }

  /// A venue's address; nil when the source doesn't have the venue.
  ///
  /// Throws when an entered address is invalid.
  public func address(of venue: Venue) throws(VenueAddressError) -> VenueAddress? {
    if source == .builtIn {
      return .simulated(venue, host: "built-in", port: 80, tcpPort: 80)
    }
    if !self[venue].isEmpty { return try .given(self[venue], for: venue) }
    guard source == .server else { return .published(venue) }
    do {
      return .simulated(venue, at: try Endpoint(server))
    } catch {
      throw VenueAddressError(
        description: error.description,
        sentence: "Enter the server’s address, such as http://192.168.1.2:8090.")
    }
  }

  /// The addresses of all these venues, without invalid ones.
  public func addresses(of venues: [Venue]) -> [VenueAddress] {
    venues.compactMap { try? address(of: $0) }
  }

  /// The first reason why an entered address is invalid.
  public func problem(of venues: [Venue]) -> VenueAddressError? {
    for venue in venues {
      do throws(VenueAddressError) { _ = try address(of: venue) } catch { return error }
    }
    return nil
  }
}

// MARK: - Storage

extension MarketChoice {
  /// Reads a stored choice by its keys; nil when the user has not chosen.
  ///
  /// A server's address is a choice, too: it may be a launch argument.
  public init?(reading value: (_ key: String) -> String?) {
    let server = value("server") ?? ""
    guard
      let source = value("market").flatMap(Source.init) ?? (server.isEmpty ? nil : .server)
    else { return nil }
    self.init(source, server: server)
    for venue in Venue.allCases { addresses[venue] = value("address.\(venue.rawValue)") }
  }

  /// Stores the choice by the same keys.
  public func store(_ set: (_ key: String, _ value: String) -> Void) {
    set("market", source.rawValue)
    set("server", server)
    for venue in Venue.allCases { set("address.\(venue.rawValue)", self[venue]) }
  }
}

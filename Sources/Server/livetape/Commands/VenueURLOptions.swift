public import ArgumentParser
import FeedConnections
public import MarketModel
import SocketTransport
import VenueCatalogue

extension Venue: ExpressibleByArgument {}

struct VenueURL: ExpressibleByArgument {
  let endpoint: Endpoint

  init?(argument: String) {
    guard let endpoint = try? Endpoint(argument) else { return nil }
    self.endpoint = endpoint
  }

  /// The address of a venue; throws a usage error if the URL is of the wrong kind.
  func address(of venue: Venue) throws -> VenueAddress {
    do {
      return try VenueAddress.given(endpoint, for: venue)
    } catch {
      throw ValidationError(error.description)
    }
  }
}

/// At most one URL per venue.
struct VenueURLOptions: ParsableArguments {
  @Option(
    name: .customLong("url"),
    help: ArgumentHelp(
      "Read a venue at an address of your own; may be repeated, once for each venue.",
      discussion: VenueURLOptions.venues, valueName: "venue=url"),
    transform: VenueURLOptions.address)
  var urls: [VenueAddress] = []

  // The flags of version 0.1, one per venue.
  @Option(help: .hidden) var bitmexUrl: VenueURL?
  @Option(help: .hidden) var krakenUrl: VenueURL?
  @Option(help: .hidden) var isinUrl: VenueURL?
  @Option(help: .hidden) var buxUrl: VenueURL?
  @Option(help: .hidden) var echoUrl: VenueURL?
  @Option(help: .hidden) var exchangeUrl: VenueURL?

  /// The given addresses; throws a usage error if a venue has two, or an invalid one.
  func addresses() throws -> [Venue: VenueAddress] {
    let aliases: [(Venue, VenueURL?)] = [
      (.bitmex, bitmexUrl), (.kraken, krakenUrl), (.isin, isinUrl), (.bux, buxUrl),
      (.echo, echoUrl), (.exchange, exchangeUrl),
    ]
    let given = try urls + aliases.compactMap { venue, url in try url?.address(of: venue) }
    return try Dictionary(given.map { ($0.venue, $0) }) { first, _ in
      throw ValidationError("\(first.venue) has two URLs; give it one")
    }
  }

  func validate() throws { _ = try addresses() }

  /// Parses `VENUE=URL`.
  private static func address(_ argument: String) throws -> VenueAddress {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ValidationError("it needs the form VENUE=URL") }
    let venue = try venue(parts[0])
    do {
      return try VenueAddress.given(String(parts[1]), for: venue)
    } catch {
      throw ValidationError(error.description)
    }
  }

  static func venue(_ name: Substring) throws -> Venue {
    guard let venue = Venue(rawValue: String(name)) else {
      let names = Venue.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is no venue \(name), only \(names)")
    }
    return venue
  }

  /// "kraken=wss://… (its WebSocket v2)", one venue per line.
  private static var venues: String {
    Venue.allCases.map { venue in
      let schemes = venue.descriptor.transport.schemes.joined(separator: " or ")
      return "\(venue): \(schemes), \(venue.descriptor.addressHelp)."
    }.joined(separator: "\n")
  }
}

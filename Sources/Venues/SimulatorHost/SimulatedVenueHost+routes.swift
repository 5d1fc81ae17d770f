import Foundation
package import MarketModel
import VenueCatalogue
package import VenueSimulator

extension SimulatedVenueHost {
  /// Companies that the price tracker also follows start at the same price.
  package static let stockCents: [String: Int64] = {
    let dollars = Dictionary(StockCatalogue.stocks.map { ($0.name, $0.startPriceCents) }) {
      first, _ in first
    }
    let known = IsinCatalogue.shares.compactMap { share in
      dollars[share.name].map { (share.isin.text, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }()

  /// The venues behind a path; a raw feed has its own port.
  package static let routed = Venue.allCases.filter { $0.descriptor.transport != .tcp }

  /// A request's venue and the rest of its path; nil when the path is no venue's.
  ///
  /// BitMEX and Kraken also respond at their real hosts' root paths, which public clients use.
  package static func resolve(_ path: String) -> (venue: Venue, path: String)? {
    for venue in routed {
      let prefix = venue.simulatedPrefix
      if path == prefix { return (venue, "/") }
      if path.hasPrefix(prefix + "/") { return (venue, String(path.dropFirst(prefix.count))) }
    }
    let own = routed.first { venue in
      venue.descriptor.clientPaths.contains { known in
        path == known || (known.hasSuffix("/") && path.hasPrefix(known))
      }
    }
    return own.map { ($0, path) }
  }

  /// A request by its target, path and query; nil when the path is no venue's.
  package static func request(
    _ target: String, headers: [(name: String, value: String)]
  ) -> (venue: Venue, request: VenueRequest)? {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, let (venue, rest) = resolve(String(path)) else { return nil }
    let query = parts.count > 1 ? QueryText.parse(String(parts[1])) : []
    let fields = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
    return (venue, VenueRequest(path: rest, query: query, headers: fields))
  }
}

/// The query of a URL.
package enum QueryText {
  /// Names and values, percent-decoded, in order; at most 32.
  package static func parse(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").prefix(32).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? String(sides[1]) : ""
      return (name: decode(String(sides[0])), value: decode(value))
    }
  }

  private static func decode(_ text: String) -> String {
    text.replacing("+", with: " ").removingPercentEncoding ?? text
  }
}

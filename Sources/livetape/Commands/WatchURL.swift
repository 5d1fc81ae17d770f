// `--url` of `watch`: the one venue's URL alone, or VENUE=URL for each of several.

import ArgumentParser
import FeedConnections
import MarketModel

/// A URL with the venue it is of, where that was said.
struct WatchURL: ExpressibleByArgument {
  let venue: Venue?
  let url: VenueURL

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    // A URL may hold this sign, too, but no venue is called like the part before it.
    let venue = parts.count == 2 ? Venue(rawValue: String(parts[0])) : nil
    guard let url = VenueURL(argument: venue == nil ? argument : String(parts[1])) else {
      return nil
    }
    (self.venue, self.url) = (venue, url)
  }

  /// The addresses of venues by `urls`.
  ///
  /// Throws a usage error when one is of no watched venue, a venue has two, or one names no venue
  /// where there are several.
  static func addresses(
    _ urls: [WatchURL], of venues: Set<Venue>
  ) throws -> [Venue: VenueAddress] {
    var addresses: [Venue: VenueAddress] = [:]
    for url in urls {
      guard let venue = url.venue ?? (venues.count == 1 ? venues.first : nil) else {
        throw ValidationError("with several venues --url needs the form VENUE=URL")
      }
      guard venues.contains(venue) else {
        throw ValidationError("no instrument of \(venue) is watched, but it has a URL")
      }
      guard addresses[venue] == nil else {
        throw ValidationError("\(venue) has two URLs; give it one")
      }
      addresses[venue] = try url.url.address(of: venue)
    }
    return addresses
  }
}

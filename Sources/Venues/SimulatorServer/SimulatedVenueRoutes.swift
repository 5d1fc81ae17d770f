import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import MarketModel
import NIOCore
import NIOHTTP1
import SocketServer
import SocketTransport
import VenueCatalogue
import VenueSimulator

/// The routes of the simulated venues, by the first part of the path.
///
/// BitMEX and Kraken also respond at their real hosts' root paths, which public clients use.
struct SimulatedVenueRoutes: Sendable {
  /// The venues with a route; a raw feed has its own TCP port.
  static let venues = Venue.allCases.filter { $0.descriptor.transport != .tcp }

  let host: SimulatedVenueHost
  let faults: SimulatedFaults

  /// A request's venue and the rest of its path; nil when the path is no venue's.
  ///
  /// Paths of public clients are at the root.
  static func resolve(_ path: String) -> (venue: Venue, path: String)? {
    for venue in venues {
      let prefix = venue.simulatedPrefix
      if path == prefix { return (venue, "/") }
      if path.hasPrefix(prefix + "/") { return (venue, String(path.dropFirst(prefix.count))) }
    }
    let own = venues.first { venue in
      venue.descriptor.clientPaths.contains { known in
        path == known || (known.hasSuffix("/") && path.hasPrefix(known))
      }
    }
    return own.map { ($0, path) }
  }

  var router: Router<BasicRequestContext> {
    let router = Router()
    let prefixes = Self.venues.map(\.simulatedPrefix).joined(separator: " ")
    router.get("/") { _, _ in "Livetape's simulated venues: \(prefixes)\n" }
    FaultRoutes(faults: faults).add(to: router)
    router.get("**") { request, _ -> Response in try await self.respond(to: request) }
    return router
  }

  var acceptor: WebSocketAcceptor {
    WebSocketAcceptor(limits: VenueSocket.limits) { head in
      guard let (venue, request) = self.request(of: head) else { return false }
      return self.host.refusal(of: request, venue: venue) == nil
    } install: { channel, head in
      guard let (venue, request) = self.request(of: head) else { return }
      try VenueSocket.install(on: channel, request, venue: venue, venues: self.host)
    }
  }

  private func request(of head: HTTPRequestHead) -> (venue: Venue, request: VenueRequest)? {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, let (venue, rest) = Self.resolve(String(path)) else { return nil }
    var headers: [String: String] = [:]
    for (name, value) in head.headers { headers[name.lowercased()] = value }
    let query = parts.count > 1 ? QueryText.parse(String(parts[1])) : []
    return (venue, VenueRequest(path: rest, query: query, headers: headers))
  }

  private func respond(to request: Request) async throws -> Response {
    guard let (venue, path) = Self.resolve(request.uri.path) else {
      return Response(status: .notFound)
    }
    var headers: [String: String] = [:]
    for field in request.headers { headers[field.name.canonicalName] = field.value }
    let query = request.uri.query.map { QueryText.parse($0) } ?? []
    let asked = VenueRequest(path: path, query: query, headers: headers)
    guard let answer = try await host.respond(to: asked, venue: venue) else {
      return Response(status: .notFound)
    }
    var fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { fields[field] = value }
    }
    return Response(
      status: .init(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}

enum QueryText {
  /// Names and values, percent-decoded, in order; at most 32.
  static func parse(_ query: String) -> [(name: String, value: String)] {
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

import HTTPTypes
import Hummingbird
import HummingbirdCore
import MarketModel
import NIOCore
import NIOHTTP1
import SimulatorHost
import SocketServer
import SocketTransport
import VenueCatalogue
import VenueSimulator

/// The routes of the simulated venues, by the first part of the path.
struct SimulatedVenueRoutes: Sendable {
  let host: SimulatedVenueHost
  let faults: SimulatedFaults

  var router: Router<BasicRequestContext> {
    let router = Router()
    let prefixes = SimulatedVenueHost.routed.map(\.simulatedPrefix).joined(separator: " ")
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
    SimulatedVenueHost.request(head.uri, headers: head.headers.map { ($0.name, $0.value) })
  }

  private func respond(to request: Request) async throws -> Response {
    let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
    guard let (venue, question) = SimulatedVenueHost.request(request.uri.string, headers: headers),
      let answer = try await host.respond(to: question, venue: venue).get()
    else { return Response(status: .notFound) }
    var fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { fields[field] = value }
    }
    return Response(
      status: .init(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}

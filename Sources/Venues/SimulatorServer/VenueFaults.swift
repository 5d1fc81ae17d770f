import HTTPTypes
import Hummingbird
import HummingbirdCore
public import MarketModel
import NIOCore
import SimulatorHost
import SocketServer
import SocketTransport
import VenueSimulator
package import WireJSON

/// Why a text is not a list of faults, or a venue can't have them.
public struct VenueFaultError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One clear line.
  public let sentence: Sentence

  init(_ error: FaultSpecError) { sentence = error.sentence }

  /// The English text.
  public var description: String { sentence.description }
}

/// A venue's validated faults, for modules without the simulator: `drop=2% for 5s, gap=3@120`.
public struct VenueFaults: Sendable, Equatable {
  /// The longest text, in bytes.
  public static let maximumTextBytes = FaultSpec.maximumBytes
  /// No faults.
  public static let none = VenueFaults(spec: FaultSpec([]))

  let spec: FaultSpec

  private init(spec: FaultSpec) { self.spec = spec }

  /// Parses a text for a venue.
  public init(_ text: String, at venue: Venue) throws(VenueFaultError) {
    do throws(FaultSpecError) {
      spec = try FaultSpec(text)
      if let problem = spec.problem(at: venue) { throw problem }
    } catch {
      throw VenueFaultError(error)
    }
  }

  /// These faults and others.
  public func and(_ others: VenueFaults) -> VenueFaults {
    VenueFaults(spec: FaultSpec(spec.orders + others.spec.orders))
  }

  /// Whether there are more than a venue may have at a time.
  public var isTooMany: Bool { spec.orders.count > FaultSpec.maximumOrders }

  /// The names of a venue's possible faults.
  public static func kinds(at venue: Venue) -> [String] { FaultSpec.names(at: venue) }
}

/// A fault in effect.
public struct CurrentFault: Sendable, Equatable {
  /// The fault as it was requested.
  public let text: String
  /// When it ends; nil where that is unknown.
  public let end: Timestamp?

  /// Creates a fault.
  public init(_ text: String, end: Timestamp?) { (self.text, self.end) = (text, end) }

  init(_ fault: RunningFault) { self.init(fault.order.description, end: fault.end) }

  /// Writes `{"fault":"stall for 5s","until":1790000000000}`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("fault", text)
      if let end { writer.member("until", end.milliseconds) }
    }
  }
}

/// Faults on demand over HTTP, for tests and scripts: `GET /faults`, and `GET`, `PUT` and `DELETE
/// /faults/VENUE`.
///
/// The faults are in the query, because the server reads no bodies.
struct FaultRoutes: Sendable {
  let faults: SimulatedFaults

  func add(to router: Router<BasicRequestContext>) {
    router.get("/faults") { _, _ in try await self.show(Venue.allCases) }
    router.get("/faults/:venue") { _, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      return try await self.show([venue])
    }
    router.put("/faults/:venue") { request, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      let query = request.uri.query.map { QueryText.parse($0) } ?? []
      guard query.count == 1, query[0].name == "spec" else {
        return .plain(.badRequest, "expected the faults in the query: ?spec=drop%3D2%25\n")
      }
      return try await self.change(venue, query[0].value)
    }
    router.delete("/faults/:venue") { _, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      return try await self.change(venue, "")
    }
  }

  private func venue(_ context: BasicRequestContext) -> Venue? {
    context.parameters.get("venue").flatMap { Venue(rawValue: $0) }
  }

  private static let noVenue = Response.plain(.notFound, "there is no such venue\n")

  private func change(_ venue: Venue, _ text: String) async throws -> Response {
    let wanted: VenueFaults
    do {
      wanted = try VenueFaults(text, at: venue)
    } catch {
      return .plain(.badRequest, "\(error)\n")
    }
    let problem = await withCheckedContinuation { waiting in
      faults.change(venue, to: wanted, .all) { waiting.resume(returning: $0) }
    }
    if let problem { return .plain(.badRequest, "\(problem)\n") }
    return try await show([venue])
  }

  private func show(_ venues: [Venue]) async throws -> Response {
    let running = try await faults.all()
    var writer = JSONWriter()
    writer.object { writer in
      for venue in venues {
        writer.key(text: venue.rawValue)
        writer.array(running[venue] ?? []) { $1.write(to: &$0) }
      }
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes)))
  }
}

/// Whether new faults are added to a venue's faults or replace them.
public enum FaultScope: Sendable {
  /// Added.
  case more
  /// Replaces all faults on demand.
  case all
}

/// The faults of the venues of one process, for use from any thread.
public struct SimulatedFaults: Sendable {
  let host: SimulatedVenueHost

  /// Requests faults; an empty list that replaces all others ends them.
  ///
  /// - Parameters:
  ///   - venue: The venue.
  ///   - faults: The faults.
  ///   - scope: Whether they are added or replace all others.
  ///   - done: Called on the venues' loop with the reason why nothing changed; nil on success.
  public func change(
    _ venue: Venue, to faults: VenueFaults, _ scope: FaultScope,
    done: @escaping @Sendable (VenueFaultError?) -> Void
  ) {
    host.loop.perform {
      do throws(FaultSpecError) {
        try host.changeFaults(of: venue, to: faults.spec, replacesAll: scope == .all)
        done(nil)
      } catch {
        done(VenueFaultError(error))
      }
    }
  }

  /// Calls a listener on the venues' loop with the current faults, now and on each change.
  public func listen(_ listener: @escaping @Sendable ([Venue: [CurrentFault]]) -> Void) {
    host.loop.perform {
      host.listenToFaults { listener($0.mapValues { $0.map(CurrentFault.init) }) }
    }
  }

  func all() async throws -> [Venue: [CurrentFault]] {
    try await host.loop.submit { host.faults.mapValues { $0.map(CurrentFault.init) } }.get()
  }
}

public import MarketModel
import VenueSimulator
package import WireJSON

/// Why a text is not a list of faults, or a venue can't have them.
public struct VenueFaultError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One clear line.
  public let description: String

  init(_ error: FaultSpecError) { description = error.description }
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
    writer.beginObject()
    writer.member("fault", text)
    if let end { writer.member("until", end.milliseconds) }
    writer.endObject()
  }
}

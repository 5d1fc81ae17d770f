// What is to go wrong with a simulated venue: the rows of the fault table that a venue can produce.

/// A list of faults.
///
/// The empty plan changes nothing.
///
/// Messages are numbered for each connection from 1, the greeting included. A fault at a number
/// comes before the chances; at most one fault befalls a message.
public struct FaultPlan: Sendable, Equatable {
  /// What can befall one message.
  public enum Fault: Sendable, Hashable {
    /// It is lost.
    case drop
    /// It comes twice.
    case duplicate
    /// It comes after the next one (alone, after half a second, when no other follows).
    case reorder
    /// It and all that follow come this many milliseconds later, in order.
    case delay(milliseconds: Int64)
    /// Its end is missing.
    case truncate
    /// One of its bytes is another printable ASCII character.
    case corrupt
    /// Its checksum is another; a message that has none is left alone.
    case checksum
  }

  /// How a connection that still looks open stays silent.
  public enum Silence: Sendable, Equatable {
    /// Nothing comes any more, not even answers to pings: a half-open connection.
    case everything
    /// Only answers to pings come.
    case allButPongs
  }

  /// A fault that befalls messages by chance.
  public struct Chance: Sendable, Equatable {
    /// The fault.
    public let fault: Fault
    /// How many of a million messages it befalls, 0 to 1,000,000.
    public let perMillion: Int64

    /// Makes a chance; `perMillion` is cut to its range.
    public init(_ fault: Fault, perMillion: Int64) {
      self.fault = fault
      self.perMillion = min(max(0, perMillion), 1_000_000)
    }
  }

  /// A fault that befalls answers over HTTP by chance.
  public struct ResponseChance: Sendable, Equatable {
    /// The fault.
    public let fault: ResponseFault
    /// How many of a million answers it befalls, 0 to 1,000,000.
    public let perMillion: Int64

    /// Makes a chance; `perMillion` is cut to its range.
    public init(_ fault: ResponseFault, perMillion: Int64) {
      self.fault = fault
      self.perMillion = min(max(0, perMillion), 1_000_000)
    }
  }

  /// Nothing goes wrong.
  public static let none = FaultPlan()

  /// Faults by chance; the first whose chance comes up befalls the message.
  public var chances: [Chance]
  /// Faults at message numbers.
  public var faults: [Int: Fault]
  /// The number of the last message before a connection falls silent; nil for never.
  public var silentAfter: Int?
  /// How it is silent.
  public var silence: Silence
  /// The number of the last message before a connection is cut without a close frame; nil for
  /// never.
  public var cutAfter: Int?
  /// Statuses by which the next connections are refused, in order: 401, 429, 503.
  public var refusals: [Int]

  /// What befalls the next answers over HTTP, in order; nil leaves one as it is.
  public var responses: [ResponseFault?]
  /// Faults of answers over HTTP by chance, once ``responses`` is empty.
  public var responseChances: [ResponseChance]
  /// The start of a candle that every answer of Kraken's tells with another volume, in milliseconds
  /// since 1970; nil for none.
  public var tamperedCandle: Int64?

  /// Makes a plan.
  public init(
    chances: [Chance] = [], faults: [Int: Fault] = [:], silentAfter: Int? = nil,
    silence: Silence = .everything, cutAfter: Int? = nil, refusals: [Int] = [],
    responses: [ResponseFault?] = [], responseChances: [ResponseChance] = [],
    tamperedCandle: Int64? = nil
  ) {
    self.responses = responses
    self.responseChances = responseChances
    self.tamperedCandle = tamperedCandle
    self.chances = chances
    self.faults = faults
    self.silentAfter = silentAfter
    self.silence = silence
    self.cutAfter = cutAfter
    self.refusals = refusals
  }

  /// Whether answers over HTTP pass untouched.
  var leavesResponsesAlone: Bool {
    responses.isEmpty && responseChances.isEmpty && tamperedCandle == nil
  }

  /// Whether messages pass untouched.
  var leavesMessagesAlone: Bool {
    chances.isEmpty && faults.isEmpty && silentAfter == nil && cutAfter == nil
  }
}

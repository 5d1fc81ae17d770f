public import MarketModel
public import NIOCore
import VenueProtocols

/// Reads the history of a venue's instrument once, without a stream.
public struct HistoryReader: Sendable {
  private let history: VenueHistory
  private let instrument: InstrumentKey
  private let venues: any VenueAsking
  private let loop: any EventLoop

  /// Creates a reader for an instrument of a venue at an address; nil if it has no history.
  public init?(_ instrument: InstrumentKey, at address: VenueAddress, group: any EventLoopGroup) {
    let loop = group.any()
    self.init(instrument, asking: VenueHTTP([address], on: loop), on: loop)
  }

  /// Creates a reader for an instrument; nil if its venue has no history.
  init?(_ instrument: InstrumentKey, asking venues: any VenueAsking, on loop: any EventLoop) {
    guard let history = instrument.venue.adapter.history else { return nil }
    (self.history, self.instrument, self.venues, self.loop) = (history, instrument, venues, loop)
  }

  /// The venue's candle intervals, finest first.
  public var intervals: [CandleInterval] { history.intervals }

  /// The latest candles of an interval, as many as the venue returns, including the open one.
  public func candles(_ interval: CandleInterval) async throws(HistoryFailure) -> VenueCandles {
    let name = try await name()
    guard case .candles(let candles) = try await response(to: .candles(interval), name) else {
      throw .badAnswer("no candles")
    }
    return candles
  }

  private func name() async throws(HistoryFailure) -> String {
    guard !history.nameLists.isEmpty else { return instrument.symbol.text }
    for list in history.nameLists {
      guard case .names(let names) = try await response(to: .names(list), "") else {
        throw .badAnswer("no names")
      }
      if let name = names[instrument.symbol] { return name }
    }
    throw .unknownInstrument
  }

  /// If the venue is unavailable, requests its condition for the reason.
  private func response(
    to request: HistoryRequest, _ name: String
  ) async throws(HistoryFailure) -> HistoryResponse {
    do throws(HistoryFailure) {
      return try await answer(to: request, name)
    } catch {
      guard case .unavailable = error, history.statesCondition,
        case .condition(let condition)? = try? await answer(to: .condition, ""),
        condition != .online
      else { throw error }
      throw .closed(condition)
    }
  }

  private func answer(
    to request: HistoryRequest, _ name: String
  ) async throws(HistoryFailure) -> HistoryResponse {
    guard history.path(request, name) != nil else { throw .unknownInstrument }
    let response: VenueAnswer
    do {
      response = try await venues.answer(
        of: instrument.venue, to: .history(request, name: name), on: loop)
    } catch {
      throw HistoryFailure(error)
    }
    return try history.read(
      request, name, response.status, response.body.readableBytesUInt8Span
    ).get()
  }
}

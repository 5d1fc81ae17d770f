import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import VenueCatalogue
import VenueProtocols

/// Handles servers' HTTP requests to one venue while this process holds its lease; on the bus's
/// loop.
final class QuestionAnswerer {
  private let writer: VenueTapeWriter
  private let bus: any MessageBus
  private let clock: HubClock
  private let venues: any VenueAsking
  private var board: QuestionBoard

  init(_ writer: VenueTapeWriter, bus: any MessageBus, clock: HubClock, venues: any VenueAsking) {
    (self.writer, self.bus, self.clock, self.venues) = (writer, bus, clock, venues)
    board = QuestionBoard(writer.venue)
  }

  func begin(_ epoch: UInt64) { board.begin(epoch) }

  func end() { board.end() }

  /// Handles a server's message; unreadable ones are ignored.
  func take(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let asked = AskedQuestion(message.payload) else { return }
    perform(board.take(asked, from: replyTo, at: now))
  }

  func tick() {
    // The broker may have changed.
    board.partBytes = writer.pieceBytes
    perform(board.timer(at: now))
  }

  private var now: MonotonicTime { clock.now().monotonic }

  private func perform(_ effects: [QuestionBoard.Effect]) {
    for effect in effects {
      // A paused process may have lost the lease unnoticed, or still hold it after all.
      let isHeld = writer.isHeld(at: now)
      switch effect {
      case .reply(let replyTo, let record): if isHeld { bus.publish(replyTo, record.bytes) }
      case .fetch(let question, let number):
        if isHeld { fetch(question, number) } else { board.putBack(number) }
      }
    }
  }

  private func fetch(_ question: VenueQuestion, _ number: UInt64) {
    let venue = writer.venue
    venues.ask(venue, question).hop(to: bus.eventLoop).assumeIsolated()
      .whenComplete { [weak self] result in
        guard let self else { return }
        let answer = result.mapError { AskingFailure($0, venue) }
        perform(board.fetched(number, answer, at: now))
      }
  }
}

extension AskingFailure {
  fileprivate init(_ error: any Error, _ venue: Venue) {
    let problem = error as? ConnectionProblem
    words =
      problem?.userMessage(venue: venue.displayName)
      ?? "\(venue.displayName) could not be asked."
  }
}

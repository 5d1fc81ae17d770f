// Answers what servers ask of one venue over HTTP, while the venue is ours to read.

import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import VenueCatalogue
import VenueProtocols

/// The host of a question board, on the bus's loop.
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

  /// It is ours to answer from now on.
  func begin(_ epoch: UInt64) { board.begin(epoch) }

  /// It is ours no more.
  func end() { board.end() }

  /// Takes a message of a server; one that is no question is nobody's.
  func take(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let asked = AskedQuestion(message.payload) else { return }
    perform(board.take(asked, from: replyTo, at: now))
  }

  /// Lets time pass.
  func tick() {
    // The broker may be another one.
    board.partBytes = writer.pieceBytes
    perform(board.timer(at: now))
  }

  private var now: MonotonicTime { clock.now().monotonic }

  private func perform(_ effects: [QuestionBoard.Effect]) {
    for effect in effects {
      // A process that stood still may not know yet that another one answers; nor that the lease
      // goes on after all.
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

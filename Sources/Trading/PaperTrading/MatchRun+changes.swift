import MarketModel

// Cancellations, and what changes an order once it has reached its venue.

extension MatchRun {
  mutating func cancel(_ identifier: OrderIdentifier) {
    guard let order = history.order(identifier) else {
      reply = .notCancelled(identifier, .unknownOrder)
      return
    }
    guard order.life.isOpen else {
      reply = .notCancelled(identifier, .ended(order.life.status))
      return
    }
    reply = .cancelled(identifier)
    if order.isCancelling { return }
    if sends(nil, of: order) {
      return notify(
        identifier, order.request,
        .cancellationSent(milliseconds: latency(of: order.request.symbol)))
    }
    cancel(order, because: .requested)
    settle()
  }

  /// Cancels an open order and reports it.
  mutating func cancel(_ order: Order, because reason: Cancellation.Reason) {
    recordCancellation(of: order, because: reason)
    market?.places[order.identifier] = nil
    notify(
      order.identifier, order.request,
      .cancelled(filled: order.filledQuantity, cancelled: order.openQuantity))
  }

  /// One reply covers all of them; a notice per order would bury other notices.
  mutating func cancelAll(through newest: OrderIdentifier) {
    let orders = history.openOrders.filter { $0.identifier.number <= newest.number }
    for order in orders.reversed() where !order.isCancelling && !sends(nil, of: order) {
      recordCancellation(of: order, because: .requested)
    }
    settle()
    reply = .cancelledAll(count: orders.count)
  }

  /// Sends a change to a venue with latency; false where it acts at once.
  mutating func sends(_ amendment: AmendRequest?, of order: Order) -> Bool {
    let milliseconds = latency(of: order.request.symbol)
    guard milliseconds > 0 else { return false }
    record(
      .requested(
        order.identifier,
        amendment.map { .amend($0, milliseconds: milliseconds) }
          ?? .cancel(milliseconds: milliseconds)))
    return true
  }

  /// The order that an amendment with this name changes, or will.
  func amended(by name: ClientOrderIdentifier) -> OrderIdentifier? {
    history.amendment(named: name)?.0 ?? history.requestedAmendment(named: name)?.order
  }

  /// Makes the changes of the instrument's orders whose way is over.
  mutating func arriveChanges() {
    let due = history.changes(in: rules.symbol, by: time)
    for identifier in due {
      while let order = history.order(identifier), let change = order.pending.first,
        change.isDue(at: time)
      {
        if let amendment = change.amendment {
          arrive(amendment, of: order)
        } else if due.count > 1 {
          // Of several, a notice each would bury other notices.
          recordCancellation(of: order, because: .requested)
          market?.places[identifier] = nil
        } else {
          cancel(order, because: .requested)
        }
        settle()
        catchUp()
      }
    }
  }

  private mutating func arrive(_ request: AmendRequest, of order: Order) {
    do throws(AmendProblem) {
      let (order, amendment) = try judge(request)
      let keepsPlace = amendment.keepsPlace(of: order.request)
      guard order.mayEnd(before: amendment) else {
        record(.amended(order.identifier, amendment))
        return takeAmended(order, amendment, keepsPlace: keepsPlace)
      }
      // Whether it was refused is unknown: the smaller quantity is certain, the larger possible.
      let (less, more) = order.quantities(around: amendment)
      let certain = amendment.resized(less)
      record(.amended(order.identifier, certain))
      if order.possible(after: certain) < more {
        let missed = order.isWaiting ? order.missed : nil
        record(.possible(order.identifier, PossibleFill(upTo: more, proof: nil, missed: missed)))
        notify(order.identifier, order.request, .amendedLate(upTo: more))
      }
      takeAmended(order, certain, keepsPlace: keepsPlace)
    } catch {
      record(.requested(order.identifier, .refused))
      notify(order.identifier, order.request, .amendmentRefused(error))
    }
  }
}

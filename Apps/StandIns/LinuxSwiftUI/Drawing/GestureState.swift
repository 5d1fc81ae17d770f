// What is known of a gesture while it lasts: it is set back however the gesture ends, also when the
// system takes it away and no `onEnded` is called.

import Foundation

/// A value that lasts as long as a gesture.
@propertyWrapper public struct GestureState<Value>: DynamicProperty {
  let box: StateBox<Value>

  /// Makes it with the value that it has while there is no gesture.
  public init(wrappedValue: Value) { box = StateBox(wrappedValue) }

  /// Makes it with the value that it has while there is no gesture.
  public init(initialValue: Value) { box = StateBox(initialValue) }

  /// The value.
  public var wrappedValue: Value { box.location?.value ?? box.initial }

  /// Itself, to be updated by a gesture.
  public var projectedValue: GestureState<Value> { self }
}

extension GestureState where Value: ExpressibleByNilLiteral {
  /// Makes it without a value while there is no gesture.
  public init(resetTransaction: Transaction = Transaction()) { self.init(wrappedValue: nil) }
}

extension GestureState: BoundProperty {
  func bind(in context: Context, index: Int) {
    let host = context.host
    box.location = context.element.stored(index) {
      StateLocation(box.initial) { [weak host] in host?.changed() }
    }
  }
}

// Unchecked: its boxes are changed on the main actor only, which `StateLocation` enforces.
extension GestureState: @unchecked Sendable where Value: Sendable {}

/// How a change of state is taken.
public struct Transaction {
  /// Makes one.
  public init() {}
}

@available(*, unavailable) extension Transaction: Sendable {}

/// A gesture that keeps a value up to date.
@MainActor @preconcurrency public struct GestureStateGesture<Base: Gesture, State>: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of it.
  public typealias Value = Base.Value
  /// The gesture.
  public var base: Base
  /// The value.
  public var state: GestureState<State>
  let update: (Base.Value, inout State, inout Transaction) -> Void
}

extension GestureStateGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    guard let inner = base as? any ReceivingGesture else { return GestureReceiver() }
    let (box, update) = (state.box, update)
    func reset() { box.location?.set(box.initial) }
    var receiver = inner.receiver(
      changed: { value in
        if let value = value as? Base.Value, let location = box.location {
          var (state, transaction) = (location.value, Transaction())
          update(value, &state, &transaction)
          location.set(state)
        }
        changed(value)
      },
      ended: { value in
        ended(value)
        reset()
      })
    let cancel = receiver.cancel
    receiver.cancel = {
      cancel?()
      reset()
    }
    return receiver
  }
}

extension Gesture {
  /// Keeps a value up to date while the gesture lasts.
  public func updating<State>(
    _ state: GestureState<State>,
    body: @escaping (Value, inout State, inout Transaction) -> Void
  ) -> GestureStateGesture<Self, State> {
    GestureStateGesture(base: self, state: state, update: body)
  }
}

@available(*, unavailable) extension GestureStateGesture: Sendable {}

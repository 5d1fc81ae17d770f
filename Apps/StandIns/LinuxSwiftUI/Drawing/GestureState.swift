import Foundation

/// A value that lasts as long as a gesture.
///
/// It resets however the gesture ends, also when the system cancels it and `onEnded` is not called.
@propertyWrapper public struct GestureState<Value>: DynamicProperty {
  let box: StateBox<Value>

  /// Starts with the value outside of a gesture.
  public init(wrappedValue: Value) { box = StateBox(wrappedValue) }

  /// Starts with the value outside of a gesture.
  public init(initialValue: Value) { box = StateBox(initialValue) }

  /// The current value.
  public var wrappedValue: Value { box.location?.value ?? box.initial }

  /// The state itself, for `updating`.
  public var projectedValue: GestureState<Value> { self }
}

extension GestureState where Value: ExpressibleByNilLiteral {
  /// Starts without a value outside of a gesture.
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

// Unchecked: its boxes change only on the main actor, which `StateLocation` enforces.
extension GestureState: @unchecked Sendable where Value: Sendable {}

/// A state change's context.
public struct Transaction {
  /// Creates an instance.
  public init() {}
}

@available(*, unavailable) extension Transaction: Sendable {}

/// A gesture that updates a gesture state.
@MainActor @preconcurrency public struct GestureStateGesture<Base: Gesture, State>: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// The gesture's value.
  public typealias Value = Base.Value
  /// The gesture.
  public var base: Base
  /// The current value.
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
  /// Updates a value while the gesture lasts.
  public func updating<State>(
    _ state: GestureState<State>,
    body: @escaping (Value, inout State, inout Transaction) -> Void
  ) -> GestureStateGesture<Self, State> {
    GestureStateGesture(base: self, state: state, update: body)
  }
}

@available(*, unavailable) extension GestureStateGesture: Sendable {}

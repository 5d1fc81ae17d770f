public import Foundation

enum PressPhase {
  case down
  /// It has stayed for long enough.
  case held
  case moved(CGPoint)
  case lifted(CGPoint)
}

/// A long press.
@MainActor @preconcurrency public struct LongPressGesture: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// Whether it is active.
  public typealias Value = Bool
  /// The minimum duration, in seconds.
  public var minimumDuration: Double
  /// The maximum movement, in points.
  public var maximumDistance: CGFloat

  /// A press with a minimum duration in seconds and a maximum movement in points.
  public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
    self.minimumDuration = minimumDuration
    self.maximumDistance = maximumDistance
  }
}

extension LongPressGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    var receiver = GestureReceiver()
    receiver.press = { _, phase in
      switch phase {
      case .down: changed(true)
      case .held: ended(true)
      case .moved, .lifted: break
      }
    }
    return receiver
  }
}

/// A gesture that begins once another has succeeded.
@MainActor @preconcurrency public struct SequenceGesture<First: Gesture, Second: Gesture>: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// The state of both.
  public enum Value {
    case first(First.Value)
    /// The first gesture has ended; nil until the second has a value.
    case second(First.Value, Second.Value?)
  }

  /// The first gesture.
  public var first: First
  /// The second gesture.
  public var second: Second

  /// Combines two gestures in sequence.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }
}

extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

extension SequenceGesture: ReceivingGesture {
  private final class Memory { var first: First.Value? }

  /// Only a drag after a press is imitated.
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    guard let one = first as? any ReceivingGesture, let two = second as? any ReceivingGesture
    else { return GestureReceiver() }
    let memory = Memory()
    let before = one.receiver(
      changed: { if let value = $0 as? First.Value { changed(Value.first(value)) } },
      ended: {
        guard let value = $0 as? First.Value else { return }
        memory.first = value
        changed(Value.second(value, nil))
      })
    func value(_ second: Any) -> Value? {
      memory.first.map { .second($0, second as? Second.Value) }
    }
    let after = two.receiver(
      changed: { if let value = value($0) { changed(value) } },
      ended: { if let value = value($0) { ended(value) } })
    var receiver = GestureReceiver()
    receiver.press = { start, phase in
      switch phase {
      case .down, .held: before.press?(start, phase)
      case .moved(let place): after.drag?(start, place, false)
      case .lifted(let place): after.drag?(start, place, true)
      }
    }
    receiver.cancel = {
      before.cancel?()
      after.cancel?()
    }
    return receiver
  }
}

/// One of two gestures; the first takes precedence.
@MainActor @preconcurrency public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture
{
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// The gesture that succeeded.
  public enum Value {
    case first(First.Value)
    case second(Second.Value)
  }

  /// The gesture with precedence.
  public var first: First
  /// The alternative when the first fails.
  public var second: Second

  /// Combines two gestures by precedence.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }
}

extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

extension ExclusiveGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    func first(_ tell: @escaping (Any) -> Void) -> (Any) -> Void {
      { if let value = $0 as? First.Value { tell(Value.first(value)) } }
    }
    func second(_ tell: @escaping (Any) -> Void) -> (Any) -> Void {
      { if let value = $0 as? Second.Value { tell(Value.second(value)) } }
    }
    let one = (self.first as? any ReceivingGesture)?
      .receiver(changed: first(changed), ended: first(ended))
    let two = (self.second as? any ReceivingGesture)?
      .receiver(changed: second(changed), ended: second(ended))
    // A gesture follows one kind of touch: the first that follows this kind succeeds, the second
    // fails.
    var receiver = GestureReceiver()
    receiver.press = one?.press ?? two?.press
    receiver.drag = one?.drag ?? two?.drag
    receiver.magnify = one?.magnify ?? two?.magnify
    receiver.tap = one?.tap ?? two?.tap
    receiver.cancel = {
      one?.cancel?()
      two?.cancel?()
    }
    return receiver
  }
}

extension Gesture {
  /// This gesture, and another once it has succeeded.
  public func sequenced<Other: Gesture>(before other: Other) -> SequenceGesture<Self, Other> {
    SequenceGesture(self, other)
  }

  /// This gesture, or another when it fails.
  public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
    ExclusiveGesture(self, other)
  }
}

@available(*, unavailable) extension LongPressGesture: Sendable {}
@available(*, unavailable) extension SequenceGesture: Sendable {}
@available(*, unavailable) extension ExclusiveGesture: Sendable {}

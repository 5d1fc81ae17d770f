// Gestures made of others: one after the other, or one or the other.

public import Foundation

/// How far a finger is that stays where it is for a while.
enum PressPhase {
  /// It has touched.
  case down
  /// It has stayed for long enough.
  case held
  /// It has moved since.
  case moved(CGPoint)
  /// It was lifted.
  case lifted(CGPoint)
}

/// A finger that stays where it is.
@MainActor @preconcurrency public struct LongPressGesture: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// Whether it is under way.
  public typealias Value = Bool
  /// How long it has to stay, in seconds.
  public var minimumDuration: Double
  /// How far it may move meanwhile, in points.
  public var maximumDistance: CGFloat

  /// A finger that stays for at least so long and moves at most so far.
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
  /// There is none.
  public var body: Never { neverBody() }
  /// How far both are.
  public enum Value {
    /// The first is not over.
    case first(First.Value)
    /// The first is over; nil before anything is known of the second.
    case second(First.Value, Second.Value?)
  }

  /// The one before.
  public var first: First
  /// The one after.
  public var second: Second

  /// Puts one after the other.
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

/// One of two gestures; the first goes before the second.
@MainActor @preconcurrency public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture
{
  /// There is none.
  public var body: Never { neverBody() }
  /// The one that it was.
  public enum Value {
    /// The first.
    case first(First.Value)
    /// The second.
    case second(Second.Value)
  }

  /// The one that goes before.
  public var first: First
  /// The one that is left when the first fails.
  public var second: Second

  /// Puts one before the other.
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
    // What fingers do is of one kind; the first that follows this kind succeeds, the second fails.
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

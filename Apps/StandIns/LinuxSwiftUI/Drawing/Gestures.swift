// Fingers.

public import Foundation

/// What a host tells the gestures of a view.
@MainActor struct GestureReceiver {
  var drag: ((_ start: CGPoint, _ now: CGPoint, _ isOver: Bool) -> Void)?
  var magnify: ((_ factor: CGFloat, _ start: CGPoint, _ isOver: Bool) -> Void)?
  var tap: ((CGPoint) -> Void)?
  var press: ((_ start: CGPoint, _ phase: PressPhase) -> Void)?
  /// The system takes the fingers away: a call, a swipe home, a scroller that wins.
  var cancel: (() -> Void)?
}

/// A gesture that hands its values to a receiver.
@MainActor protocol ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver
}

/// Something that fingers do.
@MainActor @preconcurrency public protocol Gesture<Value> {
  /// What is known of it.
  associatedtype Value
  /// What it is made of.
  associatedtype Body: Gesture
  /// What it is made of.
  var body: Body { get }
}

extension Never: Gesture {
  /// Nothing is known of it.
  public typealias Value = Never
}

/// Where points are measured.
public enum CoordinateSpace: Hashable {
  /// Within the screen.
  case global
  /// Within the view.
  case local
  /// Within a view of this name.
  case named(AnyHashable)
}

@available(*, unavailable) extension CoordinateSpace: Sendable {}

/// Where points are measured.
public protocol CoordinateSpaceProtocol {
  /// The same as a value.
  var coordinateSpace: CoordinateSpace { get }
}

/// Measured within the view.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol {
  /// Makes it.
  public init() {}
  /// The same as a value.
  public var coordinateSpace: CoordinateSpace { .local }
}

@available(*, unavailable) extension LocalCoordinateSpace: Sendable {}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
  /// Measured within the view.
  public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}

/// A finger that moves.
@MainActor @preconcurrency public struct DragGesture: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of a finger that moves.
  public struct Value: Equatable, Sendable {
    /// When.
    public var time: Date
    /// Where it is.
    public var location: CGPoint
    /// Where it began.
    public var startLocation: CGPoint
    /// How far it is from where it began.
    public var translation: CGSize {
      CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
    }
  }

  let minimumDistance: CGFloat

  /// A finger that moves at least so far.
  public init(
    minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol = .local
  ) { self.minimumDistance = minimumDistance }
}

extension DragGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    var receiver = GestureReceiver()
    let minimumDistance = minimumDistance
    receiver.drag = { start, now, isOver in
      let value = Value(time: Date(timeIntervalSince1970: 0), location: now, startLocation: start)
      let distance = hypot(value.translation.width, value.translation.height)
      guard distance >= minimumDistance else { return }
      (isOver ? ended : changed)(value)
    }
    return receiver
  }
}

/// Two fingers that move apart or together.
@MainActor @preconcurrency public struct MagnifyGesture: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of two such fingers.
  public struct Value: Equatable, Sendable {
    /// When.
    public var time: Date
    /// How much further apart than at the beginning.
    public var magnification: CGFloat
    /// Where they began.
    public var startLocation: CGPoint
    /// Where they began, within a unit square.
    public var startAnchor: UnitPoint
  }

  let minimumScaleDelta: CGFloat

  /// Two fingers that change their distance by at least so much.
  public init(minimumScaleDelta: CGFloat = 0.01) { self.minimumScaleDelta = minimumScaleDelta }
}

extension MagnifyGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    var receiver = GestureReceiver()
    receiver.magnify = { factor, start, isOver in
      (isOver ? ended : changed)(
        Value(
          time: Date(timeIntervalSince1970: 0), magnification: factor, startLocation: start,
          startAnchor: .center))
    }
    return receiver
  }
}

/// A tap whose place matters.
@MainActor @preconcurrency public struct SpatialTapGesture: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of a tap.
  public struct Value: Equatable, Sendable {
    /// Where it was.
    public var location: CGPoint
  }

  /// So many taps.
  public init(count: Int = 1, coordinateSpace: some CoordinateSpaceProtocol = .local) {}
}

extension SpatialTapGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    var receiver = GestureReceiver()
    receiver.tap = { ended(Value(location: $0)) }
    return receiver
  }
}

/// A gesture that does something.
@MainActor @preconcurrency public struct _ChangedGesture<Content: Gesture>: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of it.
  public typealias Value = Content.Value
  let content: Content
  let changed: (Content.Value) -> Void
}

extension _ChangedGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    let own = self.changed
    guard let inner = content as? any ReceivingGesture else { return GestureReceiver() }
    return inner.receiver(
      changed: { value in
        if let value = value as? Content.Value { own(value) }
        changed(value)
      }, ended: ended)
  }
}

/// A gesture that does something when it is over.
@MainActor @preconcurrency public struct _EndedGesture<Content: Gesture>: Gesture {
  /// There is none.
  public var body: Never { neverBody() }
  /// What is known of it.
  public typealias Value = Content.Value
  let content: Content
  let ended: (Content.Value) -> Void
}

extension _EndedGesture: ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver {
    let own = self.ended
    guard let inner = content as? any ReceivingGesture else { return GestureReceiver() }
    return inner.receiver(
      changed: changed,
      ended: { value in
        if let value = value as? Content.Value { own(value) }
        ended(value)
      })
  }
}

extension Gesture {
  /// Does something with each change.
  public func onChanged(_ action: @escaping (Value) -> Void) -> _ChangedGesture<Self>
  where Value: Equatable { _ChangedGesture(content: self, changed: action) }

  /// Does something at the end.
  public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
    _EndedGesture(content: self, ended: action)
  }
}

extension View {
  /// Follows a gesture.
  public func gesture<T: Gesture>(_ gesture: T) -> some View { following(gesture, "alone") }

  /// Follows a gesture beside others.
  public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View {
    following(gesture, "simultaneous")
  }

  private func following<T: Gesture>(_ gesture: T, _ manner: String) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in
      node.attributes[.other("gesture")] = manner
      // Gestures of the view itself are told first, as the view's own come before its parent's.
      if node.children.count == 1 {
        node.actions.gestures = node.children[0].actions.gestures
        node.children[0].actions.gestures = []
      }
      if let receiving = gesture as? any ReceivingGesture {
        node.actions.gestures.append(receiving.receiver(changed: { _ in }, ended: { _ in }))
      }
    }
    return modified
  }

  /// Does something when it is tapped.
  public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in node.actions.tap = action }
    return modified
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension DragGesture: Sendable {}
@available(*, unavailable) extension MagnifyGesture: Sendable {}
@available(*, unavailable) extension SpatialTapGesture: Sendable {}
@available(*, unavailable) extension _ChangedGesture: Sendable {}
@available(*, unavailable) extension _EndedGesture: Sendable {}

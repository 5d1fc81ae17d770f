public import Foundation

/// The events that a host sends to a view's gestures.
@MainActor struct GestureReceiver {
  var drag: ((_ start: CGPoint, _ now: CGPoint, _ isOver: Bool) -> Void)?
  var magnify: ((_ factor: CGFloat, _ start: CGPoint, _ isOver: Bool) -> Void)?
  var tap: ((CGPoint) -> Void)?
  var press: ((_ start: CGPoint, _ phase: PressPhase) -> Void)?
  /// The system cancels the touch: a call, a swipe home, a scroll view that takes over.
  var cancel: (() -> Void)?
}

/// A gesture that passes its values to a receiver.
@MainActor protocol ReceivingGesture {
  func receiver(
    changed: @escaping (Any) -> Void, ended: @escaping (Any) -> Void
  ) -> GestureReceiver
}

/// A gesture.
@MainActor @preconcurrency public protocol Gesture<Value> {
  associatedtype Value
  associatedtype Body: Gesture
  var body: Body { get }
}

extension Never: Gesture {
  /// This gesture has no value.
  public typealias Value = Never
}

/// A coordinate space.
public enum CoordinateSpace: Hashable {
  case global
  case local
  case named(AnyHashable)
}

@available(*, unavailable) extension CoordinateSpace: Sendable {}

/// A coordinate space.
public protocol CoordinateSpaceProtocol {
  var coordinateSpace: CoordinateSpace { get }
}

/// The view's coordinate space.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol {
  /// Creates an instance.
  public init() {}
  /// The coordinate space.
  public var coordinateSpace: CoordinateSpace { .local }
}

@available(*, unavailable) extension LocalCoordinateSpace: Sendable {}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
  /// The view's coordinate space.
  public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}

/// A drag.
@MainActor @preconcurrency public struct DragGesture: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// A drag's value.
  public struct Value: Equatable, Sendable {
    /// The time.
    public var time: Date
    /// The current location.
    public var location: CGPoint
    /// The start location.
    public var startLocation: CGPoint
    /// The distance from the start.
    public var translation: CGSize {
      CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
    }
  }

  let minimumDistance: CGFloat

  /// A drag with a minimum distance in points.
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

/// A pinch.
@MainActor @preconcurrency public struct MagnifyGesture: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// A pinch's value.
  public struct Value: Equatable, Sendable {
    /// The time.
    public var time: Date
    /// The factor by which the fingers moved apart.
    public var magnification: CGFloat
    /// The start location.
    public var startLocation: CGPoint
    /// The start location in unit coordinates.
    public var startAnchor: UnitPoint
  }

  let minimumScaleDelta: CGFloat

  /// A pinch with a minimum change of scale.
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

/// A tap with a location.
@MainActor @preconcurrency public struct SpatialTapGesture: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// A tap's value.
  public struct Value: Equatable, Sendable {
    /// Where it was.
    public var location: CGPoint
  }

  /// A number of taps.
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

/// A gesture with an action.
@MainActor @preconcurrency public struct _ChangedGesture<Content: Gesture>: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// The gesture's value.
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

/// A gesture with an action at its end.
@MainActor @preconcurrency public struct _EndedGesture<Content: Gesture>: Gesture {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  /// The gesture's value.
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
  /// Runs an action at each change.
  public func onChanged(_ action: @escaping (Value) -> Void) -> _ChangedGesture<Self>
  where Value: Equatable { _ChangedGesture(content: self, changed: action) }

  /// Runs an action at the end.
  public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
    _EndedGesture(content: self, ended: action)
  }
}

extension View {
  /// Attaches a gesture.
  public func gesture<T: Gesture>(_ gesture: T) -> some View { following(gesture, "alone") }

  /// Attaches a gesture that runs simultaneously with others.
  public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View {
    following(gesture, "simultaneous")
  }

  private func following<T: Gesture>(_ gesture: T, _ manner: String) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in
      node.attributes[.other("gesture")] = manner
      // The view's own gestures receive events before its parent's.
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

  /// Runs an action on a tap.
  public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in node.actions.tap = action }
    return modified
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension DragGesture: Sendable {}
@available(*, unavailable) extension MagnifyGesture: Sendable {}
@available(*, unavailable) extension SpatialTapGesture: Sendable {}
@available(*, unavailable) extension _ChangedGesture: Sendable {}
@available(*, unavailable) extension _EndedGesture: Sendable {}

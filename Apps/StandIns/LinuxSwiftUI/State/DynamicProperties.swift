// The property wrappers of views. A view's value is made anew at each evaluation; what these hold
// lives in the view's place and is connected to the value right before its body is read.

public import Combine
import Foundation

/// A property whose changes update its view.
public protocol DynamicProperty {
  /// Called before the body is read.
  mutating func update()
}

extension DynamicProperty {
  /// Nothing to do.
  public mutating func update() {}
}

/// A value and whom to tell of its changes.
final class StateLocation<Value> {
  private(set) var value: Value
  private let changed: @MainActor () -> Void

  init(_ value: Value, changed: @escaping @MainActor () -> Void) {
    self.value = value
    self.changed = changed
  }

  /// Only the main thread may change what a view shows: elsewhere this traps.
  func set(_ value: Value) {
    self.value = value
    let changed = changed
    MainActor.assumeIsolated { changed() }
  }
}

/// Where a wrapper's copies find the place of their view.
final class StateBox<Value> {
  var initial: Value
  var location: StateLocation<Value>?

  init(_ initial: Value) { self.initial = initial }
}

/// A value that a view owns.
@propertyWrapper public struct State<Value>: DynamicProperty {
  let box: StateBox<Value>

  /// Makes it with the value that it has at first.
  public init(wrappedValue value: Value) { box = StateBox(value) }

  /// Makes it with the value that it has at first.
  public init(initialValue value: Value) { box = StateBox(value) }

  /// The value.
  public var wrappedValue: Value {
    get { box.location?.value ?? box.initial }
    nonmutating set {
      guard let location = box.location else {
        box.initial = newValue
        return
      }
      location.set(newValue)
    }
  }

  /// What reads and writes it from elsewhere.
  public var projectedValue: Binding<Value> {
    let state = self
    return Binding(read: { state.wrappedValue }, write: { state.wrappedValue = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Makes it without a value.
  public init() { self.init(wrappedValue: nil) }
}

extension State: BoundProperty {
  func bind(in context: Context, index: Int) {
    let host = context.host
    box.location = context.element.stored(index) {
      StateLocation(box.initial) { [weak host] in host?.changed() }
    }
  }
}

// Unchecked: its boxes are changed on the main actor only, which `StateLocation` enforces.
extension State: @unchecked Sendable where Value: Sendable {}

/// Reads and writes a value that another owns.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty {
  let read: () -> Value
  let write: (Value) -> Void

  init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  init<Object: AnyObject>(
    of object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>
  ) {
    self.init(read: { object[keyPath: keyPath] }, write: { object[keyPath: keyPath] = $0 })
  }

  /// A value that never changes.
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(read: { value }, write: { _ in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// Itself.
  public var projectedValue: Binding<Value> { self }

  /// A part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding<Subject>(
      read: { read()[keyPath: keyPath] },
      write: { part in
        var whole = read()
        whole[keyPath: keyPath] = part
        write(whole)
      })
  }
}

// Unchecked: what it reads and writes is a state, an object or a binding of the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}

/// An object that another owns.
@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Makes bindings to the properties of the object.
  @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
    let object: ObjectType

    /// A binding to a property.
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> { Binding(of: object, keyPath) }
  }

  /// The object.
  public var wrappedValue: ObjectType

  /// Observes an object.
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

  /// Observes an object.
  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  /// Bindings to its properties.
  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

extension ObservedObject: BoundProperty {
  func bind(in context: Context, index: Int) { context.host.observe(wrappedValue) }
}

/// An object that a view owns.
@propertyWrapper @MainActor @preconcurrency
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private final class Box {
    var make: () -> ObjectType
    var object: ObjectType?

    init(make: @escaping () -> ObjectType) { self.make = make }
  }

  private final class Owner {
    let object: ObjectType

    init(_ object: ObjectType) { self.object = object }
  }

  private let box: Box

  /// Makes the object when the view is first shown.
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    box = Box(make: thunk)
  }

  /// The object.
  public var wrappedValue: ObjectType {
    if let object = box.object { return object }
    let object = box.make()
    box.object = object
    return object
  }

  /// Bindings to its properties.
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject<ObjectType>.Wrapper(object: wrappedValue)
  }
}

extension StateObject: BoundProperty {
  func bind(in context: Context, index: Int) {
    let owner = context.element.stored(index) { Owner(wrappedValue) }
    box.object = owner.object
    context.host.observe(owner.object)
  }
}

/// An object that a view above has put into the environment.
@propertyWrapper @MainActor @preconcurrency
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Makes bindings to the properties of the object.
  @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
    let object: ObjectType

    /// A binding to a property.
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> { Binding(of: object, keyPath) }
  }

  private final class Box { var object: ObjectType? }

  private let box = Box()

  /// Finds the object by its type.
  public init() {}

  /// The object; to ask for one that no view above provides is a programmer's error.
  public var wrappedValue: ObjectType {
    guard let object = box.object else {
      preconditionFailure("No ObservableObject of type \(ObjectType.self) found")
    }
    return object
  }

  /// Bindings to its properties.
  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

extension EnvironmentObject: BoundProperty {
  func bind(in context: Context, index: Int) {
    box.object = context.environment.object(of: ObjectType.self)
    if let object = box.object { context.host.observe(object) }
  }
}

/// A value of the environment.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  private final class Box { var value: Value? }

  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let box = Box()

  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value.
  public var wrappedValue: Value { box.value ?? EnvironmentValues()[keyPath: keyPath] }
}

extension Environment: BoundProperty {
  func bind(in context: Context, index: Int) { box.value = context.environment[keyPath: keyPath] }
}

public import Combine
import Foundation

/// A property that updates its view.
///
/// A view's value is created again at each evaluation; the storage lives in the view's place and is
/// connected to the value right before its body is evaluated.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  /// No effect.
  public mutating func update() {}
}

final class StateLocation<Value> {
  private(set) var value: Value
  private let changed: @MainActor () -> Void

  init(_ value: Value, changed: @escaping @MainActor () -> Void) {
    self.value = value
    self.changed = changed
  }

  /// Traps off the main actor: only the main actor may change what a view shows.
  func set(_ value: Value) {
    self.value = value
    let changed = changed
    MainActor.assumeIsolated { changed() }
  }
}

/// Connects a wrapper's copies with the place of their view.
final class StateBox<Value> {
  var initial: Value
  var location: StateLocation<Value>?

  init(_ initial: Value) { self.initial = initial }
}

/// A value that a view owns.
@propertyWrapper public struct State<Value>: DynamicProperty {
  let box: StateBox<Value>

  /// Starts with an initial value.
  public init(wrappedValue value: Value) { box = StateBox(value) }

  /// Starts with an initial value.
  public init(initialValue value: Value) { box = StateBox(value) }

  /// The current value.
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

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    let state = self
    return Binding(read: { state.wrappedValue }, write: { state.wrappedValue = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Starts without a value.
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

// Unchecked: its boxes change only on the main actor, which `StateLocation` enforces.
extension State: @unchecked Sendable where Value: Sendable {}

/// A value that is stored with the scene and restored with it.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty {
  let key: String
  let box: StateBox<Value>

  /// The current value.
  public var wrappedValue: Value {
    get { box.location?.value ?? box.initial }
    nonmutating set { box.location?.set(newValue) }
  }
}

extension SceneStorage where Value == String {
  /// Starts with the stored value, or with a default.
  public init(wrappedValue: Value, _ key: String) {
    (self.key, box) = (key, StateBox(wrappedValue))
  }
}

extension SceneStorage: BoundProperty {
  func bind(in context: Context, index: Int) {
    box.location = context.host.sceneLocation(key, box.initial)
  }
}

/// Reads and writes a value that another view owns.
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

  /// The current value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself.
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

// Unchecked: it reads and writes a state, an object or a binding of the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}

/// An object that another view owns.
@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Creates bindings to the object's properties.
  @MainActor @preconcurrency @dynamicMemberLookup public struct Wrapper {
    let object: ObjectType

    /// A binding to a property.
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> { Binding(of: object, keyPath) }
  }

  /// The observed object.
  public var wrappedValue: ObjectType

  /// Observes an object that another view owns.
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

  /// Observes an object that another view owns.
  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  /// Bindings to the object's properties.
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

  /// Creates the object when the view is first shown.
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    box = Box(make: thunk)
  }

  /// The observed object.
  public var wrappedValue: ObjectType {
    if let object = box.object { return object }
    let object = box.make()
    box.object = object
    return object
  }

  /// Bindings to the object's properties.
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

/// An object from the environment.
@propertyWrapper @MainActor @preconcurrency
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Creates bindings to the object's properties.
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

  /// The object; traps when no view above provides it.
  public var wrappedValue: ObjectType {
    guard let object = box.object else {
      preconditionFailure("No ObservableObject of type \(ObjectType.self) found")
    }
    return object
  }

  /// Bindings to the object's properties.
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

  /// The current value.
  public var wrappedValue: Value { box.value ?? EnvironmentValues()[keyPath: keyPath] }
}

extension Environment: BoundProperty {
  func bind(in context: Context, index: Int) { box.value = context.environment[keyPath: keyPath] }
}

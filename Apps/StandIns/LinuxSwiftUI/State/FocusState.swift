/// The field that has the keyboard.
@propertyWrapper public struct FocusState<Value: Hashable>: DynamicProperty {
  /// Reads and writes the focus of another view.
  @propertyWrapper public struct Binding {
    let read: () -> Value
    let write: (Value) -> Void

    /// The current focus.
    public var wrappedValue: Value {
      get { read() }
      nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding { self }
  }

  let box: StateBox<Value>

  /// Starts without the focus.
  public init() where Value == Bool { box = StateBox(false) }

  /// Starts without a focus.
  public init<T>() where Value == T?, T: Hashable { box = StateBox(nil) }

  /// The current focus.
  public var wrappedValue: Value {
    get { box.location?.value ?? box.initial }
    nonmutating set { box.location?.set(newValue) }
  }

  /// A binding to the focus.
  public var projectedValue: Binding {
    let state = self
    return Binding(read: { state.wrappedValue }, write: { state.wrappedValue = $0 })
  }
}

extension FocusState: BoundProperty {
  func bind(in context: Context, index: Int) {
    let host = context.host
    box.location = context.element.stored(index) {
      StateLocation(box.initial) { [weak host] in host?.changed() }
    }
  }
}

extension View {
  /// Gives the view the keyboard while a value is the focus.
  public func focused<Value: Hashable>(
    _ binding: FocusState<Value>.Binding, equals value: Value
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in
      node.attributes[.other("focused")] = "\(binding.wrappedValue == value)"
      node.actions.focus = { binding.wrappedValue = value }
    }
    return modified
  }
}

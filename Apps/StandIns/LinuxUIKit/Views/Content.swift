public import Foundation

/// A view's content as a value.
public protocol UIContentConfiguration {
  @MainActor func makeContentView() -> any UIView & UIContentView
  func updated(for state: any UIConfigurationState) -> Self
}

/// A state of a cell.
public protocol UIConfigurationState {
  init(traitCollection: UITraitCollection)
  var traitCollection: UITraitCollection { get set }
  subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? { get set }
}

/// A key of the app's own state values.
public struct UIConfigurationStateCustomKey: Hashable, RawRepresentable {
  /// The name.
  public let rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Shows a configuration.
@MainActor @preconcurrency public protocol UIContentView: NSObjectProtocol {
  var configuration: any UIContentConfiguration { get set }
}

/// A list cell's content.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable {
  /// Text properties.
  public struct TextProperties: Hashable {
    /// The font.
    public var font = UIFont.preferredFont(forTextStyle: .body)
    /// The colour.
    public var color = UIColor.label
    /// The maximum number of lines; 0 for any number.
    public var numberOfLines = 0
    /// Whether text shrinks to fit.
    public var adjustsFontSizeToFitWidth = false
  }

  /// The text.
  public var text: String?
  /// The secondary text.
  public var secondaryText: String?
  /// The text's properties.
  public var textProperties = TextProperties()
  /// The secondary text's properties.
  public var secondaryTextProperties = TextProperties()
  /// Whether both texts are side by side where there is room.
  public var prefersSideBySideTextAndSecondaryText = false

  /// A cell with its secondary text below.
  public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
  /// A cell with its secondary text below, small.
  public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
  /// A cell with a trailing value.
  public static func valueCell() -> UIListContentConfiguration {
    var configuration = UIListContentConfiguration()
    configuration.prefersSideBySideTextAndSecondaryText = true
    return configuration
  }

  /// Creates a view for the content.
  @MainActor public func makeContentView() -> any UIView & UIContentView {
    UIListContentView(configuration: self)
  }

  /// The same configuration for every state.
  public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration { self }
}

/// Shows a list cell's content.
@MainActor @preconcurrency open class UIListContentView: UIView, UIContentView {
  private var shown: UIListContentConfiguration

  init(showing configuration: UIListContentConfiguration) {
    shown = configuration
    super.init(frame: .zero)
  }

  /// Creates an instance.
  public convenience init(configuration: UIListContentConfiguration) {
    self.init(showing: configuration)
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// The content; traps on anything but a list configuration.
  public var configuration: any UIContentConfiguration {
    get { shown }
    set {
      guard let list = newValue as? UIListContentConfiguration else {
        preconditionFailure("a list's view shows a list's configuration only")
      }
      shown = list
    }
  }
}

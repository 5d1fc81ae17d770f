// What a cell shows, as values.

public import Foundation

/// What a view shows, as a value.
public protocol UIContentConfiguration {
  /// Makes a view that shows it.
  @MainActor func makeContentView() -> any UIView & UIContentView
  /// What it is for a state of its cell.
  func updated(for state: any UIConfigurationState) -> Self
}

/// A state of a cell.
public protocol UIConfigurationState {
  /// Makes a state for what the look depends on.
  init(traitCollection: UITraitCollection)
  /// What the look depends on.
  var traitCollection: UITraitCollection { get set }
  /// What an app has added to the state.
  subscript(key: UIConfigurationStateCustomKey) -> AnyHashable? { get set }
}

/// Names what an app adds to a state.
public struct UIConfigurationStateCustomKey: Hashable, RawRepresentable {
  /// The name.
  public let rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Shows a configuration.
@MainActor @preconcurrency public protocol UIContentView: NSObjectProtocol {
  /// What it shows.
  var configuration: any UIContentConfiguration { get set }
}

/// What a row of a list shows.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable {
  /// How words look.
  public struct TextProperties: Hashable {
    /// The font.
    public var font = UIFont.preferredFont(forTextStyle: .body)
    /// The colour.
    public var color = UIColor.label
    /// How many lines at most; 0 for any number.
    public var numberOfLines = 0
    /// Whether words get smaller to fit.
    public var adjustsFontSizeToFitWidth = false
  }

  /// The words.
  public var text: String?
  /// Less important words.
  public var secondaryText: String?
  /// How the words look.
  public var textProperties = TextProperties()
  /// How the less important words look.
  public var secondaryTextProperties = TextProperties()
  /// Whether the less important words stand beside the words where there is room.
  public var prefersSideBySideTextAndSecondaryText = false

  /// A row with less important words below.
  public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
  /// A row with less important words below, small.
  public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
  /// A row with a value at its end.
  public static func valueCell() -> UIListContentConfiguration {
    var configuration = UIListContentConfiguration()
    configuration.prefersSideBySideTextAndSecondaryText = true
    return configuration
  }

  /// Makes a view that shows it.
  @MainActor public func makeContentView() -> any UIView & UIContentView {
    UIListContentView(configuration: self)
  }

  /// The same for every state here.
  public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration { self }
}

/// Shows what a row of a list shows.
@MainActor @preconcurrency open class UIListContentView: UIView, UIContentView {
  private var shown: UIListContentConfiguration

  init(showing configuration: UIListContentConfiguration) {
    shown = configuration
    super.init(frame: .zero)
  }

  /// Makes it.
  public convenience init(configuration: UIListContentConfiguration) {
    self.init(showing: configuration)
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// What it shows; anything but a list's configuration is a programmer's error.
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

// What a cell shows, as values.

public import Foundation

/// What a view shows, as a value.
public protocol UIContentConfiguration {
  /// Makes a view that shows it.
  @MainActor func makeContentView() -> any UIView & UIContentView
  /// What it is for a state of its cell.
  @MainActor func updated(for state: any UIConfigurationState) -> Self
}

/// A state of a cell.
public protocol UIConfigurationState: Hashable, Sendable {}

/// Shows a configuration.
@MainActor @preconcurrency public protocol UIContentView: NSObjectProtocol {
  /// What it shows.
  var configuration: any UIContentConfiguration { get set }
}

/// What a row of a list shows.
public struct UIListContentConfiguration: UIContentConfiguration, Hashable, Sendable {
  /// How words look.
  public struct TextProperties: Hashable, Sendable {
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
  @MainActor public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration
  { self }
}

/// Shows what a row of a list shows.
@MainActor @preconcurrency open class UIListContentView: UIView, UIContentView {
  private var shown: UIListContentConfiguration

  /// Makes it.
  public init(configuration: UIListContentConfiguration) {
    shown = configuration
    super.init(frame: .zero)
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

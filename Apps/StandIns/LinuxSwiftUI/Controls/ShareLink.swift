// Handing things to other apps.

public import Foundation

/// Something that can be handed over; Apple's has a name without the underscore and requirements.
public protocol _Transferable {}

extension URL: _Transferable {}
extension Never: _Transferable {}

/// A button that hands things to another app.
///
/// What can be handed over (Transferable) and previews of it are not imitated: only addresses.
@MainActor @preconcurrency
public struct ShareLink<
  Data: RandomAccessCollection, PreviewImage: _Transferable, PreviewIcon: _Transferable,
  Label: View
>: View where Data.Element: _Transferable {
  let items: [URL]
  let label: Label

  /// There is none.
  public var body: Never { neverBody() }
}

extension ShareLink
where PreviewImage == Never, PreviewIcon == Never, Data.Element == URL {
  /// Hands over what lies at addresses.
  public init(
    items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
  ) {
    self.items = Array(items)
    self.label = label()
  }
}

extension ShareLink: PrimitiveView {
  /// A tap notes what was handed over.
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.button, children: context.nodes(of: label, at: "label"))
    node.isEnabled = context.environment.isEnabled
    let (items, host) = (items, context.host)
    node.actions.tap = { host.share(items) }
    return [node]
  }
}

@available(*, unavailable) extension ShareLink: Sendable {}

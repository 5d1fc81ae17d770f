public import Foundation

/// A shareable value; Apple's protocol has a name without the underscore and requirements.
public protocol _Transferable {}

extension URL: _Transferable {}
extension Never: _Transferable {}

/// A button that shares items with other apps.
///
/// Only URLs are imitated, neither other Transferable items nor previews.
@MainActor @preconcurrency
public struct ShareLink<
  Data: RandomAccessCollection, PreviewImage: _Transferable, PreviewIcon: _Transferable,
  Label: View
>: View where Data.Element: _Transferable {
  let items: [URL]
  let label: Label

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension ShareLink
where PreviewImage == Never, PreviewIcon == Never, Data.Element == URL {
  /// Shares URLs.
  public init(
    items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
  ) {
    self.items = Array(items)
    self.label = label()
  }
}

extension ShareLink: PrimitiveView {
  /// A tap records what was shared.
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.button, children: context.nodes(of: label, at: "label"))
    node.isEnabled = context.environment.isEnabled
    let (items, host) = (items, context.host)
    node.actions.tap = { host.share(items) }
    return [node]
  }
}

@available(*, unavailable) extension ShareLink: Sendable {}

import Foundation

/// A resource shared by threads until it is closed; closing waits for its users.
///
/// GRDB does not prevent SQLite from closing a connection in use. @unchecked: the condition guards
/// all mutable state.
public final class SharedResource<Resource: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var resource: Resource?
  private var useCount = 0

  /// Creates an open resource, or a closed one for nil.
  public init(_ resource: Resource? = nil) { self.resource = resource }

  /// The resource, for the thread that closes it; nil if closed.
  public var current: Resource? { condition.withLock { resource } }

  /// Replaces a closed resource.
  public func open(_ resource: Resource) { condition.withLock { self.resource = resource } }

  /// Runs a body, which must not call ``close(_:)``, with the open resource; nil if closed.
  public func use<Result>(_ body: (Resource) throws -> Result) rethrows -> Result? {
    let current = condition.withLock { () -> Resource? in
      if resource != nil { useCount += 1 }
      return resource
    }
    guard let current else { return nil }
    defer {
      condition.withLock {
        useCount -= 1
        if useCount == 0 { condition.broadcast() }
      }
    }
    return try body(current)
  }

  /// Rejects further uses, waits for current ones and closes the resource with a body, once.
  public func close(_ body: (Resource) throws -> Void) rethrows {
    let closing = condition.withLock { () -> Resource? in
      let closing = resource
      resource = nil
      while closing != nil, useCount > 0 { condition.wait() }
      return closing
    }
    if let closing { try body(closing) }
  }
}

// SQLite must not close a connection that another thread is using, and GRDB does not prevent it.

import Foundation

/// A resource that several threads use until it is closed; closing waits for those that use it.
///
/// @unchecked: the condition guards everything that changes.
public final class SharedResource<Resource: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var resource: Resource?
  private var useCount = 0

  /// An open resource; nil for one that is opened later.
  public init(_ resource: Resource? = nil) { self.resource = resource }

  /// The resource, for the thread that closes it; nil when it is closed.
  public var current: Resource? { condition.withLock { resource } }

  /// Replaces a closed resource.
  public func open(_ resource: Resource) { condition.withLock { self.resource = resource } }

  /// Runs a body with the resource, which stays open until the body returns; nil when it is closed.
  ///
  /// The body must not call ``close(_:)``.
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

  /// Refuses further uses, waits for those that have begun, and runs a body that closes the
  /// resource; does nothing when it is closed.
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

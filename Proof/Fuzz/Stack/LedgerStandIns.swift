// What the page's topics name of the ledger, so that they build without SQLite.

/// Never made here.
public enum LedgerError: Error { case standIn }

/// Never made here either.
public struct LedgerExcerpt: Sendable {}

/// Never made here either.
public struct LedgerIdentity: Hashable, Sendable {}

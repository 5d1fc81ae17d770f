// The ledger's types that the page's topics name, so that they build without SQLite.

/// Never created here.
public enum LedgerError: Error { case standIn }

/// Never created here either.
public struct LedgerExcerpt: Sendable {}

/// Never created here either.
public struct LedgerIdentity: Hashable, Sendable {}

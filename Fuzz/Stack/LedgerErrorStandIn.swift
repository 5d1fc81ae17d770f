// What the page's topics name of the ledger's errors, so that they build without SQLite.

/// Never made here.
public enum LedgerError: Error { case standIn }

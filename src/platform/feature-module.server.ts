import type { Hono } from 'hono';
import type { ExportEntries } from './data-export.server.ts';
import type { Database } from './database/database.server.ts';
import type { Statement } from './database/sql.server.ts';
import type { AppEnv } from './http/app-env.server.ts';

export interface Invariant {
  id: string;
  says: string;
  /** Selects or looks for what violates it, up to `limit`; nothing means that it holds. */
  violations: Statement | ((db: Database, limit: number) => Promise<object[]>);
}

export interface FeatureModule<Tool = never> {
  api?: readonly (() => Hono<AppEnv>)[];
  jobs?: readonly (() => void)[];
  tools?: readonly Tool[];
  /** Called in the transaction that deletes an account, which can be restored for 30 days. */
  onAccountDeleted?: (tx: Database, userId: string) => Promise<void>;
  /**
   * Erases what is a person's, in the transaction of all features.
   * @returns the keys of files, which go once the transaction holds.
   */
  erase?: (tx: Database, userId: string) => Promise<readonly string[]>;
  /** Files without a row and rows without a file, up to `limit`. */
  fileMismatches?: (db: Database, limit: number) => Promise<object[]>;
  exportEntries?: ExportEntries;
  invariants?: readonly Invariant[];
}

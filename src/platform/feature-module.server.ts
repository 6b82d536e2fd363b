import type { Hono } from 'hono';
import type { ExportEntries } from './data-export.server.ts';
import type { Database } from './database/database.server.ts';
import type { Statement } from './database/sql.server.ts';
import type { AppEnv } from './http/app-env.server.ts';
import type { SettingDefinition } from './settings/setting-definitions.server.ts';

export interface Invariant {
  id: string;
  says: string;
  /** Up to `limit`; nothing means that it holds. */
  violations: Statement | ((db: Database, limit: number) => Promise<object[]>);
  /** The same of the last two days, where `violations` reads every run: the audit of each hour asks for it. */
  recent?: Statement;
  /** Not asked for each hour: it looks at every file. */
  nightly?: boolean;
}

export interface FeatureModule<Tool = never> {
  api?: readonly (() => Hono<AppEnv>)[];
  jobs?: readonly (() => void)[];
  tools?: readonly Tool[];
  /** Called in the transaction that deletes an account, which can be restored for 30 days. */
  onAccountDeleted?: (tx: Database, userId: string) => Promise<void>;
  /** @returns the keys of files, which go once the transaction of all features holds. */
  erase?: (tx: Database, userId: string) => Promise<readonly string[]>;
  /** Selects the `key` of every file that its rows name. */
  fileKeys?: Statement;
  fileMismatches?: (db: Database, limit: number) => Promise<object[]>;
  exportEntries?: ExportEntries;
  invariants?: readonly Invariant[];
  /** What the operator may change of it, by name. */
  settings?: () => Readonly<Record<string, SettingDefinition>>;
  /** By the setting that switches a tool: whether what it needs is there. */
  available?: Readonly<Record<string, () => boolean>>;
}

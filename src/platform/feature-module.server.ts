import type { Hono } from 'hono';
import type { ExportEntries } from './data-export.server.ts';
import type { Database } from './database/database.server.ts';
import type { Statement } from './database/sql.server.ts';
import type { AppEnv } from './http/app-env.server.ts';
import type { SettingDefinition } from './settings/setting-definitions.server.ts';

export interface Invariant {
  id: string;
  description: string;
  /** Finds at most `limit` violating rows; none means that the invariant holds. */
  violations: Statement | ((db: Database, limit: number) => Promise<object[]>);
  /** The same for the last two days, for the hourly audit, where `violations` reads every run. */
  recent?: Statement;
  /** Skipped in the hourly audit, because it reads every file. */
  nightly?: boolean;
}

export interface FeatureModule<Tool = never> {
  api?: readonly (() => Hono<AppEnv>)[];
  jobs?: readonly (() => void)[];
  tools?: readonly Tool[];
  /** Called in the transaction that deletes an account; the account can be restored for 30 days. */
  onAccountDeleted?: (tx: Database, userId: string) => Promise<void>;
  /** @returns keys of files to delete after the transaction of all features has committed. */
  erase?: (tx: Database, userId: string) => Promise<readonly string[]>;
  /** Selects the `key` of every file that the feature's rows refer to. */
  fileKeys?: Statement;
  fileMismatches?: (db: Database, limit: number) => Promise<object[]>;
  exportEntries?: ExportEntries;
  invariants?: readonly Invariant[];
  /** Settings of the feature that the operator can change, by name. */
  settings?: () => Readonly<Record<string, SettingDefinition>>;
  /** Whether a tool's requirements are met, by the name of the setting that turns it on. */
  available?: Readonly<Record<string, () => boolean>>;
}

import { type Feature, features, featureTable } from '../contract.ts';

/**
 * What an entry of the ledger is in the words of our pages. `pending`: taken for work that runs; `included`: work of
 * Pro, which costs none; `refunded`: given back, in whole or in part; `plan`: what a payment or its refund did.
 */
export const entryNames = {
  pending: 'Pending',
  used: 'Used',
  included: 'Included in Pro',
  refunded: 'Refunded',
  granted: 'Granted',
  plan: 'Plan',
  adjusted: 'Adjusted',
} as const;
export type EntryName = keyof typeof entryNames;

/** Filters of the ledger: the entries that each shows. */
export const entryGroups = {
  used: ['used', 'pending', 'included'],
  refunded: ['refunded'],
  granted: ['granted', 'adjusted'],
  plan: ['plan'],
} as const satisfies Record<string, readonly EntryName[]>;
export type EntryGroup = keyof typeof entryGroups;

/** Work that the ledger and the use are told of: all that counts. */
export const countedFeatures: readonly Feature[] = features.filter(
  (feature) => featureTable[feature].counted,
);

/** What the work of an entry made, while it is there. */
export interface LedgerItem {
  kind: 'chat' | 'writer' | 'script' | 'image' | 'pdf';
  title: string;
  /** Path of its page. */
  path: string;
}

/** Row of `GET /api/me/ledger`. Entries that change nothing and tell nothing (a charge that is kept) are left out. */
export interface LedgerEntry {
  id: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** As it was written. */
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'refund' | 'adjust';
  entry: EntryName;
  feature: Feature | null;
  /** Whether the work of an entry failed or was cut off. */
  failed: boolean;
  delta: number;
  /** Balance after it. */
  balance: number;
  /** Why, in words, where no work is the cause. */
  reason: string;
  item: LedgerItem | null;
}

/** `GET /api/me/ledger?entry=&tool=&before=`: newest first; `next` is the `before` of the next page. */
export interface LedgerPage {
  entries: LedgerEntry[];
  next: number | null;
}

/** What of the ledger is wanted; null: all. */
export interface LedgerFilter {
  entry: EntryGroup | null;
  tool: Feature | null;
}

/** Days of `GET /api/me/usage`, today included. */
export const usageDays = 30;

/** `GET /api/me/usage`: the last 30 days (UTC), each tool in the order of the table of prices. */
export interface UsageView {
  /** First and last day, YYYY-MM-DD. */
  from: string;
  to: string;
  tools: {
    feature: Feature;
    runs: number;
    /** Taken and not given back. */
    credits: number;
    /** Runs of each day, the oldest first. */
    days: number[];
  }[];
}

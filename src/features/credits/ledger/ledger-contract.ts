import { m } from '#messages';
import { type Feature, features, featureTable } from '../contract.ts';

/**
 * `pending`: held for a run; `included`: a run on Pro, free of charge; `refunded`: fully or partly; `plan`: a payment
 * or its refund; `purchased`: bought credits; `taken_back`: bought credits that a refund removed.
 */
export const entryNames = {
  pending: m.ledger_pending,
  used: m.ledger_used,
  included: m.ledger_included,
  refunded: m.ledger_refunded,
  granted: m.ledger_granted,
  plan: m.ledger_plan,
  purchased: m.ledger_purchased,
  taken_back: m.ledger_taken_back,
  adjusted: m.ledger_adjusted,
} as const;
export type EntryName = keyof typeof entryNames;

export const entryGroups = {
  used: ['used', 'pending', 'included'],
  refunded: ['refunded'],
  granted: ['granted', 'adjusted', 'purchased', 'taken_back'],
  plan: ['plan'],
} as const satisfies Record<string, readonly EntryName[]>;
export type EntryGroup = keyof typeof entryGroups;

export const countedFeatures: readonly Feature[] = features.filter(
  (feature) => featureTable[feature].counted,
);

/** Listed only for people who have used them: most do not call the API, and not every site has dictation. */
export const hiddenUnlessUsed: readonly Feature[] = ['completion', 'dictation'];

export interface LedgerItem {
  kind: Feature;
  title: string;
  path: string;
}

/** Entries without change or information (a charge that is kept) are left out. */
export interface LedgerEntry {
  id: number;
  createdAt: string;
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'refund' | 'adjust';
  entry: EntryName;
  feature: Feature | null;
  failed: boolean;
  delta: number;
  balance: number;
  /** Empty if a run is the cause. */
  reason: string;
  item: LedgerItem | null;
}

/** Newest first; `next` is the `before` of the next page. */
export interface LedgerPage {
  entries: LedgerEntry[];
  next: number | null;
}

export interface LedgerFilter {
  entry: EntryGroup | null;
  tool: Feature | null;
}

export const usageDays = 30;

export interface UsageView {
  from: string;
  to: string;
  tools: {
    feature: Feature;
    runs: number;
    /** Charged and not returned. */
    credits: number;
    days: number[];
  }[];
}

import { z } from 'zod/mini';
import { type Feature, features, featureTable } from '#features/credits/contract.ts';
import type { FinishReason, GenerationState, StartedRun } from '#features/generations/contract.ts';
import type { TextLength } from '#shared/text-length.ts';

export const textLimits = {
  titleLength: 120,
  authorLength: 120,
  /** UTF-16 units. */
  textLength: 100_000,
  searchLength: 200,
  perPage: 30,
  /** Per work; each version has its whole text. */
  versions: 200,
  /** How long a deleted work can be restored. */
  restoreDays: 7,
} as const;

export const textFeatures: readonly Feature[] = features.filter(
  (feature) => featureTable[feature].makesTexts,
);

export interface TextSummary extends TextLength {
  id: string;
  feature: Feature;
  title: string;
  updatedAt: string;
  running: boolean;
  excerpt: string;
}

export type VersionKind = 'generated' | 'edited' | 'refined' | 'restored';

/** `state` is that of the generation; without one it is `done`. */
export interface VersionRow extends TextLength {
  id: string;
  kind: VersionKind;
  createdAt: string;
  savedAt: string;
  state: GenerationState;
  generationId: string | null;
  finishReason: FinishReason | null;
  error: string | null;
  creditsCharged: number;
  note: string | null;
  settings: Record<string, unknown>;
  edition: number;
}

/** While a version is running, its text so far is in its generation. */
export interface Version extends VersionRow {
  content: string;
}

export interface Proposal {
  id: string;
  versionId: string;
  generationId: string;
  state: GenerationState;
  error: string | null;
  /** In the tool's own format, including the selected part and its position. */
  request: Record<string, unknown>;
  content: string;
  createdAt: string;
}

/** Without `?version=`: the newest version that has a text or is running, else the newest. */
export interface TextDetail {
  id: string;
  feature: Feature;
  title: string;
  /** The name on the title page, '' for none; null if the owner has not chosen. */
  author: string | null;
  createdAt: string;
  updatedAt: string;
  version: Version;
  versions: VersionRow[];
  /** The newest proposal, while it runs or awaits a decision. */
  proposal: Proposal | null;
}

export interface StartedVersion extends StartedRun {
  work: { id: string };
  version: { id: string };
  /** null on an unlimited plan. */
  credits: number | null;
}

export interface StartedProposal extends StartedRun {
  work: { id: string };
  proposal: { id: string };
  credits: number | null;
}

export const updateTextBody = /* @__PURE__ */ (() =>
  z.object({
    title: z.optional(z.string().check(z.maxLength(1000))),
    author: z.optional(z.string().check(z.maxLength(1000))),
  }))();

/**
 * The client chooses the version's id: the first save creates an `edited` version, later ones replace its text while it
 * is the newest. `edition` is the last one that the client saw, 0 for the first save; any other is refused (409),
 * because somebody else has saved.
 */
export const saveVersionBody = /* @__PURE__ */ (() =>
  z.object({
    content: z.string().check(z.maxLength(textLimits.textLength)),
    edition: z.int().check(z.nonnegative()),
  }))();

/** `content` is the whole text, including the accepted proposal. */
export const decideProposalBody = /* @__PURE__ */ (() =>
  z.object({
    decision: z.enum(['accepted', 'discarded']),
    content: z.optional(z.string().check(z.maxLength(textLimits.textLength))),
  }))();

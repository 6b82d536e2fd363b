import { z } from 'zod/mini';
import type { FinishReason, GenerationState, StartedRun } from '../generations/contract.ts';

export const workLimits = {
  titleLength: 120,
  /** UTF-16 units of a text. */
  textLength: 100_000,
  searchLength: 200,
  perPage: 30,
  /** Versions of a work, which keep its whole text each. */
  versions: 200,
  /** Days for which a deleted work can be brought back. */
  keepDays: 7,
} as const;

/** The tools whose texts are works. */
export const workFeatures = ['writer', 'script'] as const;
export type WorkFeature = (typeof workFeatures)[number];

/** Row of `GET /api/works?feature=&q=&before=`: `{ works: WorkRow[], next }`, newest `updatedAt` first. */
export interface WorkRow {
  id: string;
  feature: WorkFeature;
  title: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** Something of it is being written. */
  running: boolean;
  /** Of its newest text. */
  words: number;
  /** The beginning of its newest text, on one line. */
  excerpt: string;
}

/**
 * How a version came to be: by the model, by a person's hand, by a proposal that was taken, or from an older version.
 */
export type VersionKind = 'generated' | 'edited' | 'refined' | 'restored';

/** A version without its text; its state follows its generation and is `done` for the others. */
export interface VersionRow {
  id: string;
  kind: VersionKind;
  createdAt: string;
  /** When it was last saved. */
  savedAt: string;
  state: GenerationState;
  generationId: string | null;
  finishReason: FinishReason | null;
  error: string | null;
  creditsCharged: number;
  words: number;
  /** What is to be said of it, for the reader. */
  note: string | null;
  /** What it was asked for, in the tool's own words. */
  settings: Record<string, unknown>;
  /** Counts its saves. */
  edition: number;
}

/** A version with its text; of a running one what has arrived is in its generation. */
export interface Version extends VersionRow {
  content: string;
}

/** A part of a version that is being written anew, or waits for its owner's decision. */
export interface Proposal {
  id: string;
  versionId: string;
  generationId: string;
  state: GenerationState;
  error: string | null;
  /** What was asked for, in the tool's own words; it holds the part and its place. */
  request: Record<string, unknown>;
  content: string;
  createdAt: string;
}

/**
 * `GET /api/works/:id?version=`: a work and one version of it. Without a query the newest one that has a text or runs,
 * else the newest.
 */
export interface WorkView {
  id: string;
  feature: WorkFeature;
  title: string;
  createdAt: string;
  updatedAt: string;
  version: Version;
  /** Newest first, all of them. */
  versions: VersionRow[];
  /** The newest one, while it runs or waits for a decision; null else. */
  proposal: Proposal | null;
}

/** Answer (202) and `started` event of writing a version. */
export interface StartedVersion extends StartedRun {
  work: { id: string };
  version: { id: string };
  /** Balance after the charge; null on an unlimited plan. */
  credits: number | null;
}

/** Answer (202) and `started` event of a proposal. */
export interface StartedProposal extends StartedRun {
  work: { id: string };
  proposal: { id: string };
  credits: number | null;
}

/** Body of `PATCH /api/works/:id`. */
export const renameWork = /* @__PURE__ */ (() => z.object({ title: z.string().check(z.maxLength(1000)) }))();

/**
 * Body of `PUT /api/works/:id/versions/:versionId`: the text as its owner has changed it. The id is the client's own
 * (UUID): the first save makes a version `edited`, later ones replace its text as long as it is the newest. `edition` is
 * the one that the client saw, 0 for the first save; another one is refused (409), as somebody else has saved.
 */
export const saveVersion = /* @__PURE__ */ (() =>
  z.object({
    content: z.string().check(z.maxLength(workLimits.textLength)),
    edition: z.int().check(z.nonnegative()),
  }))();

/** Body of `POST /api/works/:id/proposals/:proposalId`; `content` is the whole text with the proposal in its place. */
export const decideProposal = /* @__PURE__ */ (() =>
  z.object({
    decision: z.enum(['accepted', 'discarded']),
    content: z.optional(z.string().check(z.maxLength(workLimits.textLength))),
  }))();

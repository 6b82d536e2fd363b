import { z } from 'zod/mini';

export const scriptStyles = [
  { value: 'romance', label: 'Romance', icon: 'heart' },
  { value: 'comedy', label: 'Comedy', icon: 'laugh' },
  { value: 'thriller', label: 'Thriller', icon: 'eye' },
  { value: 'drama', label: 'Drama', icon: 'drama' },
  { value: 'action', label: 'Action', icon: 'zap' },
] as const;
export type ScriptStyle = (typeof scriptStyles)[number]['value'];

/** Lengths that the form offers, in minutes. */
export const scriptMinutes = [1, 2, 3, 5, 10, 15] as const;

export const scriptLimits = {
  /** UTF-16 units. */
  sceneLength: 4_000,
  charactersLength: 600,
  instructionLength: 600,
  mostMinutes: 15,
} as const;

export const scriptTexts = {
  noScene: 'Please enter a script scene.',
  noStyle: 'Please select a script style.',
  noInstruction: 'Please say how it should change.',
  success: 'Script generated successfully.',
  failed: 'The script could not be written. Please try again.',
} as const;

/** What a version was asked for: `settings` of its version. */
export interface ScriptSettings {
  scene: string;
  style: ScriptStyle;
  /** Wished length; null leaves it to the model. */
  minutes: number | null;
  characters: string;
}

/** Body of `POST /api/scripts`; with `workId` another version of that script. */
export const writeScript = /* @__PURE__ */ (() =>
  z.object({
    scene: z.optional(z.string().check(z.maxLength(scriptLimits.sceneLength))),
    style: z.optional(z.string().check(z.maxLength(40))),
    minutes: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(scriptLimits.mostMinutes)))),
    characters: z.optional(z.string().check(z.maxLength(scriptLimits.charactersLength))),
    workId: z.optional(z.nullable(z.uuid())),
  }))();
export type WriteScript = z.infer<typeof writeScript>;

/**
 * Body of `POST /api/scripts/:id/rewrites`: a scene of a version (its index, from 0) is to be written anew, or one
 * block of it: `block` is its index among the blocks of the whole script.
 */
export const rewriteScene = /* @__PURE__ */ (() =>
  z.object({
    versionId: z.uuid(),
    scene: z.int().check(z.nonnegative()),
    block: z.optional(z.nullable(z.int().check(z.nonnegative()))),
    instruction: z.string().check(z.maxLength(scriptLimits.instructionLength)),
  }))();
export type RewriteScene = z.infer<typeof rewriteScene>;

/** What a proposal of a script was asked for: `request` of its proposal. Places are UTF-16 units of its version. */
export interface RewriteRequest {
  heading: string;
  scene: number;
  /** Index of the one block that is written anew; null for the scene. */
  block: number | null;
  instruction: string;
  /** The text that is to be replaced, and where it stood. */
  before: string;
  from: number;
  to: number;
}

/** The text of a version with a proposal in its place, or null where what it replaces is not there any more. */
export function withProposal(content: string, request: RewriteRequest, proposed: string): string | null {
  const { before, from } = request;
  const at = content.startsWith(before, from) ? from : content.indexOf(before);
  if (at < 0) return null;
  const rest = content.slice(at + before.length).trimStart();
  const start = content.slice(0, at).trimEnd();
  return `${start}${start === '' ? '' : '\n\n'}${proposed.trim()}\n${rest === '' ? '' : `\n${rest}`}`;
}

/** What a script can be taken away as, and what reads it. */
export const scriptFormats = [
  {
    value: 'fountain',
    label: 'Fountain',
    readers: ['Highland', 'Fade In', 'Slugline', 'Beat', 'WriterDuet'],
  },
  {
    value: 'fdx',
    label: 'Final Draft',
    readers: ['Final Draft', 'Fade In', 'Arc Studio', 'WriterDuet', 'StudioBinder'],
  },
  { value: 'pdf', label: 'PDF', readers: ['every PDF reader', 'Highland'] },
  { value: 'txt', label: 'Plain text', readers: ['every text editor'] },
  { value: 'md', label: 'Markdown', readers: ['Obsidian', 'Notion', 'Typora'] },
] as const;
export type ScriptFormat = (typeof scriptFormats)[number]['value'];

import { z } from 'zod/mini';
import { m } from '#messages';

export const scriptStyles = [
  { value: 'romance', label: m.script_style_romance, icon: 'heart' },
  { value: 'comedy', label: m.script_style_comedy, icon: 'laugh' },
  { value: 'thriller', label: m.script_style_thriller, icon: 'eye' },
  { value: 'drama', label: m.script_style_drama, icon: 'drama' },
  { value: 'action', label: m.script_style_action, icon: 'zap' },
] as const;
export type ScriptStyle = (typeof scriptStyles)[number]['value'];

export const scriptMinutes = [1, 2, 3, 5, 10, 15] as const;

export const scriptLimits = {
  /** UTF-16 units. */
  sceneLength: 4_000,
  charactersLength: 600,
  instructionLength: 600,
  maxMinutes: 15,
} as const;

export interface ScriptSettings {
  scene: string;
  style: ScriptStyle;
  minutes: number | null;
  characters: string;
}

export const writeScript = /* @__PURE__ */ (() =>
  z.object({
    scene: z.optional(z.string().check(z.maxLength(scriptLimits.sceneLength))),
    style: z.optional(z.string().check(z.maxLength(40))),
    minutes: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(scriptLimits.maxMinutes)))),
    characters: z.optional(z.string().check(z.maxLength(scriptLimits.charactersLength))),
    workId: z.optional(z.nullable(z.uuid())),
  }))();
export type WriteScript = z.infer<typeof writeScript>;

/** `scene` counts from 0; `block` is the index of one of its blocks among all blocks of the script. */
export const rewriteScene = /* @__PURE__ */ (() =>
  z.object({
    versionId: z.uuid(),
    scene: z.int().check(z.nonnegative()),
    block: z.optional(z.nullable(z.int().check(z.nonnegative()))),
    instruction: z.string().check(z.maxLength(scriptLimits.instructionLength)),
  }))();
export type RewriteScene = z.infer<typeof rewriteScene>;

export type ScriptNote = 'no_dialogue';

/** Older versions store a sentence instead of a code. */
export const describeNote = (note: string | null): string | null =>
  note === ('no_dialogue' satisfies ScriptNote) ? m.script_no_dialogue() : note;

/** The `request` of a script's proposal; `from` and `to` are UTF-16 offsets in its version. */
export interface RewriteRequest {
  heading: string;
  scene: number;
  /** Index of the one block that is rewritten; null for the whole scene. */
  block: number | null;
  instruction: string;
  before: string;
  from: number;
  to: number;
}

/** Returns null if the text that the proposal replaces no longer exists. */
export function applyProposal(content: string, request: RewriteRequest, proposed: string): string | null {
  const { before, from } = request;
  const at = content.startsWith(before, from) ? from : content.indexOf(before);
  if (at < 0) return null;
  const rest = content.slice(at + before.length).trimStart();
  const start = content.slice(0, at).trimEnd();
  return `${start}${start === '' ? '' : '\n\n'}${proposed.trim()}\n${rest === '' ? '' : `\n${rest}`}`;
}

export const scriptFormats = [
  {
    format: 'fountain',
    label: m.script_format_fountain,
    readers: ['Highland', 'Fade In', 'Slugline', 'Beat', 'WriterDuet'],
  },
  {
    format: 'fdx',
    label: m.script_format_fdx,
    readers: ['Final Draft', 'Fade In', 'Arc Studio', 'WriterDuet', 'StudioBinder'],
  },
  { format: 'pdf', label: m.writer_format_pdf, readers: [m.script_any_pdf, 'Highland'] },
  { format: 'txt', label: m.writer_format_txt, readers: [m.script_any_text] },
  { format: 'md', label: m.writer_format_md, readers: ['Obsidian', 'Notion', 'Typora'] },
] as const;
export type ScriptFormat = (typeof scriptFormats)[number]['format'];

import { z } from 'zod';
import { logoSize } from '#platform/brand-files/logo-maker-protocol.ts';
import { parseModelPrices } from '#platform/config/model-prices.ts';
import { packsFormat, parsePacks } from '#platform/config/variable-kinds.server.ts';
import type { ChatModel } from '#shared/chat-models.ts';
import { cleanInputLine, codePointLength } from '#shared/input-text.ts';
import { chatModelLine, chatModelList, maxChatModels } from './chat-model-lines.server.ts';

/** Describes a setting's form field and validation. */
export interface SettingKind {
  kind: 'text' | 'lines' | 'models' | 'email' | 'color' | 'flag' | 'number' | 'picture';
  /** Bounds of a number, of a text's length in characters, or of the number of lines. */
  min?: number;
  max?: number;
  /** The unit of a number. */
  unit?: string;
  schema: z.ZodType;
}

/** Formats a value as text for `readSettingText`; '' if there is none. */
export function settingText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return String(value);
  return value
    .map((each) => (typeof each === 'object' ? chatModelLine(each as ChatModel) : String(each)))
    .join('\n');
}

/** Whether the value is a list with one entry per line. */
export const isListSetting = ({ kind }: Pick<SettingKind, 'kind'>): boolean =>
  kind === 'lines' || kind === 'models';

/** Converts typed text to a value for the schema; unconvertible text stays text, which the schema rejects. */
export function readSettingText({ kind }: Pick<SettingKind, 'kind'>, text: string): unknown {
  if (isListSetting({ kind })) return text.split('\n').filter((each) => each.trim() !== '');
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  return text;
}

const line = (max: number) =>
  z
    .string('must be text')
    .max(max * 4, `must be ${max} characters or less`)
    .transform(cleanInputLine)
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => codePointLength(text) <= max, `must be ${max} characters or less`)
    .refine((text) => !/[<>]/.test(text), 'must not contain < or >');

export const text = (max: number): SettingKind => ({ kind: 'text', min: 1, max, schema: line(max) });

export const lines = (max: number): SettingKind => ({
  kind: 'lines',
  min: 1,
  max,
  schema: z
    .array(line(100), 'must be a list of lines')
    .min(1, 'must have at least one line')
    .max(max, `must have ${max} lines or less`),
});

/** One model per line; see ./chat-model-lines.server.ts. */
export const models = (): SettingKind => ({
  kind: 'models',
  min: 0,
  max: maxChatModels,
  schema: chatModelList,
});

export const email = (): SettingKind => ({
  kind: 'email',
  max: 254,
  schema: z
    .string('must be text')
    .trim()
    .max(254)
    .pipe(z.email('must be an address such as help@example.com')),
});

export const flag = (): SettingKind => ({ kind: 'flag', schema: z.boolean('must be true or false') });

const notUploaded = 'must be an image: upload it at /admin/settings/logo';

/** Uploaded, not typed. */
export const picture = (): SettingKind => ({
  kind: 'picture',
  schema: z.strictObject(
    {
      path: z.string().regex(/^\/brand\/logo-[\w-]{22}\.png$/, notUploaded),
      icon: z.string().regex(/^\/brand\/icon-[\w-]{22}\.png$/, notUploaded),
      withName: z.boolean(),
      width: z.int().min(1).max(logoSize.width),
      height: z.int().min(1).max(logoSize.height),
    },
    notUploaded,
  ),
});

/** A valid value is only a color, so it cannot inject other CSS. */
export const color = (check: (color: string) => string | null): SettingKind => ({
  kind: 'color',
  schema: z
    .string('must be text')
    .regex(/^(#[0-9a-fA-F]{6})?$/, 'must be a color such as #1a7f37, or empty')
    .transform((value) => value.toLowerCase())
    .superRefine((value, context) => {
      const problem = value === '' ? null : check(value);
      if (problem) context.addIssue(problem);
    }),
});

/** Whole numbers, unless `fractions` is set. */
export const number = ({
  min,
  max,
  unit,
  fractions = false,
}: {
  min: number;
  max: number;
  unit: string;
  fractions?: boolean;
}): SettingKind => {
  const value = z
    .number('must be a number')
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`);
  return { kind: 'number', min, max, unit, schema: fractions ? value : value.int('must be a whole number') };
};

/** An identifier of another service; '' means none. */
export const identifier = (max: number, { empty = false } = {}): SettingKind => ({
  kind: 'text',
  min: empty ? 0 : 1,
  max,
  schema: z
    .string('must be text')
    .trim()
    .max(max, `must be ${max} characters or less`)
    .regex(/^[\x21-\x7e]*$/, 'must be letters, digits and symbols without spaces')
    .refine((value) => empty || value !== '', 'must not be empty'),
});

/** '' means none. */
export const packs = (): SettingKind => ({
  kind: 'text',
  min: 0,
  max: 1000,
  schema: z
    .string('must be text')
    .trim()
    .max(1000, 'must be 1000 characters or less')
    .refine((value) => value === '' || parsePacks(value) !== null, packsFormat),
});

export const prices = (): SettingKind => ({
  kind: 'text',
  min: 0,
  max: 4000,
  schema: z
    .string('must be text')
    .trim()
    .max(4000, 'must be 4000 characters or less')
    .refine(
      (value) => value === '' || parseModelPrices(value) !== null,
      'must be MODEL=INPUT/OUTPUT or MODEL=PRICE in US dollars, separated by commas',
    ),
});

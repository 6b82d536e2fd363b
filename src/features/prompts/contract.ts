import { z } from 'zod/mini';
import { m } from '#messages';
import { cleanText, cutText } from '#shared/clean-text.ts';

export const categories = ['writing', 'programming', 'image', 'marketing'] as const;
export type Category = (typeof categories)[number];

export const categoryNames: Record<Category, () => string> = {
  writing: m.prompts_category_writing,
  programming: m.prompts_category_programming,
  image: m.prompts_category_image,
  marketing: m.prompts_category_marketing,
};

export const sorts = ['popular', 'new', 'mine'] as const;
export type Sort = (typeof sorts)[number];

export const promptLimits = {
  /** Code points. */
  titleLength: 80,
  descriptionLength: 160,
  contentLength: 6_000,
  minContentLength: 20,
  reportLength: 500,
  searchLength: 100,
  perStep: 24,
  perPage: 240,
  own: 300,
  /** Per hour. */
  created: 30,
  changed: 120,
  deleted: 600,
  submitted: 20,
  liked: 120,
  used: 240,
  rated: 60,
  reported: 10,
} as const;

export const ratingsToShow = 3;

export const promptTexts = {
  locked: m.prompts_locked,
  like: m.prompts_login_like,
  upload: m.prompts_login_upload,
  use: m.prompts_login_use,
  report: m.prompts_login_report,
  rate: m.prompts_login_rate,
  notUsed: m.prompts_use_first,
  ownRating: m.prompts_own_rating,
  stars: m.prompts_stars_invalid,
  title: () => m.prompts_title_invalid({ most: promptLimits.titleLength }),
  description: () => m.prompts_description_invalid({ most: promptLimits.descriptionLength }),
  content: () =>
    m.prompts_content_invalid({ least: promptLimits.minContentLength, most: promptLimits.contentLength }),
  tooMany: () => m.prompts_too_many({ most: promptLimits.own }),
  tooOften: m.prompts_too_often,
  tooManyLikes: m.prompts_too_many_likes,
  tooManyReports: m.prompts_too_many_reports,
  tooManyRatings: m.prompts_too_many_ratings,
  notPending: m.prompts_not_pending,
} as const;

/** `withdrawn`: the operator took the prompt out of the library. */
export type PromptState = 'private' | 'pending' | 'approved' | 'rejected' | 'withdrawn';

export interface Prompt {
  id: string;
  /** For its address; equals the id if it was never published. */
  slug: string;
  title: string;
  description: string;
  content: string;
  category: Category;
  likes: number;
  isLiked: boolean;
  /** Requires Pro: the reader sees only its first lines. */
  isLocked: boolean;
  isPro: boolean;
  isCurated: boolean;
  opensIn: 'chat' | 'image';
  /** Mean of people's ratings with one decimal; null while fewer than `ratingsToShow` people have rated. */
  rating: { average: number; count: number } | null;
  /** For curated prompts; null once people's ratings are shown. */
  editorRating: { value: number; reason: string } | null;
  isUsed: boolean;
  ownRating: number | null;
  own: { state: PromptState; reason: string | null } | null;
}

export type PromptRating = Pick<Prompt, 'rating' | 'editorRating' | 'ownRating'>;

export interface PromptPage {
  prompts: Prompt[];
  total: number;
  from: number;
}

export interface PromptQuery {
  q: string;
  category: Category | null;
  sort: Sort;
  from: number;
  shown: number;
}

const clampedNumber = (text: string | null | undefined, min: number, max: number) => {
  const number = /^\d{1,6}$/.test(text ?? '') ? Number(text) : min;
  return Math.min(max, Math.max(min, number));
};

/** Treats unknown and out-of-range values as absent. */
export function parseQuery(search: URLSearchParams): PromptQuery {
  const { perStep, perPage, searchLength } = promptLimits;
  return {
    q: cutText(cleanText(search.get('q') ?? '').trim(), searchLength),
    category: categories.find((each) => each === search.get('category')) ?? null,
    sort: sorts.find((each) => each === search.get('sort')) ?? 'popular',
    from: clampedNumber(search.get('from'), 0, 100_000),
    shown: clampedNumber(search.get('shown'), perStep, perPage),
  };
}

export function promptsPath({ q, category, sort, from, shown }: PromptQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (category) search.set('category', category);
  if (sort !== 'popular') search.set('sort', sort);
  if (from > 0) search.set('from', String(from));
  if (shown > promptLimits.perStep) search.set('shown', String(shown));
  return `/tools/prompts${search.size > 0 ? `?${search}` : ''}`;
}

const openingLines = 3;
const openingLength = 220;

function beforeOpenBraces(text: string): string {
  const open = text.lastIndexOf('{{');
  return open > text.lastIndexOf('}}') ? text.slice(0, open) : text;
}

/** Returns at most three lines and a third of the prompt, and never cuts a word or a variable. */
export function openingOf(content: string): string {
  const maxLength = Math.min(openingLength, Math.floor(content.length / 3));
  const lines = content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, openingLines)
    .join('\n');
  if (lines.length <= maxLength) return lines;
  const cut = cutText(lines, maxLength);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))) || cut;
  return beforeOpenBraces(words).trimEnd();
}

// The schemas are marked as pure, so that a page that only needs the limits does not load the validator.

/** The client may choose the id, so that a retry does not create a second prompt. */
export const promptBody = /* @__PURE__ */ (() =>
  z.object({
    id: z.optional(z.uuid()),
    title: z.string(),
    description: z.optional(z.string()),
    content: z.string(),
    category: z.enum(categories),
  }))();
export type PromptBody = z.infer<typeof promptBody>;

export const reportBody = /* @__PURE__ */ (() =>
  z.object({ reason: z.string().check(z.maxLength(promptLimits.reportLength)) }))();

export const ratingBody = /* @__PURE__ */ (() =>
  z.object({ stars: z.int({ error: promptTexts.stars }).check(z.minimum(1), z.maximum(5)) }))();

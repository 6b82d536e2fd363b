import { z } from 'zod/mini';
import type { GenerationState, StartedRun } from '../generations/contract.ts';

/** The sizes that the specification promises, with its labels. */
export const imageSizes = [
  { value: '512x512', label: '512x512', description: 'Square', width: 512, height: 512 },
  { value: '768x512', label: '768x512', description: 'Landscape', width: 768, height: 512 },
  { value: '1024x1024', label: '1024x1024', description: 'High Quality', width: 1024, height: 1024 },
] as const;
export type ImageSize = (typeof imageSizes)[number]['value'];

export const defaultSize: ImageSize = '1024x1024';

/** Width and height of a size in pixels. */
export const pixelsOf = (size: ImageSize): { width: number; height: number } =>
  imageSizes.find(({ value }) => value === size) ?? imageSizes[2];

/** Whether a text from outside names a size. */
export const isImageSize = (text: unknown): text is ImageSize =>
  imageSizes.some(({ value }) => value === text);

export const imageLimits = {
  /** UTF-16 units of a prompt. */
  prompt: 4_000,
  /** Pictures of one request. */
  count: 4,
  /** UTF-16 units of a search that count. */
  search: 200,
  /** Days that a deleted picture can come back. */
  keptDays: 7,
} as const;

/** Widths of the previews of a picture; no preview is wider than the picture. */
export const previewWidths = [320, 640] as const;

const several = (count: number) => (count === 1 ? 'an image' : `${count} images`);

export const imageTexts = {
  emptyPrompt: 'Please enter a prompt for image generation.',
  insufficientTitle: 'Insufficient Credits',
  /** Of the credits that so many images cost. */
  insufficient: (credits: number, count: number) =>
    `You need ${credits} credits to generate ${several(count)}.`,
} as const;

/** Body of `POST /api/images`, beside the Idempotency-Key. */
export const startImages = z.object({
  prompt: z.string(),
  size: z._default(z.enum(imageSizes.map(({ value }) => value)), defaultSize),
  count: z._default(z.int().check(z.minimum(1), z.maximum(imageLimits.count)), 1),
});
export type StartImages = z.output<typeof startImages>;

/** One picture; its bytes are at `pictureUrl`. */
export interface PictureView {
  id: string;
  /** From 0 on, within its job. */
  position: number;
  width: number;
  height: number;
  /** Of the PNG. */
  bytes: number;
}

/** One request for pictures. */
export interface ImageJob {
  /** The same as its generation's. */
  id: string;
  prompt: string;
  size: ImageSize;
  /** Pictures that were asked for. */
  count: number;
  /** Pictures that were made, deleted ones too. */
  made: number;
  model: string;
  state: GenerationState;
  creditsCharged: number;
  createdAt: string;
  error: { code: string; message: string } | null;
  pictures: PictureView[];
}

/** Answer of `GET /api/images`; `next` is the `before` of the next page. */
export interface ImagePage {
  jobs: ImageJob[];
  next: string | null;
}

/** Answer of `POST /api/images`; `credits` is null on an unlimited plan. */
export interface StartedImages extends StartedRun {
  job: ImageJob;
  credits: number | null;
}

/** A line of a run's progress: a picture that is stored, or one that could not be made. */
export type ImageStep = { position: number; picture: PictureView } | { position: number; failed: string };

/** Address of a picture: as PNG, or as a preview of at least this width where there is one. */
export const pictureUrl = (id: string, width?: (typeof previewWidths)[number]): string =>
  `/api/images/pictures/${id}${width ? `?w=${width}` : ''}`;

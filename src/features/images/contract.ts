import { z } from 'zod/mini';
import type { GenerationState, StartedRun } from '#features/generations/contract.ts';
import { m } from '#messages';

export { prefillImagePrompt } from './prefill.ts';

export const imageSizes = [
  { value: '512x512', label: '512 × 512', description: m.images_size_square, width: 512, height: 512 },
  { value: '768x512', label: '768 × 512', description: m.images_size_landscape, width: 768, height: 512 },
  { value: '1024x1024', label: '1024 × 1024', description: m.images_size_high, width: 1024, height: 1024 },
] as const;
export type ImageSize = (typeof imageSizes)[number]['value'];

export const defaultSize: ImageSize = '1024x1024';

export const pixelsOf = (size: ImageSize): { width: number; height: number } =>
  imageSizes.find(({ value }) => value === size) ?? imageSizes[2];

export const isImageSize = (text: unknown): text is ImageSize =>
  imageSizes.some(({ value }) => value === text);

export const imageLimits = {
  /** UTF-16 units. */
  prompt: 4_000,
  count: 4,
  search: 200,
  restoreDays: 7,
} as const;

/** Pixels; the preview of a smaller image is as wide as the image. */
export const previewWidths = [320, 640] as const;

export const startImages = /* @__PURE__ */ (() =>
  z.object({
    prompt: z.string(),
    size: z._default(z.enum(imageSizes.map(({ value }) => value)), defaultSize),
    count: z._default(z.int().check(z.minimum(1), z.maximum(imageLimits.count)), 1),
  }))();
export type StartImages = z.output<typeof startImages>;

export interface PictureView {
  id: string;
  position: number;
  width: number;
  height: number;
  bytes: number;
}

export interface ImageJob {
  id: string;
  prompt: string;
  size: ImageSize;
  count: number;
  made: number;
  model: string;
  state: GenerationState;
  creditsCharged: number;
  /** Imported from an archive: not made here, and not charged. */
  imported: boolean;
  createdAt: string;
  error: { code: string; message: string } | null;
  pictures: PictureView[];
}

/** The generated images in a chat reply; `jobId` is null after they were deleted. */
export interface DrawnImages {
  jobId: string | null;
  prompt: string;
  size: ImageSize;
  pictures: PictureView[];
}

/** `next` is the `before` of the next page, null on the last one. */
export interface ImagePage {
  jobs: ImageJob[];
  next: string | null;
}

/** `credits` is null on an unlimited plan. */
export interface StartedImages extends StartedRun {
  job: ImageJob;
  credits: number | null;
}

export type ImageStep = { position: number; picture: PictureView } | { position: number; failed: string };

export const pictureUrl = (id: string, width?: (typeof previewWidths)[number]): string =>
  `/api/images/pictures/${id}${width ? `?w=${width}` : ''}`;

import { z } from 'zod/mini';
import {
  defaultSize,
  type ImageSize,
  imageLimits,
  imageSizes,
  isImageSize,
} from '#features/images/contract.ts';
import { isUnset, nullish, readFields } from './request-fields.server.ts';

const sizes = imageSizes.map(({ value }) => value);

const imageRequest = z.object({
  model: nullish(z.string()),
  prompt: z.string(),
  n: nullish(z.int().check(z.minimum(1), z.maximum(imageLimits.count))),
  size: nullish(z.enum(['auto', ...sizes])),
  response_format: nullish(z.enum(['url', 'b64_json'])),
});

const isOneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

const unsupported = {
  stream: isUnset,
  partial_images: isUnset,
  quality: isOneOf('auto', 'standard'),
  style: isOneOf('vivid'),
  background: isOneOf('auto', 'opaque'),
  output_format: isOneOf('png'),
  output_compression: isOneOf(100),
};

const hints = {
  n: ` It is 1 to ${imageLimits.count}.`,
  size: ` It is one of auto, ${sizes.join(', ')}.`,
};

export interface ImageRequest {
  model: string | null;
  prompt: string;
  count: number;
  size: ImageSize;
  format: 'url' | 'b64_json';
}

/** @throws ApiRefusal for what is not supported */
export function readImageRequest(body: Record<string, unknown>): ImageRequest {
  const { model, prompt, n, size, response_format } = readFields(body, imageRequest, { unsupported, hints });
  return {
    model: model ?? null,
    prompt,
    count: n ?? 1,
    size: isImageSize(size) ? size : defaultSize,
    format: response_format ?? 'url',
  };
}

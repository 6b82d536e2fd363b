import { z } from 'zod/mini';
import {
  defaultSize,
  type ImageSize,
  imageLimits,
  imageSizes,
  isImageSize,
} from '#features/images/contract.ts';
import { absent, isNothing, readFields } from './request-fields.server.ts';

const sizes = imageSizes.map(({ value }) => value);

const imageRequest = z.object({
  model: absent(z.string()),
  prompt: z.string(),
  n: absent(z.int().check(z.minimum(1), z.maximum(imageLimits.count))),
  size: absent(z.enum(['auto', ...sizes])),
  response_format: absent(z.enum(['url', 'b64_json'])),
});

const isAny =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);

const refused = {
  stream: isNothing,
  partial_images: isNothing,
  quality: isAny('auto', 'standard'),
  style: isAny('vivid'),
  background: isAny('auto', 'opaque'),
  output_format: isAny('png'),
  output_compression: isAny(100),
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
  const { model, prompt, n, size, response_format } = readFields(body, imageRequest, { refused, hints });
  return {
    model: model ?? null,
    prompt,
    count: n ?? 1,
    size: isImageSize(size) ? size : defaultSize,
    format: response_format ?? 'url',
  };
}

import { type PromptSample, promptSamples } from '#content/prompts/samples.ts';
import type { Prompt } from './contract.ts';

export function samplesOf(
  prompts: readonly Pick<Prompt, 'slug' | 'isCurated'>[],
): Partial<Record<string, PromptSample>> {
  return Object.fromEntries(
    prompts.flatMap(({ slug, isCurated }) => {
      const sample = isCurated ? promptSamples[slug] : undefined;
      return sample ? [[slug, sample]] : [];
    }),
  );
}

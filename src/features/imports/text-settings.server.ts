import { z } from 'zod';
import type { Feature } from '#features/credits/contract.ts';
import { scriptLimits, scriptStyles } from '#features/script/contract.ts';
import { lengths, textTypes, tones, writerLimits } from '#features/writer/contract.ts';
import { cleanText } from '#shared/clean-text.ts';

const known = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const words = (length: number) => known(z.string().max(length).transform(cleanText));

const minutes = z.int().min(1).max(scriptLimits.mostMinutes).nullable();

/** Of a tool that is not named here a text comes without what it was asked for. */
const settingsOfTools: Partial<Record<Feature, z.ZodType<object>>> = {
  writer: z.object({
    prompt: words(writerLimits.prompt),
    type: known(z.enum(textTypes)),
    tone: known(z.enum(tones)),
    length: known(z.enum(lengths)),
  }),
  script: z.object({
    scene: words(scriptLimits.sceneLength),
    style: known(z.enum(scriptStyles.map(({ value }) => value))),
    minutes: known(minutes),
    characters: words(scriptLimits.charactersLength),
  }),
};

/** What a version was asked for, as far as its tool can show it. */
export const readSettings = (tool: Feature, settings: unknown): object =>
  settingsOfTools[tool]?.safeParse(settings).data ?? {};

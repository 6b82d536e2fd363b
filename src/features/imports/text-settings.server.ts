import { z } from 'zod';
import type { Feature } from '#features/credits/contract.ts';
import { scriptLimits, scriptStyles } from '#features/script/contract.ts';
import { lengths, textTypes, tones, writerLimits } from '#features/writer/contract.ts';
import { cleanText } from '#shared/clean-text.ts';

const known = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const words = (length: number) => known(z.string().max(length).transform(cleanText));

const minutes = z.int().min(1).max(scriptLimits.mostMinutes).nullable();

/** Texts of other tools are imported without their settings. */
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

/** Returns the settings of a version, reduced to valid ones that its tool can show. */
export const readSettings = (tool: Feature, settings: unknown): object =>
  settingsOfTools[tool]?.safeParse(settings).data ?? {};

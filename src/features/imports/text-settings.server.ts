import { z } from 'zod';
import type { Feature } from '#features/credits/contract.ts';
import { scriptLimits, scriptStyles } from '#features/script/contract.ts';
import { lengths, textTypes, tones, writerLimits } from '#features/writer/contract.ts';
import { cleanText } from '#shared/clean-text.ts';

const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const textUpTo = (length: number) => lenient(z.string().max(length).transform(cleanText));

const minutes = z.int().min(1).max(scriptLimits.maxMinutes).nullable();

/** Texts of other tools are imported without their settings. */
const settingsOfTools: Partial<Record<Feature, z.ZodType<object>>> = {
  writer: z.object({
    prompt: textUpTo(writerLimits.prompt),
    type: lenient(z.enum(textTypes)),
    tone: lenient(z.enum(tones)),
    length: lenient(z.enum(lengths)),
  }),
  script: z.object({
    scene: textUpTo(scriptLimits.sceneLength),
    style: lenient(z.enum(scriptStyles.map(({ value }) => value))),
    minutes: lenient(minutes),
    characters: textUpTo(scriptLimits.charactersLength),
  }),
};

/** Returns the settings of a version, reduced to valid ones that its tool can show. */
export const readSettings = (tool: Feature, settings: unknown): object =>
  settingsOfTools[tool]?.safeParse(settings).data ?? {};

import { z } from 'zod';
import type { ChatModel } from '#shared/chat-models.ts';
import { cleanInputLine, codePointLength } from '#shared/input-text.ts';

/** More would no longer be a choice, and every page of the app contains them. */
export const maxChatModels = 20;

const lengths = { name: 40, about: 120 } as const;

export const chatModelFormat = 'ID | NAME | WHAT IT IS GOOD FOR | OPTIONS';

const defaults = {
  context: null,
  seesImages: false,
  thinks: false,
  credits: null,
  pro: false,
  fallbacks: [],
} as const;

const maxFallbacks = 3;

type Options = Omit<ChatModel, 'id' | 'name' | 'about'>;

const flags: Readonly<Record<string, Partial<Options>>> = {
  images: { seesImages: true },
  thinks: { thinks: true },
  pro: { pro: true },
};

function readOption(word: string): Partial<Options> | null {
  const flag = flags[word.toLowerCase()];
  if (flag) return flag;
  const [, credits] = /^(\d{1,5}) credits?$/i.exec(word) ?? [];
  if (credits) return { credits: Number(credits) };
  const [, fallback] = /^fallback (\S+)$/i.exec(word) ?? [];
  if (fallback) return { fallbacks: [fallback] };
  const [, context] = /^context (\d{1,8})$/i.exec(word) ?? [];
  return context ? { context: Number(context) } : null;
}

/** @returns the problem as text if the line does not have the form. */
function readLine(line: string): ChatModel | string {
  const [id = '', name = '', about = '', options = '', ...more] = line.split('|').map(cleanInputLine);
  if (id === '' || name === '' || more.length > 0) return `must be ${chatModelFormat}`;
  const words = options === '' ? [] : options.split(',').map((word) => word.trim());
  let model: ChatModel = { id, name, about, ...defaults, fallbacks: [] };
  for (const word of words) {
    const option = readOption(word);
    if (!option)
      return `has the unknown option "${word}"; the options are images, thinks, pro, 5 credits, context 128000, fallback ID`;
    model = { ...model, ...option, fallbacks: [...model.fallbacks, ...(option.fallbacks ?? [])] };
  }
  return model;
}

/** The reverse of `readLine`. */
export function chatModelLine({ id, name, about, ...options }: ChatModel): string {
  const words = [
    ...(options.seesImages ? ['images'] : []),
    ...(options.thinks ? ['thinks'] : []),
    ...(options.pro ? ['pro'] : []),
    ...(options.credits === null
      ? []
      : [`${options.credits} ${options.credits === 1 ? 'credit' : 'credits'}`]),
    ...(options.context === null ? [] : [`context ${options.context}`]),
    ...options.fallbacks.map((id) => `fallback ${id}`),
  ];
  return [id, name, about, words.join(', ')].join(' | ').replace(/[ |]+$/, '');
}

const line = (max: number, min: number) =>
  z
    .string()
    .transform(cleanInputLine)
    .refine((text) => codePointLength(text) >= min && codePointLength(text) <= max && !/[<>|]/.test(text));

const modelId = z.string().regex(/^[\x21-\x2b\x2d-\x7b\x7d\x7e]{1,200}$/);

const model = z.strictObject({
  id: modelId,
  name: line(lengths.name, 1),
  about: line(lengths.about, 0),
  context: z.int().min(1_000).max(10_000_000).nullable(),
  seesImages: z.boolean(),
  thinks: z.boolean(),
  credits: z.int().min(1).max(10_000).nullable(),
  pro: z.boolean(),
  // Lists that were stored before fallbacks existed lack them.
  fallbacks: z.array(modelId).max(maxFallbacks).default([]),
});

const fieldErrors: Readonly<Record<string, string>> = {
  id: 'must start with its ID at the gateway, up to 200 letters, digits and symbols',
  name: `must have a name of 1 to ${lengths.name} characters without < and >`,
  about: `must say what it is good for in up to ${lengths.about} characters without < and >`,
  context: 'must have a context of 1000 to 10000000 tokens',
  fallbacks: `must have at most ${maxFallbacks} fallbacks, each by its ID at the gateway`,
  credits: 'must cost 1 to 10000 credits',
};

function readModel(input: unknown): ChatModel | string {
  const parsed = typeof input === 'string' ? readLine(input) : input;
  if (typeof parsed === 'string') return parsed;
  const { success, data, error } = model.safeParse(parsed);
  if (success) return data;
  return fieldErrors[String(error.issues[0]?.path[0])] ?? `must be ${chatModelFormat}`;
}

function listProblem(models: readonly ChatModel[]): string | null {
  const [first] = models;
  if (first?.pro) return 'line 1 must be open to everyone: it is the default';
  if (first?.credits != null)
    return 'line 1 has the price of a chat message (tool.chat.price): leave its credits out';
  const duplicate = models.findIndex(({ id, name }, at) =>
    models.slice(0, at).some((other) => other.id === id || other.name === name),
  );
  return duplicate < 0 ? null : `line ${duplicate + 1} repeats the ID or name of another line`;
}

/** Accepts lines as an operator types them, and models that were parsed before. */
export const chatModelList = z
  .array(z.unknown(), `must be lines of ${chatModelFormat}`)
  .max(maxChatModels, `must have ${maxChatModels} lines or less`)
  .transform((inputs, context): ChatModel[] => {
    const models: ChatModel[] = [];
    for (const [at, each] of inputs.entries()) {
      const parsed = readModel(each);
      if (typeof parsed === 'string') {
        context.addIssue(`line ${at + 1} ${parsed}`);
        return z.NEVER;
      }
      models.push(parsed);
    }
    const problem = listProblem(models);
    if (problem) context.addIssue(problem);
    return problem ? z.NEVER : models;
  });

import { randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { type Database, database } from '#platform/database/database.server.ts';
import { cleanInput } from '#shared/input-text.ts';
import {
  type Decision,
  decide,
  openReports,
  promptsByIdPrefix,
  promptsInQueue,
  type QueuedRow,
  type QueueName,
  type ReportedRow,
} from './moderation-store.server.ts';

/** `message` is one line for the operator. */
export class ModerationError extends Error {}

const actions = {
  approve: { from: 'pending', to: 'approved' },
  reject: { from: 'pending', to: 'rejected' },
  unpublish: { from: 'approved', to: 'withdrawn' },
  keep: { from: 'approved', to: 'approved' },
} as const satisfies Record<Decision['action'], Pick<Decision, 'from' | 'to'>>;

export type Action = keyof typeof actions;

export const isAction = (word: string): word is Action => Object.hasOwn(actions, word);

export const listQueue = (name: QueueName): Promise<QueuedRow[]> => promptsInQueue(database(), name);

async function findQueued(db: Database, id: string): Promise<QueuedRow> {
  if (!/^[0-9a-f][0-9a-f-]{3,35}$/i.test(id)) throw new ModerationError(`"${id}" is not a prompt ID.`);
  const found = await promptsByIdPrefix(db, id.toLowerCase());
  const [prompt] = found;
  if (!prompt) throw new ModerationError(`No prompt has the ID ${id}.`);
  if (found.length > 1)
    throw new ModerationError(`More than one prompt ID starts with ${id}. Add more characters.`);
  return prompt;
}

export async function showQueued(id: string): Promise<{ prompt: QueuedRow; reports: ReportedRow[] }> {
  const prompt = await findQueued(database(), id);
  return { prompt, reports: await openReports(database(), prompt.id) };
}

/** Ends in random characters instead of the id, which the author's client may have chosen. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `${words || 'prompt'}-${randomBytes(5).toString('hex')}`;
}

/**
 * Applies a decision. `revision` is the one that the operator was shown. `id` must be complete, because a prefix may
 * match another prompt by now.
 * @throws ModerationError
 */
export async function moderate(
  db: Database,
  input: { id: string; revision: number; action: Action; reason: string; operator: string },
): Promise<QueuedRow> {
  if (!isUuid(input.id)) throw new ModerationError('Use the full ID, as shown in the list.');
  const prompt = await findQueued(db, input.id);
  const { from, to } = actions[input.action];
  const reason = cleanInput(input.reason).slice(0, 500);
  if ((to === 'rejected' || to === 'withdrawn') && reason === '')
    throw new ModerationError('Add a reason: the author will see it.');
  if (prompt.state !== from) throw new ModerationError(`This prompt is ${prompt.state}, not ${from}.`);
  const { action, revision, operator } = input;
  const decision = {
    id: prompt.id,
    revision,
    action,
    from,
    to,
    reason,
    operator,
    slug: slugOf(prompt.title),
  };
  if (!(await decide(db, decision)))
    throw new ModerationError(
      `This prompt has changed since you read it (now @${prompt.revision}). Run show again.`,
    );
  return findQueued(db, prompt.id);
}

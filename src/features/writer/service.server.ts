import type { UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { cleanLine } from '../../shared/clean-text.ts';
import { visibleText } from '../../shared/typed-text.ts';
import { countWords } from '../../shared/words.ts';
import type { GenerationView } from '../generations/contract.ts';
import type { Ending, Tool } from '../generations/engine/service.server.ts';
import { liveRuns } from '../generations/live/service.server.ts';
import { view } from '../generations/service.server.ts';
import type { StartedProposal, StartedVersion, Version } from '../works/contract.ts';
import { openWork } from '../works/service.server.ts';
import { startProposal, startVersion, storeProposal, storeVersion } from '../works/writing/service.server.ts';
import { compose } from './composing/service.server.ts';
import {
  defaultSettings,
  draftText,
  type EditRequest,
  keptText,
  lengthNote,
  type WriteAnswer,
  type WriterSettings,
  wordRanges,
  writerTexts,
} from './contract.ts';
import { around, type Edit, rephrase } from './editing/service.server.ts';

/** What a run of the writer refers to: a text, or another wording of a passage. */
export type WriterPayload =
  /** `begun`: the text that is continued. */
  { kind: 'text'; settings: WriterSettings; begun?: string } | { kind: 'passage'; edit: Edit };

interface Keyed {
  /** Idempotency-Key. */
  key: string;
}

const titleLength = 80;

/** The title of a text until it has one of its own: how its wish begins. */
const firstTitle = (prompt: string) => {
  const line = cleanLine(prompt, titleLength + 1);
  return line.length > titleLength
    ? `${line.slice(0, line.lastIndexOf(' ', titleLength) || titleLength)}…`
    : line;
};

/** The title that a text gives itself: its first heading, or the subject of a mail. */
export function ownTitle(content: string): string | null {
  const found = /^(?:# +(.+?)[ #]*|\**Subject:\** *(.+))$/m.exec(content.slice(0, 2_000));
  const line = (found?.[1] ?? found?.[2] ?? '').replace(/[*_`]+/g, '');
  return cleanLine(line, titleLength) || null;
}

/**
 * Starts a text as a version of a work, of a new one unless `workId` names one.
 * @throws Problem bad_request for a blank prompt, not_found, and the refusals of admission.
 */
export function startText({
  actor,
  input: { key, workId, ...asked },
}: {
  actor: UserActor;
  input: WriterSettings & Keyed & { workId: string | null };
}): Promise<StartedVersion> {
  const settings = { ...asked, prompt: visibleText(asked.prompt) };
  if (settings.prompt === '') throw new Problem('bad_request', writerTexts.blankPrompt);
  const payload: WriterPayload = { kind: 'text', settings };
  const title = firstTitle(settings.prompt);
  const bound = ['write', workId, settings];
  return startVersion({ actor, feature: 'writer', key, bound, payload, workId, title, settings });
}

/** What had arrived of a version, with the blank that it may have stopped at. */
async function arrivedOf(actor: UserActor, { generationId, state, content }: Version): Promise<string> {
  if (!generationId) return content;
  const { text } = await view(actor, generationId);
  const counts = (state === 'interrupted' ? draftText(text) : keptText(text))
    .replace(/\r\n?/g, '\n')
    .trimStart();
  // A text that was continued before has more than its last run brought.
  return content.endsWith(counts.trimEnd()) ? content + counts.slice(counts.trimEnd().length) : content;
}

/**
 * Starts another version of a text that was stopped or interrupted, which begins with it and goes on.
 * @throws Problem not_found, conflict for a text that is complete or has no words, and the refusals of admission.
 */
export async function continueText({
  actor,
  input: { id, versionId, key },
}: {
  actor: UserActor;
  input: Keyed & { id: string; versionId: string };
}): Promise<StartedVersion> {
  const { version } = await openWork({ actor, input: { id, version: versionId, feature: 'writer' } });
  if ((version.state !== 'stopped' && version.state !== 'interrupted') || version.content === '')
    throw new Problem('conflict', writerTexts.complete);
  const { prompt, tone, length, type } = { ...defaultSettings, prompt: '', ...version.settings };
  const settings = { prompt, tone, length, type };
  const begun = await arrivedOf(actor, version);
  return startVersion({
    actor,
    feature: 'writer',
    key,
    bound: ['continue', id, versionId],
    payload: { kind: 'text', settings, begun } satisfies WriterPayload,
    workId: id,
    title: '',
    settings: { ...settings, continues: versionId },
  });
}

/** Where a passage stands in a text: at its place, else where it stands once; null where that is not known. */
function placeOf(content: string, { from, text }: Pick<EditRequest, 'from' | 'text'>): number | null {
  if (content.startsWith(text, from)) return from;
  const first = content.indexOf(text);
  return first >= 0 && content.indexOf(text, first + 1) < 0 ? first : null;
}

/**
 * Starts another wording of a passage as a proposal of its version.
 * @throws Problem bad_request without a wish, not_found, conflict when the passage is not there, and the refusals of
 * admission.
 */
export async function startEdit({
  actor,
  input: { id, key, ...request },
}: {
  actor: UserActor;
  input: EditRequest & Keyed & { id: string };
}): Promise<StartedProposal> {
  const { versionId, action } = request;
  const blanks = request.text.length - request.text.trimStart().length;
  // What stands around the words stays outside of the passage: an answer has no blanks at its ends.
  const passage = { from: request.from + blanks, text: request.text.trim() };
  const instruction = visibleText(request.instruction ?? '');
  if (action === 'custom' && instruction === '')
    throw new Problem('bad_request', writerTexts.blankInstruction);
  const { version } = await openWork({ actor, input: { id, version: versionId, feature: 'writer' } });
  const from = placeOf(version.content, passage);
  if (from === null || passage.text === '') throw new Problem('conflict', writerTexts.changed);
  const { text } = passage;
  const { tone } = request;
  const edit: Edit = { text, action, tone, instruction, ...around(version.content, from, text.length) };
  return startProposal({
    actor,
    feature: 'writer',
    key,
    bound: ['edit', id, request],
    payload: { kind: 'passage', edit } satisfies WriterPayload,
    workId: id,
    versionId,
    request: { from, text, action, tone, instruction },
  });
}

/** What is to be said of a text that has ended. */
function noteOf({ state, finish, text }: Ending<WriterPayload>, settings: WriterSettings): string | null {
  if (state !== 'done') return null;
  if (finish === 'incomplete') return 'Part of this text was lost on the way, so a few words may be missing.';
  if (finish === 'filtered') return 'The model’s provider ended this text early.';
  return lengthNote(countWords(keptText(text)), wordRanges[settings.length]);
}

/** Texts and other wordings of their passages. */
export const writerTool: Tool<WriterPayload> = {
  feature: 'writer',
  async *run(context, payload) {
    return yield* payload.kind === 'text'
      ? compose(context, payload.settings, payload.begun)
      : rephrase(context, payload.edit);
  },
  store(ending, closing) {
    const { generationId, payload, text } = ending;
    // A correction that a crash has cut is none.
    const counts = ending.state === 'interrupted' ? draftText(text) : keptText(text);
    const content = counts.replace(/\r\n?/g, '\n').trim();
    if (payload.kind === 'passage') return storeProposal(closing, { generationId, content });
    const { begun = '' } = payload;
    const whole = content === '' ? '' : (begun + counts.replace(/\r\n?/g, '\n')).trim();
    const note = begun ? null : noteOf(ending, payload.settings);
    return storeVersion(closing, { generationId, content: whole, note, title: ownTitle(whole) });
  },
};

const isOpen = ({ state }: GenerationView) => state === 'queued' || state === 'running';

/** Milliseconds between two looks at a run of another process. */
const LOOK_MS = 300;

/** A run of the actor once it has ended, wherever it runs. */
async function ended(actor: UserActor, id: string): Promise<GenerationView> {
  for (;;) {
    const run = liveRuns.get(id);
    await new Promise<unknown>((resolve) => {
      if (run) run.listeners.add({ progress: () => undefined, end: resolve });
      else setTimeout(resolve, LOOK_MS);
    });
    const now = await view(actor, id);
    if (!isOpen(now)) return now;
  }
}

/**
 * The text of a run once it has ended, as `POST /api/write` answers it. A caller who leaves ends nothing.
 * @throws Problem unavailable for a run that failed.
 */
export async function finishedText({
  actor,
  input: { started },
}: {
  actor: UserActor;
  input: { started: StartedVersion };
}): Promise<WriteAnswer> {
  const { work, version, generation } = started;
  const first = await view(actor, generation.id);
  const run = isOpen(first) ? await ended(actor, generation.id) : first;
  if (run.error) throw new Problem('unavailable', run.error.message || writerTexts.failed);
  const { versions } = await openWork({ actor, input: { id: work.id, version: version.id } });
  const stored = versions.find(({ id }) => id === version.id);
  if (!stored) throw notFound();
  return {
    content: keptText(run.text).trim(),
    creditsUsed: run.creditsCharged,
    words: stored.words,
    note: stored.note,
    work,
    version,
    generation: { id: run.id, state: run.state },
  };
}

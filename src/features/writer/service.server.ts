import { type GenerationView, isRunning } from '#features/generations/contract.ts';
import { type Ending, liveRuns, type Tool, viewRun } from '#features/generations/service.server.ts';
import type { StartedProposal, StartedVersion, Version } from '#features/texts/contract.ts';
import {
  addText,
  openText,
  startProposal,
  startVersion,
  storeProposal,
  storeVersion,
} from '#features/texts/service.server.ts';
import { m } from '#messages';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { cleanLine, cleanText, cutText } from '#shared/clean-text.ts';
import { visibleText } from '#shared/input-text.ts';
import { textLength } from '#shared/text-length.ts';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { composeText } from './compose-text.server.ts';
import {
  defaultSettings,
  describeNote,
  type EditRequest,
  finalText,
  firstDraft,
  rangeFit,
  type TextNote,
  type WriteAnswer,
  type WriterSettings,
} from './contract.ts';
import { type PassageEdit, rephrasePassage, surroundingText } from './rephrase-passage.server.ts';

export type WriterPayload =
  | { kind: 'text'; settings: WriterSettings; begun?: string }
  | { kind: 'passage'; edit: PassageEdit };

interface WithKey {
  key: string;
}

const titleLength = 80;

/** Used until the content provides a title. */
const provisionalTitle = (prompt: string) => {
  const line = cleanLine(prompt, titleLength + 1);
  if (line.length <= titleLength) return line;
  const lastSpace = line.lastIndexOf(' ', titleLength);
  return `${cutText(line, lastSpace > 0 ? lastSpace : titleLength)}…`;
};

/** Returns the first heading, or the subject of an email. */
export function titleInContent(content: string): string | null {
  const found = /^(?:# +(.+?)[ #]*|\**Subject:\** *(.+))$/m.exec(content.slice(0, 2_000));
  const line = (found?.[1] ?? found?.[2] ?? '').replace(/[*_`]+/g, '');
  return cleanLine(line, titleLength) || null;
}

/** @throws Problem bad_request if the text is empty. */
export function addExistingText({
  actor,
  input,
}: ActorInput<{ id: string; content: string }>): Promise<{ id: string }> {
  const content = cleanText(input.content).trim();
  if (content === '') throw new Problem('bad_request', m.handover_empty());
  const title = titleInContent(content) ?? provisionalTitle(markdownToText(content));
  return addText({ actor, input: { id: input.id, feature: 'writer', title, content } });
}

export function startText({
  actor,
  input: { key, workId, ...rest },
}: ActorInput<WriterSettings & WithKey & { workId: string | null }>): Promise<StartedVersion> {
  const settings = { ...rest, prompt: visibleText(rest.prompt) };
  if (settings.prompt === '') throw new Problem('bad_request', m.writer_blank());
  const payload: WriterPayload = { kind: 'text', settings };
  const title = provisionalTitle(settings.prompt);
  const fingerprint = ['write', workId, settings];
  return startVersion({ actor, feature: 'writer', key, fingerprint, payload, workId, title, settings });
}

/** Includes the trailing whitespace at which the text may have stopped, which the stored version lacks. */
async function partialText(actor: UserActor, { generationId, state, content }: Version): Promise<string> {
  if (!generationId) return content;
  const { text } = await viewRun(actor, generationId);
  const runText = (state === 'interrupted' ? firstDraft(text) : finalText(text))
    .replace(/\r\n?/g, '\n')
    .trimStart();
  // A text that was continued before is longer than what its last run wrote.
  return content.endsWith(runText.trimEnd()) ? content + runText.slice(runText.trimEnd().length) : content;
}

/**
 * Starts a version that continues the stopped or interrupted one. @throws Problem not_found, conflict for a text that
 * is complete or empty, and the refusals of admission.
 */
export async function continueText({
  actor,
  input: { id, versionId, key },
}: ActorInput<WithKey & { id: string; versionId: string }>): Promise<StartedVersion> {
  const { version } = await openText({ actor, input: { id, version: versionId, feature: 'writer' } });
  if ((version.state !== 'stopped' && version.state !== 'interrupted') || version.content === '')
    throw new Problem('conflict', m.writer_complete());
  const { prompt, tone, length, type } = { ...defaultSettings, prompt: '', ...version.settings };
  const settings = { prompt, tone, length, type };
  const partial = await partialText(actor, version);
  return startVersion({
    actor,
    feature: 'writer',
    key,
    fingerprint: ['continue', id, versionId],
    payload: { kind: 'text', settings, begun: partial } satisfies WriterPayload,
    workId: id,
    title: '',
    settings: { ...settings, continues: versionId },
  });
}

function passageOffset(content: string, { from, text }: Pick<EditRequest, 'from' | 'text'>): number | null {
  if (content.startsWith(text, from)) return from;
  const first = content.indexOf(text);
  return first >= 0 && content.indexOf(text, first + 1) < 0 ? first : null;
}

/**
 * Starts a proposal for the version. @throws Problem bad_request without an instruction, not_found, conflict if the
 * passage no longer exists, and the refusals of admission.
 */
export async function startEdit({
  actor,
  input: { id, key, ...request },
}: ActorInput<EditRequest & WithKey & { id: string }>): Promise<StartedProposal> {
  const { versionId, action } = request;
  const leading = request.text.length - request.text.trimStart().length;
  // Exclude whitespace around the words, because an answer has none at its ends.
  const passage = { from: request.from + leading, text: request.text.trim() };
  const instruction = visibleText(request.instruction ?? '');
  if (action === 'custom' && instruction === '') throw new Problem('bad_request', m.texts_no_instruction());
  const { version } = await openText({ actor, input: { id, version: versionId, feature: 'writer' } });
  const from = passageOffset(version.content, passage);
  if (from === null || passage.text === '') throw new Problem('conflict', m.writer_passage_changed());
  const { text } = passage;
  const { tone } = request;
  const edit: PassageEdit = {
    text,
    action,
    tone,
    instruction,
    ...surroundingText(version.content, from, text.length),
  };
  return startProposal({
    actor,
    feature: 'writer',
    key,
    fingerprint: ['edit', id, request],
    payload: { kind: 'passage', edit } satisfies WriterPayload,
    workId: id,
    versionId,
    request: { from, text, action, tone, instruction },
  });
}

function noteOf({ state, finish, text }: Ending<WriterPayload>, settings: WriterSettings): TextNote | null {
  if (state !== 'done') return null;
  if (finish === 'incomplete' || finish === 'filtered') return finish;
  const fit = rangeFit(textLength(finalText(text)), settings.length);
  return fit === 'in' ? null : fit;
}

export const writerTool: Tool<WriterPayload> = {
  feature: 'writer',
  async *run(context, payload) {
    return yield* payload.kind === 'text'
      ? composeText(context, payload.settings, payload.begun)
      : rephrasePassage(context, payload.edit);
  },
  store(ending, closing) {
    const { generationId, payload, text } = ending;
    // Ignore a correction that a crash has cut off.
    const runText = ending.state === 'interrupted' ? firstDraft(text) : finalText(text);
    const content = runText.replace(/\r\n?/g, '\n').trim();
    if (payload.kind === 'passage') return storeProposal(closing, { generationId, content });
    const { begun: partial = '' } = payload;
    const fullText = content === '' ? '' : (partial + runText.replace(/\r\n?/g, '\n')).trim();
    const note = partial ? null : noteOf(ending, payload.settings);
    return storeVersion(closing, { generationId, content: fullText, note, title: titleInContent(fullText) });
  },
};

/** Milliseconds between two checks of a run in another process. */
const POLL_MS = 300;

async function waitForEnd(actor: UserActor, id: string): Promise<GenerationView> {
  for (;;) {
    const run = liveRuns.get(id);
    await new Promise<unknown>((resolve) => {
      if (run) run.listeners.add({ progress: () => undefined, end: resolve });
      else setTimeout(resolve, POLL_MS);
    });
    const view = await viewRun(actor, id);
    if (!isRunning(view.state)) return view;
  }
}

/** The run continues if the caller leaves. @throws Problem unavailable if the run failed. */
export async function waitForText({
  actor,
  input: { started },
}: ActorInput<{ started: StartedVersion }>): Promise<WriteAnswer> {
  const { work, version, generation } = started;
  const first = await viewRun(actor, generation.id);
  const run = isRunning(first.state) ? await waitForEnd(actor, generation.id) : first;
  if (run.error) throw new Problem('unavailable', run.error.message || m.writer_failed());
  const { versions } = await openText({ actor, input: { id: work.id, version: version.id } });
  const stored = versions.find(({ id }) => id === version.id);
  if (!stored) throw notFound();
  return {
    content: finalText(run.text).trim(),
    creditsUsed: run.creditsCharged,
    words: stored.words,
    characters: stored.characters,
    note: describeNote(stored),
    work,
    version,
    generation: { id: run.id, state: run.state },
  };
}

import type { UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { screenplayIn } from '../../shared/fountain/clean.ts';
import { parsePlaced } from '../../shared/fountain/parse.ts';
import { scenesOf } from '../../shared/fountain/scenes.ts';
import { visibleText } from '../../shared/typed-text.ts';
import type { Tool } from '../generations/engine/service.server.ts';
import type { StartedProposal, StartedVersion } from '../works/contract.ts';
import { openWork } from '../works/service.server.ts';
import { startProposal, startVersion, storeProposal, storeVersion } from '../works/writing/service.server.ts';
import { compose, missingIn, titleIn } from './composing/service.server.ts';
import {
  type RewriteRequest,
  type RewriteScene,
  type ScriptSettings,
  scriptStyles,
  scriptTexts,
  type WriteScript,
} from './contract.ts';
import { type Rewriting, rewrite } from './rewriting/service.server.ts';

type Payload = ({ kind: 'script' } & ScriptSettings) | ({ kind: 'rewrite' } & Rewriting);

const refuse = (text: string) => new Problem('bad_request', text);

/** Signs of the scene that a script is called by until the model has named it. */
const NAME = 60;

function nameOf(scene: string): string {
  const line = scene.replace(/\s+/g, ' ').trim();
  return line.length <= NAME ? line : `${line.slice(0, NAME).replace(/\s\S*$/, '')} …`;
}

function settingsOf({ scene, style, minutes, characters }: WriteScript): ScriptSettings {
  const text = visibleText(scene ?? '');
  if (text === '') throw refuse(scriptTexts.noScene);
  const known = scriptStyles.find(({ value }) => value === style);
  if (!known) throw refuse(scriptTexts.noStyle);
  return {
    scene: text,
    style: known.value,
    minutes: minutes ?? null,
    characters: cleanText(characters ?? '').trim(),
  };
}

/**
 * Starts a script, or another version of one. The same key again is the same run.
 * @throws Problem bad_request in the specification's words, not_found, and the refusals of admission.
 */
export async function startScript({
  actor,
  input,
}: {
  actor: UserActor;
  input: WriteScript & { key: string };
}): Promise<StartedVersion> {
  const settings = settingsOf(input);
  const workId = input.workId ?? null;
  return startVersion({
    actor,
    feature: 'script',
    workId,
    title: nameOf(settings.scene),
    settings,
    key: input.key,
    bound: ['script', workId, settings],
    payload: { kind: 'script', ...settings } satisfies Payload,
  });
}

/**
 * Starts the rewriting of one scene of a version, or of one block of it, whose result waits for its owner's decision.
 * @throws Problem bad_request, not_found for no such version, scene or block, conflict for a version without a text,
 * and the refusals of admission.
 */
export async function startRewrite({
  actor,
  input,
}: {
  actor: UserActor;
  input: RewriteScene & { workId: string; key: string };
}): Promise<StartedProposal> {
  const { workId, versionId, key } = input;
  const instruction = visibleText(input.instruction);
  if (instruction === '') throw refuse(scriptTexts.noInstruction);
  const work = await openWork({ actor, input: { id: workId, version: versionId, feature: 'script' } });
  const { content, state } = work.version;
  if (state === 'queued' || state === 'running')
    throw new Problem('conflict', 'This script is still being written.');
  const scene = scenesOf(content)[input.scene];
  if (!scene) throw notFound();
  const place = input.block == null ? scene : parsePlaced(content).placed[input.block];
  if (!place || place.from < scene.from || place.to > scene.to) throw notFound();
  const request: RewriteRequest = {
    heading: scene.heading,
    scene: input.scene,
    block: input.block ?? null,
    instruction,
    before: content.slice(place.from, place.to),
    from: place.from,
    to: place.to,
  };
  const payload: Payload = {
    kind: 'rewrite',
    sceneText: content.slice(scene.from, scene.to),
    part: input.block == null ? null : content.slice(place.from, place.to),
    instruction,
  };
  return startProposal({
    actor,
    feature: 'script',
    workId,
    versionId,
    request,
    key,
    bound: ['rewrite', workId, versionId, input.scene, input.block ?? null, instruction],
    payload,
  });
}

/** What is to be said of a script that was written. */
const noteOf = (script: string): string | null =>
  script !== '' && missingIn(script) === 'dialogue' ? 'There is no dialogue in it.' : null;

/** Scripts and rewritten scenes. */
export const scriptTool: Tool<Payload> = {
  feature: 'script',
  run: (context, payload) =>
    payload.kind === 'script' ? compose(context, payload) : rewrite(context, payload),
  store({ payload, generationId, text, state }, closing) {
    const content = screenplayIn(text);
    if (payload.kind === 'rewrite') return storeProposal(closing, { generationId, content });
    const done = state === 'done';
    return storeVersion(closing, {
      generationId,
      content,
      note: done ? noteOf(content) : null,
      title: done ? titleIn(content) : null,
    });
  },
};

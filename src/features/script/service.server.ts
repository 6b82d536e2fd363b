import { isRunning } from '#features/generations/contract.ts';
import type { Tool } from '#features/generations/service.server.ts';
import type { StartedProposal, StartedVersion } from '#features/texts/contract.ts';
import {
  openText,
  startProposal,
  startVersion,
  storeProposal,
  storeVersion,
} from '#features/texts/service.server.ts';
import { m } from '#messages';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { cleanText, cutText } from '#shared/clean-text.ts';
import { extractScreenplay } from '#shared/fountain/extract-screenplay.ts';
import { parsePlaced } from '#shared/fountain/parse-fountain.ts';
import { scenesOf } from '#shared/fountain/scenes.ts';
import { visibleText } from '#shared/input-text.ts';
import { composeScript, generatedTitle, screenplayProblem } from './compose-script.server.ts';
import {
  type RewriteRequest,
  type RewriteScene,
  type ScriptNote,
  type ScriptSettings,
  scriptStyles,
  type WriteScript,
} from './contract.ts';
import { generateRewrite, type RewriteInput } from './rewrite-scene.server.ts';
import { scriptFailures } from './script-failures.server.ts';

type Payload = ({ kind: 'script' } & ScriptSettings) | ({ kind: 'rewrite' } & RewriteInput);

const badRequest = (text: string) => new Problem('bad_request', text);

/** UTF-16 units of the scene that serve as the title until the model provides one. */
const TITLE_LENGTH = 60;

function provisionalTitle(scene: string): string {
  const line = scene.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH).replace(/\s\S*$/, '')} …`;
}

function parseSettings({ scene, style, minutes, characters }: WriteScript): ScriptSettings {
  const text = visibleText(scene ?? '');
  if (text === '') throw badRequest(m.script_no_scene());
  const known = scriptStyles.find(({ value }) => value === style);
  if (!known) throw badRequest(m.script_no_style());
  return {
    scene: text,
    style: known.value,
    minutes: minutes ?? null,
    characters: cleanText(characters ?? '').trim(),
  };
}

/**
 * Repeating a key returns the same run. @throws Problem bad_request in the specification's words, not_found, and the
 * refusals of admission.
 */
export async function startScript({
  actor,
  input,
}: ActorInput<WriteScript & { key: string }>): Promise<StartedVersion> {
  const settings = parseSettings(input);
  const workId = input.workId ?? null;
  return startVersion({
    actor,
    feature: 'script',
    workId,
    title: provisionalTitle(settings.scene),
    settings,
    key: input.key,
    fingerprint: ['script', workId, settings],
    payload: { kind: 'script', ...settings } satisfies Payload,
  });
}

/**
 * Starts a proposal, which its owner accepts or rejects. @throws Problem bad_request, not_found for an unknown version,
 * scene or block, conflict for a version that is still being written, and the refusals of admission.
 */
export async function startRewrite({
  actor,
  input,
}: ActorInput<RewriteScene & { workId: string; key: string }>): Promise<StartedProposal> {
  const { workId, versionId, key } = input;
  const instruction = visibleText(input.instruction);
  if (instruction === '') throw badRequest(m.texts_no_instruction());
  const work = await openText({ actor, input: { id: workId, version: versionId, feature: 'script' } });
  const { content, state } = work.version;
  if (isRunning(state)) throw new Problem('conflict', m.script_still_writing());
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
    fingerprint: ['rewrite', workId, versionId, input.scene, input.block ?? null, instruction],
    payload,
  });
}

const noteOf = (script: string): ScriptNote | null =>
  script !== '' && screenplayProblem(script) === 'dialogue' ? 'no_dialogue' : null;

export const scriptTool: Tool<Payload> = {
  feature: 'script',
  failures: scriptFailures,
  run: (context, payload) =>
    payload.kind === 'script' ? composeScript(context, payload) : generateRewrite(context, payload),
  store({ payload, generationId, text, state }, closing) {
    const content = extractScreenplay(text);
    if (payload.kind === 'rewrite') return storeProposal(closing, { generationId, content });
    const done = state === 'done';
    return storeVersion(closing, {
      generationId,
      content,
      note: done ? noteOf(content) : null,
      title: done ? generatedTitle(content) : null,
    });
  },
};

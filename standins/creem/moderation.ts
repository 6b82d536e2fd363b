import { type Call, isRecord, readJson, sendJson } from '../http.ts';
import { loggedMessage } from '../request-log.ts';
import type { StandInParts } from '../standin.ts';
import { keyOf } from './api.ts';
import { sendCreemError, sentFault } from './api-errors.ts';
import { newId } from './store.ts';
import type { CreemSwitches } from './switches.ts';

const PATH = '/creem/v1/moderation/prompt';
const DENIED = /\b(nude|naked|porn\w*|nsfw|hentai|beheading|child abuse)\b/i;
const FLAGGED = /\b(blood\w*|gore|corpse|suicide|swastika)\b/i;
const MARKER = /\[\[moderation:(allow|flag|deny)\]\]/;
const MAX_PROMPT = 32_000;

function decide(prompt: string, markers: boolean): string {
  const markedDecision = markers ? MARKER.exec(prompt)?.[1] : undefined;
  return markedDecision ?? (DENIED.test(prompt) ? 'deny' : FLAGGED.test(prompt) ? 'flag' : 'allow');
}

export function mountModeration(
  { router, log, held, settings }: StandInParts,
  switches: () => Readonly<CreemSwitches>,
): void {
  router.on('POST', PATH, async ({ req, res }: Call) => {
    const body = await readJson(req);
    const { prompt, external_id } = isRecord(body) ? body : {};
    const text = typeof prompt === 'string' ? prompt : '';
    const fault = switches().moderation;
    const entry = log.open(req, res, PATH, {
      messages: [loggedMessage('user', text)],
      detail: { kind: 'moderation' },
    });
    if (keyOf(req) === null) return sendCreemError(res, 403);
    entry.view.mode = fault;
    const isValid = text !== '' && text.length <= MAX_PROMPT;
    if (!isValid && (fault === 'ok' || fault === 'odd' || fault === 'slow'))
      return sendCreemError(res, 400, ['prompt should not be empty']);
    if (await sentFault(fault, { res, held, name: text })) return;
    const decision = fault === 'odd' ? 'escalate' : decide(text, settings.markers);
    entry.view.detail.decision = decision;
    const external = typeof external_id === 'string' ? { external_id } : {};
    const result = { id: newId('mod'), object: 'moderation_result', prompt };
    sendJson(res, 200, { ...result, ...external, decision, usage: { units: 1 } });
  });
}

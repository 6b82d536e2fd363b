/**
 * The payment provider: Creem's wire protocol (protocols.md 1) under /creem/v1, so far its moderation of prompts.
 *
 * Switches, POST /control {"creem": {...}}: `moderation` is ok or
 *   down       the connection is closed without an answer
 *   slow       held until {"release": true}, or a part of the prompt
 *   status500, status429, html (200 and a page), malformed (200 and half an answer), odd (a decision of no known name)
 * Where markers are on, [[moderation:deny]] in a prompt chooses the decision: allow, flag or deny.
 *
 * Limits of fidelity: any key that begins with creem_ is good; the decision hangs on a short list of words, in English,
 * where the real one understands what is meant; usage is one unit a prompt; no limit of requests.
 */
import { oneOf } from '../control.ts';
import { type Call, isRecord, readJson, sendJson } from '../http.ts';
import { loggedMessage } from '../log.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { answerModeration, FAULTS, type ModerationSwitches } from './moderation.ts';
import { sendCreemError } from './reply.ts';

const PATH = '/creem/v1/moderation/prompt';

/** Mounts /creem/v1. */
export function creemStandIn(parts: StandInParts): StandIn {
  const { router, control, log, holds, settings } = parts;
  const start: ModerationSwitches = { moderation: 'ok' };
  const switches = control.section('creem', start, { moderation: oneOf(FAULTS) });
  router.on('POST', PATH, async (call: Call) => {
    const { req, res } = call;
    const body = await readJson(req);
    const prompt = isRecord(body) && typeof body.prompt === 'string' ? body.prompt : '';
    const entry = log.open(req, res, PATH, {
      messages: [loggedMessage('user', prompt)],
      detail: { kind: 'moderation' },
    });
    // Creem answers a bad key with 403 and no message.
    if (!/^creem_\S+$/.test(String(req.headers['x-api-key'] ?? ''))) return sendCreemError(res, 403);
    await answerModeration({
      res,
      body,
      fault: switches().moderation,
      markers: settings.markers,
      holds,
      entry,
    });
  });
  router.on('GET', '/creem', ({ res }) => sendJson(res, 200, { base: '/creem/v1', faults: FAULTS }));
  return {
    name: 'Payments',
    about: `Speaks Creem's protocol under /creem/v1 and judges prompts for pictures by a list of words.`,
    links: [{ href: '/creem', text: 'Faults' }],
  };
}

/** POST /v1/moderation/prompt (protocols.md 1.2): whether a prompt may be made into a picture. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Holds } from '../holds.ts';
import { isRecord, sendJson } from '../http.ts';
import type { LogEntry } from '../log.ts';
import { sendCreemError } from './reply.ts';

/** What can go wrong instead of an answer. */
export const FAULTS = ['ok', 'down', 'slow', 'status500', 'status429', 'html', 'malformed', 'odd'] as const;

export interface ModerationSwitches {
  moderation: (typeof FAULTS)[number];
}

type Decision = 'allow' | 'flag' | 'deny';

const DENIED = /\b(nude|naked|porn\w*|nsfw|hentai|beheading|child abuse)\b/i;
const FLAGGED = /\b(blood\w*|gore|corpse|suicide|swastika)\b/i;
const MARKER = /\[\[moderation:(allow|flag|deny)\]\]/;
const MAX_PROMPT = 32_000;

interface ModerationCall {
  res: ServerResponse;
  body: unknown;
  fault: ModerationSwitches['moderation'];
  markers: boolean;
  holds: Holds;
  entry: LogEntry;
}

function decide(prompt: string, markers: boolean): Decision {
  const marked = markers ? MARKER.exec(prompt)?.[1] : undefined;
  if (marked) return marked as Decision;
  return DENIED.test(prompt) ? 'deny' : FLAGGED.test(prompt) ? 'flag' : 'allow';
}

/** Sends what a fault makes of the answer; false where it goes on to the decision. */
function failed({ res, fault }: ModerationCall): boolean {
  if (fault === 'down') res.destroy();
  else if (fault === 'status500' || fault === 'status429')
    sendCreemError(res, Number(fault.slice(6)), ['Try again later']);
  else if (fault === 'html') {
    res.writeHead(200, { 'content-type': 'text/html' });
    res.end('<!doctype html><title>Just a moment...</title>');
  } else if (fault === 'malformed') {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end('{"id":"mod_1","object":"moderation_result","decision":"al');
  } else return false;
  return true;
}

/** Answers one request; the log entry says what was decided. */
export async function answerModeration(call: ModerationCall): Promise<void> {
  const { res, body, fault, markers, holds, entry } = call;
  entry.view.mode = fault;
  if (failed(call)) return;
  const prompt = isRecord(body) ? body.prompt : undefined;
  if (!isRecord(body) || typeof prompt !== 'string' || prompt === '' || prompt.length > MAX_PROMPT)
    return sendCreemError(res, 400, ['prompt should not be empty']);
  if (fault === 'slow' && !(await holds.wait(prompt, res))) return;
  const decision = fault === 'odd' ? 'escalate' : decide(prompt, markers);
  entry.view.detail.decision = decision;
  sendJson(res, 200, {
    id: `mod_${randomUUID().replaceAll('-', '').slice(0, 22)}`,
    object: 'moderation_result',
    prompt,
    ...(typeof body.external_id === 'string' ? { external_id: body.external_id } : {}),
    decision,
    usage: { units: 1 },
  });
}

/**
 * The model gateway: OpenRouter's wire protocol (protocols.md 2), which OpenAI-compatible servers share.
 * Limits of fidelity: no model behind it, tokens of six characters, no tools, no plugin except web search, no per-model
 * behaviour except standin/<mode>; any non-empty key is accepted; prices are invented.
 */
import { type Handler, HttpError, readJson, sendJson } from '../http.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { Planner, switchesWith } from './call-plan.ts';
import { answerChat, type GatewayParts, sendGatewayError } from './chat.ts';
import { readChatRequest } from './chat-request.ts';
import { Ticker } from './chat-stream.ts';
import { MODES } from './fault-modes.ts';
import { answerImages } from './images.ts';
import { mountModels } from './models-api.ts';
import { answerTranscription } from './transcriptions.ts';

const BASE = '/gateway/v1';
const MAX_BODY = 48 * 1024 * 1024;

function guarded({ log }: GatewayParts, handler: Handler): Handler {
  return async (call) => {
    const { req, res, url } = call;
    try {
      if (!/^Bearer\s+\S+/i.test(req.headers.authorization ?? ''))
        throw new HttpError(401, 'authentication', 'No auth credentials found');
      await handler(call);
    } catch (error) {
      if (!(error instanceof HttpError) || res.headersSent) throw error;
      if (!log.knows(res)) log.open(req, res, url.pathname, {});
      sendGatewayError(res, error.status, error.message, { error_type: error.kind });
    }
  };
}

const TOP_LEVEL = [
  'tokensPerSecond',
  'firstTokenMs',
  'tokens',
  'answer',
  'holdAfter',
  'markers',
  'says',
] as const;

export function gatewayStandIn(parts: StandInParts): StandIn {
  const { router, control, settings, log, held } = parts;
  const switches = control.section('gateway', switchesWith(settings.markers), TOP_LEVEL);
  const gateway: GatewayParts = { log, planner: new Planner(switches), ticker: new Ticker(), held };
  const serve = (method: 'GET' | 'POST', path: string, handler: Handler) =>
    router.on(method, BASE + path, guarded(gateway, handler));
  serve('POST', '/chat/completions', async (call) =>
    answerChat(call, await readChatRequest(await readJson(call.req, MAX_BODY)), gateway),
  );
  for (const path of ['/images', '/images/generations'])
    serve('POST', path, async (call) => answerImages(call, await readJson(call.req, MAX_BODY), gateway));
  serve('POST', '/audio/transcriptions', (call) => answerTranscription(call, gateway));
  mountModels((path, handler) => serve('GET', path, handler), log);
  router.on('GET', '/gateway', ({ res }) => sendJson(res, 200, { base: BASE, modes: MODES }));
  return {
    name: 'Model gateway',
    about: `Speaks OpenRouter's protocol under ${BASE} and answers with the words of the request.`,
    links: [{ href: '/gateway', text: 'Modes' }],
  };
}

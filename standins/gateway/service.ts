/**
 * The model gateway: OpenRouter's wire protocol (protocols.md 2), which OpenAI-compatible servers share.
 * Limits of fidelity: no model behind it, tokens of six characters, no tools, no plugins, no per-model behaviour
 * but standin/<mode>; any key that is not empty is good; prices are its own.
 */

import { flag, longText, numberFrom, oneOf, orNull } from '../control.ts';
import { type Call, HttpError, readJson, sendJson } from '../http.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { mountAccount } from './account.ts';
import { answerChat, type GatewayParts, sendGatewayError } from './chat.ts';
import { answerImages } from './images.ts';
import { MODES } from './modes.ts';
import { readChatRequest } from './request.ts';
import { Planner, type Switches } from './settings.ts';
import { Ticker } from './ticker.ts';

const BASE = '/gateway/v1';
const MAX_BODY = 48 * 1024 * 1024;

/** Runs a handler for callers with a key; errors leave in OpenRouter's shape. */
function guarded(parts: GatewayParts, handler: (call: Call) => void | Promise<void>) {
  return async (call: Call): Promise<void> => {
    const { req, res, url } = call;
    if (!/^Bearer\s+\S+/i.test(req.headers.authorization ?? '')) {
      parts.log.open(req, res, url.pathname, {});
      sendGatewayError(res, 401, 'No auth credentials found', { error_type: 'authentication' });
      return;
    }
    try {
      await handler(call);
    } catch (error) {
      if (!(error instanceof HttpError) || res.headersSent) throw error;
      if (!parts.log.knows(res)) parts.log.open(req, res, url.pathname, {});
      sendGatewayError(res, error.status, error.message, { error_type: error.kind });
    }
  };
}

function switchesOf(parts: StandInParts): () => Readonly<Switches> {
  const start: Switches = {
    mode: 'ok',
    tokensPerSecond: 60,
    firstTokenMs: 120,
    tokens: null,
    answer: 'composed',
    holdAfter: 0,
    retryAfter: 1,
    strictSizes: false,
    markers: parts.settings.markers,
    says: null,
  };
  return parts.control.section(
    'gateway',
    start,
    {
      mode: oneOf(MODES),
      tokensPerSecond: numberFrom(0, 1e6),
      firstTokenMs: numberFrom(0, 600_000),
      tokens: orNull(numberFrom(1, 200_000)),
      answer: oneOf(['composed', 'lorem'] as const),
      holdAfter: numberFrom(0, 200_000),
      retryAfter: numberFrom(0, 86_400),
      strictSizes: flag,
      markers: flag,
      says: orNull(longText),
    },
    ['tokensPerSecond', 'firstTokenMs', 'tokens', 'answer', 'holdAfter', 'markers', 'says'],
  );
}

/** Mounts the gateway under /gateway/v1. */
export function gatewayStandIn(parts: StandInParts): StandIn {
  const { router, log, holds } = parts;
  const gateway: GatewayParts = { log, planner: new Planner(switchesOf(parts)), ticker: new Ticker(), holds };
  router.on(
    'POST',
    `${BASE}/chat/completions`,
    guarded(gateway, async (call) => {
      const body = await readJson(call.req, MAX_BODY);
      await answerChat(call, call.url.pathname, readChatRequest(body), gateway);
    }),
  );
  for (const path of [`${BASE}/images`, `${BASE}/images/generations`])
    router.on(
      'POST',
      path,
      guarded(gateway, async (call) => {
        await answerImages(call, path, await readJson(call.req, MAX_BODY), gateway);
      }),
    );
  mountAccount(router, BASE, (handler) => guarded(gateway, handler), log);
  router.on('GET', '/gateway', ({ res }) => sendJson(res, 200, { base: BASE, modes: MODES }));
  return {
    name: 'Model gateway',
    about: `Speaks OpenRouter's protocol under ${BASE} and answers with the words of the request.`,
    links: [{ href: '/gateway', text: 'Modes' }],
  };
}

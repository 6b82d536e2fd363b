/** The small reads of the gateway: /models, /images/models, /key, /credits, /generation. */
import { type Handler, isRecord, type Router, sendJson } from '../http.ts';
import type { LogView, RequestLog } from '../log.ts';
import { PRICE, sendGatewayError } from './chat.ts';
import { MODES } from './modes.ts';

function model(id: string, name: string, image: boolean): Record<string, unknown> {
  return {
    id,
    canonical_slug: id,
    name,
    created: 1_767_225_600,
    context_length: 128_000,
    architecture: {
      modality: image ? 'text->image' : 'text+image->text',
      input_modalities: image ? ['text'] : ['text', 'image'],
      output_modalities: [image ? 'image' : 'text'],
      tokenizer: 'Other',
    },
    pricing: {
      prompt: PRICE.prompt.toFixed(7),
      completion: PRICE.completion.toFixed(7),
      request: '0',
      image: '0',
    },
    top_provider: { context_length: 128_000, max_completion_tokens: 16_384, is_moderated: false },
    supported_parameters: image ? ['size', 'n', 'aspect_ratio'] : ['max_tokens', 'response_format', 'stream'],
    expiration_date: null,
  };
}

function costOf(view: LogView): number {
  const { usage } = view.detail;
  return isRecord(usage) && typeof usage.cost === 'number' ? usage.cost : 0;
}

function generationOf(view: LogView): Record<string, unknown> {
  const usage = isRecord(view.detail.usage) ? view.detail.usage : {};
  const cancelled = view.closedBy === 'client';
  return {
    id: view.detail.generationId,
    model: view.model,
    created_at: view.at,
    streamed: view.stream,
    cancelled,
    total_cost: costOf(view),
    usage: costOf(view),
    tokens_prompt: usage.prompt_tokens ?? 0,
    tokens_completion: cancelled ? view.tokensSent : (usage.completion_tokens ?? 0),
    finish_reason: view.detail.finishReason ?? null,
    latency: view.firstTokenAt ? Date.parse(view.firstTokenAt) - Date.parse(view.at) : null,
    provider_name: 'Stand-in',
  };
}

/** Mounts them under `base`, each behind `guarded`. */
export function mountAccount(
  router: Router,
  base: string,
  guarded: (handler: Handler) => Handler,
  log: RequestLog,
): void {
  // The models that the site asks for unless it is told others.
  const asked = [
    model('openai/gpt-4o-mini', 'Local stand-in for texts', false),
    model('google/gemini-2.5-flash-image', 'Local stand-in for pictures', true),
  ];
  const text = model('standin/default', 'Local stand-in, not a model', false);
  const image = model('standin/image', 'Local stand-in for images', true);
  const faults = MODES.map((mode) => model(`standin/${mode}`, `Local stand-in, mode ${mode}`, false));
  const read = (path: string, handler: Handler) =>
    router.on(
      'GET',
      `${base}${path}`,
      guarded((call) => {
        log.open(call.req, call.res, `${base}${path}`, {});
        return handler(call);
      }),
    );
  read('/models', ({ res, url }) => {
    const wanted = url.searchParams.get('output_modalities');
    sendJson(res, 200, { data: wanted === 'image' ? [image, asked[1]] : [text, image, ...asked, ...faults] });
  });
  read('/images/models', ({ res }) => sendJson(res, 200, { data: [image] }));
  read('/key', ({ res }) => {
    const spent = log.list({}).reduce((sum, view) => sum + costOf(view), 0);
    sendJson(res, 200, {
      data: {
        label: 'stand-in',
        limit: null,
        limit_remaining: null,
        limit_reset: null,
        usage: Number(spent.toFixed(10)),
        is_free_tier: false,
        is_management_key: false,
        expires_at: null,
      },
    });
  });
  read('/credits', ({ res }) =>
    sendGatewayError(res, 403, 'Only management keys can perform this operation', {
      error_type: 'permission_denied',
    }),
  );
  read('/generation', ({ res, url }) => {
    const found = log.findByDetail('generationId', url.searchParams.get('id') ?? '');
    if (found) sendJson(res, 200, { data: generationOf(found) });
    else sendGatewayError(res, 404, 'Generation not found', { error_type: 'not_found' });
  });
}

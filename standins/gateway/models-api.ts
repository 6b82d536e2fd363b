import { type Handler, isRecord, sendJson } from '../http.ts';
import type { LogView, RequestLog } from '../request-log.ts';
import { PRICE, sendGatewayError } from './chat.ts';
import { MODES } from './fault-modes.ts';

function model(id: string, name: string, image = false): Record<string, unknown> {
  const price = { prompt: PRICE.prompt.toFixed(7), completion: PRICE.completion.toFixed(7) };
  return {
    ...{ id, canonical_slug: id, name, created: 1_767_225_600, context_length: 128_000 },
    architecture: {
      modality: image ? 'text->image' : 'text+image->text',
      input_modalities: image ? ['text'] : ['text', 'image'],
      output_modalities: [image ? 'image' : 'text'],
      tokenizer: 'Other',
    },
    pricing: { ...price, request: '0', image: '0' },
    top_provider: { context_length: 128_000, max_completion_tokens: 16_384, is_moderated: false },
    supported_parameters: image ? ['size', 'n', 'aspect_ratio'] : ['max_tokens', 'response_format', 'stream'],
    expiration_date: null,
  };
}

const usageOf = ({ detail }: LogView) => (isRecord(detail.usage) ? detail.usage : {});
const costOf = (view: LogView) => Number(usageOf(view).cost) || 0;

function generationOf(view: LogView): Record<string, unknown> {
  const usage = usageOf(view);
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

export function mountModels(serve: (path: string, handler: Handler) => void, log: RequestLog): void {
  // The models that the site requests by default.
  const defaultText = model('openai/gpt-4o-mini', 'Local stand-in for texts');
  const defaultImage = model('google/gemini-2.5-flash-image', 'Local stand-in for pictures', true);
  const text = model('standin/default', 'Local stand-in, not a model');
  const image = model('standin/image', 'Local stand-in for images', true);
  const faults = MODES.map((mode) => model(`standin/${mode}`, `Local stand-in, mode ${mode}`));
  const read = (path: string, handler: Handler) =>
    serve(path, (call) => {
      log.open(call.req, call.res, call.url.pathname, {});
      return handler(call);
    });
  read('/models', ({ res, url }) => {
    const onlyImages = url.searchParams.get('output_modalities') === 'image';
    sendJson(res, 200, {
      data: onlyImages ? [image, defaultImage] : [text, image, defaultText, defaultImage, ...faults],
    });
  });
  read('/images/models', ({ res }) => sendJson(res, 200, { data: [image] }));
  read('/key', ({ res }) => {
    const spent = log.list({}).reduce((sum, view) => sum + costOf(view), 0);
    const limits = { limit: null, limit_remaining: null, limit_reset: null, expires_at: null };
    const usage = Number(spent.toFixed(10));
    const kind = { is_free_tier: false, is_management_key: false };
    sendJson(res, 200, { data: { label: 'stand-in', ...limits, usage, ...kind } });
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

import { contextOfModel } from '#features/generations/gateway/context-length.ts';
import { type Config, imageGateway } from '#platform/config/config.server.ts';
import { nearestName } from '#platform/config/nearest-name.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';
import { unreached } from './unreached.ts';

const BOUNDS = { firstByteMs: 10_000, totalMs: 20_000, maxBytes: 8 * 1024 * 1024 };

interface Gateway {
  about: string;
  names: { url: string; key: string; model: string };
  baseUrl: string;
  apiKey: string;
  model: string;
}

interface Answer {
  status: number;
  body: unknown;
  /** Seconds that its clock is ahead of ours, by its Date, which is whole seconds; null without one. */
  skew: number | null;
}

async function ask({ baseUrl, apiKey }: Gateway, path: string, body?: object): Promise<Answer> {
  const asked = Date.now();
  const response = await outbound(baseUrl.replace(/\/+$/, '') + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
    ...BOUNDS,
  });
  const there = Date.parse(response.headers.date ?? '');
  const skew = Number.isNaN(there) ? null : (there + 500 - (asked + Date.now()) / 2) / 1000;
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text), skew };
  } catch {
    return { status: response.status, body: null, skew };
  }
}

function refused({ status, body }: Answer, { url, key }: Gateway['names']): string | null {
  if (status === 401 || status === 403) return `The gateway refuses ${key}: correct it.`;
  if (status === 402) return `The account of ${key} is empty: put money into it.`;
  if (status === 404)
    return `There is no list of models at ${url}: it must be the part before /chat/completions, mostly one that ends in /v1.`;
  if (status === 429 || status >= 500)
    return `The gateway is not well (status ${status}): try again later, and look at its page of status.`;
  if (status !== 200) return `The gateway answers with status ${status}: correct ${url}.`;
  return body === null
    ? `${url} answers with a page, not with a gateway's JSON: it mostly ends in /v1.`
    : null;
}

interface Listed {
  id: string;
  context: number | null;
}

function listOf(body: unknown): Listed[] | null {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return null;
  return data.flatMap((each) =>
    typeof each?.id === 'string' ? [{ id: each.id as string, context: contextOfModel(each) }] : [],
  );
}

/** What is left of a model's context for its answer. */
const ANSWER_SHARE = 0.25;

/** A longer conversation is refused by the gateway, cut, and sent once more. */
function contextFinding({ id, context }: Listed, sent: number): Finding[] {
  if (context === null || context > sent) return [];
  const fits = Math.max(1000, Math.floor((context * (1 - ANSWER_SHARE)) / 100) * 100);
  return [
    wrong(
      'Context',
      `CONTEXT_TOKENS is ${sent}, and ${id} takes ${context} with its answer: set it to ${fits}, or take a model with a longer context.`,
    ),
  ];
}

/** Of those that people choose from in chat. */
function unlisted(ids: readonly string[]): Finding[] {
  const lacking = chatModels().filter(({ id }) => !ids.includes(id) && !ids.includes(`${id}:latest`));
  if (lacking.length === 0) return [];
  const names = lacking.map(({ id }) => id).join(' and ');
  return [
    wrong('Models in chat', `The gateway lists no ${names}: take it out of models.list, or correct it.`),
  ];
}

async function models(
  gateway: Gateway,
  contextTokens?: number,
): Promise<{ findings: Finding[]; skew: number | null }> {
  const { about, names, model } = gateway;
  try {
    const answer = await ask(gateway, '/models');
    const { skew } = answer;
    const problem = refused(answer, names);
    if (problem) return { findings: [wrong(about, problem)], skew };
    const listed = listOf(answer.body);
    if (!listed) return { findings: [wrong(about, `What ${names.url} answers is no list of models.`)], skew };
    const host = new URL(gateway.baseUrl).host;
    const ids = listed.map(({ id }) => id);
    const own = listed.find(({ id }) => id === model || id === `${model}:latest`);
    if (own || ids.length === 0) {
      const context = own && contextTokens !== undefined ? contextFinding(own, contextTokens) : [];
      const lacking = about === 'Pictures' || ids.length === 0 ? [] : unlisted(ids);
      return { findings: [ok(about, `${host} answers and has ${model}.`), ...lacking, ...context], skew };
    }
    const meant = nearestName(model, ids, 8);
    const missing = `${host} answers, but lists no ${model} among its ${ids.length} models`;
    return {
      findings: [
        about === 'Pictures'
          ? note(about, `${missing}: some list only those for texts. Making a picture tells.`)
          : wrong(
              about,
              `${missing}: set ${names.model} to one of them${meant ? `, such as ${meant}` : ''}.`,
            ),
      ],
      skew,
    };
  } catch (error) {
    return { findings: [wrong(about, unreached(error, names.url, 'a gateway'))], skew: null };
  }
}

/** OpenRouter's list of models needs no key, so its key is asked for by itself. */
async function key(gateway: Gateway): Promise<Finding[]> {
  const { status, body } = await ask(gateway, '/key');
  if (status === 401 || status === 403)
    return [wrong('Key', `The gateway refuses ${gateway.names.key}: correct it.`)];
  const { data } = (body ?? {}) as { data?: { limit_remaining?: unknown } };
  const left = data?.limit_remaining;
  if (typeof left !== 'number') return [];
  return left > 0
    ? [ok('Key', `$${left.toFixed(2)} of its limit are left.`)]
    : [wrong('Key', `The limit of ${gateway.names.key} is used up: raise it at the gateway.`)];
}

/** Some lists of models need no key. A call that cannot be answered costs nothing, and says so of a wrong key first. */
async function refusedKey(gateway: Gateway): Promise<Finding[]> {
  const { status } = await ask(gateway, '/chat/completions', { model: 'doctor/none', messages: [] });
  return status === 401 || status === 403
    ? [wrong('Key', `The gateway refuses ${gateway.names.key}: correct it.`)]
    : [];
}

/** A call of one token, which costs next to nothing and shows that the account may spend. */
async function spend(gateway: Gateway): Promise<Finding> {
  const messages = [{ role: 'user', content: 'Say yes.' }];
  try {
    const answer = await ask(gateway, '/chat/completions', { model: gateway.model, messages, max_tokens: 1 });
    const { choices } = (answer.body ?? {}) as { choices?: unknown };
    if (answer.status === 200 && Array.isArray(choices) && choices.length > 0)
      return ok('Answer', `${gateway.model} answered a call of one token.`);
    if (answer.status === 404 || answer.status === 400)
      return wrong(
        'Answer',
        `The gateway does not answer with ${gateway.model} (status ${answer.status}): set ${gateway.names.model} to another.`,
      );
    return wrong('Answer', refused(answer, gateway.names) ?? 'The gateway answered without a text.');
  } catch (error) {
    return wrong('Answer', unreached(error, gateway.names.url, 'a gateway'));
  }
}

function pictures(config: Config, text: Gateway): Gateway | null {
  const { baseUrl, apiKey, model } = imageGateway(config);
  if (baseUrl === text.baseUrl && apiKey === text.apiKey && model === text.model) return null;
  const own = config.IMAGE_BASE_URL !== undefined;
  return {
    about: 'Pictures',
    names: {
      url: own ? 'IMAGE_BASE_URL' : 'LLM_BASE_URL',
      key: own ? 'IMAGE_API_KEY' : 'LLM_API_KEY',
      model: 'IMAGE_MODEL',
    },
    baseUrl,
    apiKey,
    model,
  };
}

export async function gateway(
  config: Config,
  spends: boolean,
): Promise<{ findings: Finding[]; skew: number | null }> {
  if (!config.LLM_BASE_URL)
    return {
      findings: [
        notSet(
          'Models',
          'A local stand-in answers, which is no model; LLM_BASE_URL, LLM_API_KEY and LLM_MODEL name one.',
        ),
      ],
      skew: null,
    };
  const text: Gateway = {
    about: 'Models',
    names: { url: 'LLM_BASE_URL', key: 'LLM_API_KEY', model: 'LLM_MODEL' },
    baseUrl: config.LLM_BASE_URL,
    apiKey: config.LLM_API_KEY ?? '',
    model: config.LLM_MODEL,
  };
  const { findings, skew } = await models(text, config.CONTEXT_TOKENS);
  const answers = findings.every(({ about, state }) => about !== text.about || state === 'ok');
  if (config.localModel && !answers)
    return {
      findings: [
        note(
          'Models',
          `npm start runs ${config.localModel.name}, which npm run model brought; nothing answers at ${config.LLM_BASE_URL} now.`,
        ),
      ],
      skew,
    };
  if (!answers) return { findings, skew };
  const ofKey =
    imageGateway(config).protocol === 'openrouter' && !config.IMAGE_BASE_URL
      ? await key(text).catch(() => [])
      : [];
  findings.push(...ofKey);
  if (!spends && text.apiKey && ofKey.length === 0)
    findings.push(...(await refusedKey(text).catch(() => [])));
  const image = pictures(config, text);
  if (config.localModel && !config.IMAGE_BASE_URL)
    findings.push(
      notSet(
        'Pictures',
        'The local model makes none; IMAGE_BASE_URL, IMAGE_API_KEY and IMAGE_MODEL name what does.',
      ),
    );
  else if (image) findings.push(...(await models(image)).findings);
  findings.push(
    spends
      ? await spend(text)
      : note('Answer', 'No model was asked for an answer; npm run doctor -- --spend asks for one token.'),
  );
  return { findings, skew };
}

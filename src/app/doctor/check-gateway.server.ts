import { contextOfModel } from '#features/generations/gateway/context-length.ts';
import { type Config, imageGateway } from '#platform/config/config.server.ts';
import { nearestName } from '#platform/config/nearest-name.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { describeUnreachable } from './describe-unreachable.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

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
  /** Seconds by which the gateway's clock (its Date header, in whole seconds) is ahead of ours; null without one. */
  skew: number | null;
}

async function request({ baseUrl, apiKey }: Gateway, path: string, body?: object): Promise<Answer> {
  const startedAt = Date.now();
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
  const remoteTime = Date.parse(response.headers.date ?? '');
  const skew = Number.isNaN(remoteTime) ? null : (remoteTime + 500 - (startedAt + Date.now()) / 2) / 1000;
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text), skew };
  } catch {
    return { status: response.status, body: null, skew };
  }
}

function describeProblem({ status, body }: Answer, { url, key }: Gateway['names']): string | null {
  if (status === 401 || status === 403) return `The gateway rejected ${key}. Check the key.`;
  if (status === 402) return `The account of ${key} is out of funds. Add funds at the gateway.`;
  if (status === 404)
    return `There is no model list at ${url}. Use the part before /chat/completions, which usually ends in /v1.`;
  if (status === 429 || status >= 500)
    return `The gateway is having problems (status ${status}). Try again later, and check its status page.`;
  if (status !== 200) return `The gateway returned status ${status}. Check ${url}.`;
  return body === null ? `${url} returned a web page instead of JSON. It usually ends in /v1.` : null;
}

interface ListedModel {
  id: string;
  context: number | null;
}

function readModelList(body: unknown): ListedModel[] | null {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return null;
  return data.flatMap((each) =>
    typeof each?.id === 'string' ? [{ id: each.id as string, context: contextOfModel(each) }] : [],
  );
}

/** Share of a model's context that is reserved for its answer. */
const ANSWER_SHARE = 0.25;

/** The gateway rejects longer conversations, so the site must shorten and resend them. */
function contextFinding({ id, context }: ListedModel, sent: number): Finding[] {
  if (context === null || context > sent) return [];
  const recommended = Math.max(1000, Math.floor((context * (1 - ANSWER_SHARE)) / 100) * 100);
  return [
    wrong(
      'Context',
      `CONTEXT_TOKENS is ${sent}, but ${id} has room for only ${context}, including its answer. Set it to ${recommended}, or use a model with a longer context.`,
    ),
  ];
}

/** Checks the models that people can choose in chat. */
function findUnlisted(ids: readonly string[]): Finding[] {
  const missing = chatModels().filter(({ id }) => !ids.includes(id) && !ids.includes(`${id}:latest`));
  if (missing.length === 0) return [];
  const names = missing.map(({ id }) => id).join(' and ');
  return [
    wrong(
      'Models in chat',
      `The gateway does not list ${names}. Remove it from models.list, or fix the name.`,
    ),
  ];
}

async function checkModels(
  gateway: Gateway,
  contextTokens?: number,
): Promise<{ findings: Finding[]; skew: number | null }> {
  const { about, names, model } = gateway;
  try {
    const answer = await request(gateway, '/models');
    const { skew } = answer;
    const problem = describeProblem(answer, names);
    if (problem) return { findings: [wrong(about, problem)], skew };
    const listed = readModelList(answer.body);
    if (!listed) return { findings: [wrong(about, `${names.url} did not return a list of models.`)], skew };
    const host = new URL(gateway.baseUrl).host;
    const ids = listed.map(({ id }) => id);
    const configured = listed.find(({ id }) => id === model || id === `${model}:latest`);
    if (configured || ids.length === 0) {
      const context =
        configured && contextTokens !== undefined ? contextFinding(configured, contextTokens) : [];
      const notListed = about === 'Images' || ids.length === 0 ? [] : findUnlisted(ids);
      return { findings: [ok(about, `${host} responds and has ${model}.`), ...notListed, ...context], skew };
    }
    const suggestion = nearestName(model, ids, 8);
    const missing = `${host} responds, but ${model} is not among the ${ids.length} models it lists`;
    return {
      findings: [
        about === 'Images'
          ? note(about, `${missing}. Some gateways list only text models. Create an image to find out.`)
          : wrong(
              about,
              `${missing}. Set ${names.model} to one of them${suggestion ? `, such as ${suggestion}` : ''}.`,
            ),
      ],
      skew,
    };
  } catch (error) {
    return { findings: [wrong(about, describeUnreachable(error, names.url, 'a gateway'))], skew: null };
  }
}

/** Checks OpenRouter's key separately, because its list of models needs no key. */
async function checkKey(gateway: Gateway): Promise<Finding[]> {
  const { status, body } = await request(gateway, '/key');
  if (status === 401 || status === 403)
    return [wrong('Key', `The gateway rejected ${gateway.names.key}. Check the key.`)];
  const { data } = (body ?? {}) as { data?: { limit_remaining?: unknown } };
  const remaining = data?.limit_remaining;
  if (typeof remaining !== 'number') return [];
  return remaining > 0
    ? [ok('Key', `$${remaining.toFixed(2)} of its limit is left.`)]
    : [wrong('Key', `${gateway.names.key} has reached its limit. Raise the limit at the gateway.`)];
}

/** Checks a key whose gateway lists models without one. An invalid call is free, and a wrong key is reported first. */
async function checkKeyByCall(gateway: Gateway): Promise<Finding[]> {
  const { status } = await request(gateway, '/chat/completions', { model: 'doctor/none', messages: [] });
  return status === 401 || status === 403
    ? [wrong('Key', `The gateway rejected ${gateway.names.key}. Check the key.`)]
    : [];
}

/** Makes a call of one token, which costs almost nothing and shows that the account can pay. */
async function checkAnswer(gateway: Gateway): Promise<Finding> {
  const messages = [{ role: 'user', content: 'Say yes.' }];
  try {
    const answer = await request(gateway, '/chat/completions', {
      model: gateway.model,
      messages,
      max_tokens: 1,
    });
    const { choices } = (answer.body ?? {}) as { choices?: unknown };
    if (answer.status === 200 && Array.isArray(choices) && choices.length > 0)
      return ok('Answer', `${gateway.model} answered a one-token request.`);
    if (answer.status === 404 || answer.status === 400)
      return wrong(
        'Answer',
        `The gateway can't answer with ${gateway.model} (status ${answer.status}). Set ${gateway.names.model} to another model.`,
      );
    return wrong(
      'Answer',
      describeProblem(answer, gateway.names) ?? 'The gateway answered without any text.',
    );
  } catch (error) {
    return wrong('Answer', describeUnreachable(error, gateway.names.url, 'a gateway'));
  }
}

function separateImageGateway(config: Config, textGateway: Gateway): Gateway | null {
  const { baseUrl, apiKey, model } = imageGateway(config);
  if (baseUrl === textGateway.baseUrl && apiKey === textGateway.apiKey && model === textGateway.model)
    return null;
  const isSeparate = config.IMAGE_BASE_URL !== undefined;
  return {
    about: 'Images',
    names: {
      url: isSeparate ? 'IMAGE_BASE_URL' : 'LLM_BASE_URL',
      key: isSeparate ? 'IMAGE_API_KEY' : 'LLM_API_KEY',
      model: 'IMAGE_MODEL',
    },
    baseUrl,
    apiKey,
    model,
  };
}

export async function checkGateway(
  config: Config,
  spend: boolean,
): Promise<{ findings: Finding[]; skew: number | null }> {
  if (!config.LLM_BASE_URL)
    return {
      findings: [
        notSet(
          'Models',
          'A local stand-in answers instead of a model. To use a model, set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.',
        ),
      ],
      skew: null,
    };
  const textGateway: Gateway = {
    about: 'Models',
    names: { url: 'LLM_BASE_URL', key: 'LLM_API_KEY', model: 'LLM_MODEL' },
    baseUrl: config.LLM_BASE_URL,
    apiKey: config.LLM_API_KEY ?? '',
    model: config.LLM_MODEL,
  };
  const { findings, skew } = await checkModels(textGateway, config.CONTEXT_TOKENS);
  const works = findings.every(({ about, state }) => about !== textGateway.about || state === 'ok');
  if (config.localModel && !works)
    return {
      findings: [
        note(
          'Models',
          `npm start runs ${config.localModel.name}, installed by npm run model. It is not running at ${config.LLM_BASE_URL} now.`,
        ),
      ],
      skew,
    };
  if (!works) return { findings, skew };
  const keyFindings =
    imageGateway(config).protocol === 'openrouter' && !config.IMAGE_BASE_URL
      ? await checkKey(textGateway).catch(() => [])
      : [];
  findings.push(...keyFindings);
  if (!spend && textGateway.apiKey && keyFindings.length === 0)
    findings.push(...(await checkKeyByCall(textGateway).catch(() => [])));
  const image = separateImageGateway(config, textGateway);
  if (config.localModel && !config.IMAGE_BASE_URL)
    findings.push(
      notSet(
        'Images',
        "The local model can't create images. To use a model that can, set IMAGE_BASE_URL, IMAGE_API_KEY and IMAGE_MODEL.",
      ),
    );
  else if (image) findings.push(...(await checkModels(image)).findings);
  findings.push(
    spend
      ? await checkAnswer(textGateway)
      : note('Answer', 'No model was asked to answer. npm run doctor -- --spend asks for one token.'),
  );
  return { findings, skew };
}

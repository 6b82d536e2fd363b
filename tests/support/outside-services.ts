import type { IncomingMessage, ServerResponse } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';

/** Replaces a service's correct response: a status, or these details. */
export type Answer =
  | number
  | { status?: number; json?: unknown; text?: string; date?: string; hang?: true; location?: string };

export interface OutsideServices {
  /**
   * Returns environment variables with their URLs and keys, and faults by path; each call gets its own gateway and
   * payment provider.
   */
  env(faults?: Record<string, Answer>): Record<string, string>;
  stop(): Promise<void>;
}

export const serviceKeys = {
  LLM_API_KEY: 'sk-gateway-7Hq2',
  CREEM_API_KEY: 'creem_live_9Xw4',
  CREEM_WEBHOOK_SECRET: 'whsec_5Tb8mN3kQz6R',
  mail: 'mail-word-3Vd',
};

const products: Record<string, object> = {
  prod_m: { price: 1999, billing_period: 'every-month' },
  prod_q: { price: 3999, billing_period: 'every-three-months' },
  prod_y: { price: 6999, billing_period: 'every-year' },
};

function correctAnswer(path: string, { headers }: IncomingMessage): Answer {
  const id = path.split('/').at(-1) ?? '';
  const product = products[id];
  if (path.startsWith('/creem/') && headers['x-api-key'] !== serviceKeys.CREEM_API_KEY) return 403;
  if (product) return { json: { id, name: 'Pro', currency: 'USD', mode: 'prod', ...product } };
  if (path.startsWith('/creem/')) return 404;
  if (headers.authorization !== `Bearer ${serviceKeys.LLM_API_KEY}`) return 401;
  if (path === '/v1/models') return { json: { data: [{ id: 'maker/text-2' }, { id: 'maker/picture-1' }] } };
  if (path === '/v1/key') return { json: { data: { limit_remaining: 4.2 } } };
  if (path === '/v1/chat/completions') return { json: { choices: [{ message: { content: 'Yes' } }] } };
  return 404;
}

function send(response: ServerResponse, answer: Answer): void {
  const {
    status = 200,
    json,
    text = '',
    date,
    hang,
    location,
  } = typeof answer === 'number' ? { status: answer } : answer;
  if (hang) return void response.socket?.destroy();
  if (date) response.setHeader('date', date);
  if (location) response.setHeader('location', location);
  // Some services repeat the key in their errors.
  const body = JSON.stringify(json ?? { error: { message: `bad ${serviceKeys.LLM_API_KEY}` } });
  response.writeHead(status, { 'content-type': 'application/json' }).end(text || body);
}

/** Starts a gateway, a payment provider and a mail server on loopback that answer as correctly set up ones do. */
export async function startOutsideServices(): Promise<OutsideServices> {
  const setups: Array<Record<string, Answer>> = [];
  const http = await startLoopbackServer((request, response) => {
    const [, setup, path = '/'] = /^\/(\d+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
    request.resume();
    send(response, setups[Number(setup)]?.[path] ?? correctAnswer(path, request));
  });
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _, callback) =>
      callback(password === serviceKeys.mail ? null : new Error(`no ${password}`), { user: 'u' }),
  });
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done));
  const { port } = smtp.server.address() as { port: number };
  const { mail, ...keys } = serviceKeys;
  return {
    env(faults = {}) {
      const origin = `${http.origin}/${setups.push(faults) - 1}`;
      return {
        ...keys,
        LLM_BASE_URL: `${origin}/v1`,
        LLM_MODEL: 'maker/text-2',
        IMAGE_MODEL: 'maker/picture-1',
        IMAGE_PROTOCOL: 'openrouter',
        SMTP_URL: `smtp://u:${mail}@127.0.0.1:${port}?allowInsecureAuth=true`,
        MAIL_FROM: 'Tools <hello@tools.test>',
        CREEM_BASE_URL: `${origin}/creem`,
        CREEM_PRODUCT_MONTHLY: 'prod_m',
        CREEM_PRODUCT_QUARTERLY: 'prod_q',
        CREEM_PRODUCT_YEARLY: 'prod_y',
        GOOGLE_CLIENT_ID: '1234567890-abc123.apps.googleusercontent.com',
        GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789abcdefghij',
        GITHUB_CLIENT_ID: 'Ov23liABCDEFGHIJKLMN',
        GITHUB_CLIENT_SECRET: '0123456789abcdef0123456789abcdef01234567',
      };
    },
    async stop() {
      await http.close();
      await new Promise<void>((done) => smtp.close(() => done()));
    },
  };
}

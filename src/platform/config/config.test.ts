import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { imageGateway, isLoopbackHost, resolveConfig, transcriptionGateway } from './config.server.ts';
import { environmentExample } from './environment-example.server.ts';
import { variables } from './environment-schema.server.ts';
import { ConfigurationError, readEnvironment } from './read-environment.server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'site-config-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const strongSecret = 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE';
const configFrom = (env: Record<string, string>) =>
  resolveConfig(readEnvironment({ DATA_DIR: dataDir, ...env }));
const site = {
  PUBLIC_URL: 'https://example.com',
  AUTH_SECRET: strongSecret,
  SMTP_URL: 'smtp://u:p@mail.example.com:587',
  MAIL_FROM: 'Site <hello@example.com>',
  LLM_BASE_URL: 'https://llm.example.com/v1',
  LLM_API_KEY: 'key',
};

const payments = {
  CREEM_API_KEY: 'creem_test_x',
  CREEM_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  CREEM_PRODUCT_MONTHLY: 'prod_1',
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    configFrom(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe('an empty environment', () => {
  test('is a sandbox on loopback with its own permanent secret', () => {
    const config = configFrom({});
    expect(config).toMatchObject({
      FIRST_TOKEN_SECONDS: 120,
      port: 3000,
      portFixed: false,
      HOST: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      sandbox: true,
      secure: false,
    });
    expect(config.authSecret.length).toBeGreaterThanOrEqual(32);
    expect(configFrom({}).authSecret).toBe(config.authSecret);
  });

  test('is equivalent to empty and blank values', () => {
    expect(configFrom({ PORT: '', HOST: ' ', SANDBOX: '' })).toMatchObject({ port: 3000, sandbox: true });
  });
});

describe('a public site', () => {
  test('runs outside the sandbox', () => {
    expect(configFrom(site)).toMatchObject({
      sandbox: false,
      secure: true,
      publicUrl: 'https://example.com',
    });
    expect(configFrom({ ...site, PUBLIC_URL: 'https://example.com/' }).publicUrl).toBe('https://example.com');
    expect(configFrom({ ...site, HOST: '0.0.0.0' }).sandbox).toBe(false);
  });

  test.each([
    ['AUTH_SECRET', ''],
    ['AUTH_SECRET', 'short'],
    ['AUTH_SECRET', 'a'.repeat(64)],
    ['AUTH_SECRET', 'abcabcabc'.repeat(8)],
    ['AUTH_SECRET', 'please-change-me-0123456789-abcdefgh'],
    ['AUTH_SECRET', 'my-secret-0123456789-abcdefghijklmno'],
    ['METRICS_TOKEN', 'figures-0123456789-0123456789-0'],
    ['SMTP_URL', ''],
    ['MAIL_FROM', ''],
    ['LLM_BASE_URL', ''],
    ['PUBLIC_URL', 'http://example.com'],
    ['PUBLIC_URL', 'https://example.com/shop'],
    ['PUBLIC_URL', 'https://example.com/?a=b'],
    ['PUBLIC_URL', 'https://user:word@example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'example.com'],
    ['SANDBOX', 'true'],
  ])('is rejected with %s=%j, in one line that names the variable', (name, value) => {
    const problems = problemsOf({ ...site, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: [^\\n]+$`));
    if (value.length > 4) expect(problems[0]).not.toContain(value);
  });

  test('may have a local proxy in front of loopback', () => {
    expect(
      configFrom({ ...site, HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1, ::1,10.0.0.0/8' }).sandbox,
    ).toBe(false);
  });
});

describe('the image gateway', () => {
  const gateway = (env: Record<string, string>) => imageGateway(configFrom({ ...site, ...env }));

  test('defaults to the gateway for text, with the same key', () => {
    expect(gateway({})).toEqual({
      baseUrl: site.LLM_BASE_URL,
      apiKey: 'key',
      model: 'google/gemini-2.5-flash-image',
      protocol: 'openai',
    });
    expect(gateway({ LLM_BASE_URL: 'https://openrouter.ai/api/v1' }).protocol).toBe('openrouter');
    expect(gateway({ LLM_BASE_URL: 'https://notopenrouter.ai/v1' }).protocol).toBe('openai');
  });

  test('may be a separate one, and gets no key that is for another host', () => {
    const otherHost = { IMAGE_BASE_URL: 'https://api.openai.com/v1', IMAGE_MODEL: 'gpt-image-2' };
    expect(gateway(otherHost)).toEqual({
      baseUrl: otherHost.IMAGE_BASE_URL,
      apiKey: '',
      model: 'gpt-image-2',
      protocol: 'openai',
    });
    expect(gateway({ ...otherHost, IMAGE_API_KEY: 'own' }).apiKey).toBe('own');
    expect(gateway({ IMAGE_BASE_URL: 'https://llm.example.com/pictures' }).apiKey).toBe('key');
    expect(gateway({ ...otherHost, IMAGE_PROTOCOL: 'openrouter' }).protocol).toBe('openrouter');
  });
});

test('the transcription gateway may be a separate one, and gets no key that is for another host', () => {
  const gateway = (env: Record<string, string>) => transcriptionGateway(configFrom({ ...site, ...env }));
  expect(gateway({ TRANSCRIPTION_BASE_URL: 'https://api.openai.com/v1' })).toBeNull();
  const model = { TRANSCRIPTION_MODEL: 'whisper-1' };
  expect(gateway(model)).toEqual({ baseUrl: site.LLM_BASE_URL, apiKey: 'key', model: 'whisper-1' });
  const otherHost = { ...model, TRANSCRIPTION_BASE_URL: 'https://api.openai.com/v1' };
  expect(gateway(otherHost)).toMatchObject({ baseUrl: 'https://api.openai.com/v1', apiKey: '' });
  expect(gateway({ ...otherHost, TRANSCRIPTION_API_KEY: 'own' })?.apiKey).toBe('own');
});

describe('rules', () => {
  test.each([
    [{ HOST: '0.0.0.0', ...{ AUTH_SECRET: strongSecret } }, 'PUBLIC_URL'],
    [{ HOST: '192.168.1.5' }, 'PUBLIC_URL'],
    [{ LLM_API_KEY: 'key' }, 'LLM_BASE_URL'],
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ PORT: '80.5' }, 'PORT'],
    [{ SANDBOX: 'yes' }, 'SANDBOX'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES'],
    [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL'],
    [{ LLM_BASE_URL: 'file:///etc/passwd' }, 'LLM_BASE_URL'],
    [{ LLM_BASE_URL: 'https://user:word@llm.example.com' }, 'LLM_BASE_URL'],
    [{ RUNNING_AT_ONCE: '0' }, 'RUNNING_AT_ONCE'],
    [{ SPEND_CAP_DAY: '-1' }, 'SPEND_CAP_DAY'],
    [{ CONTEXT_TOKENS: '10' }, 'CONTEXT_TOKENS'],
    ...['gpt', 'gpt=', '=1/2', 'gpt=1/2/3', 'gpt=-1', 'gpt=cheap/1', 'gpt=1,gpt=2', 'gpt=1,,'].map(
      (LLM_PRICES): [Record<string, string>, string] => [{ LLM_PRICES }, 'LLM_PRICES'],
    ),
    [{ DRAIN_SECONDS: '-1' }, 'DRAIN_SECONDS'],
    [{ FIRST_TOKEN_SECONDS: '0' }, 'FIRST_TOKEN_SECONDS'],
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET'],
    [{ GOOGLE_CLIENT_SECRET: strongSecret }, 'GOOGLE_CLIENT_ID'],
    [{ GITHUB_CLIENT_ID: 'id' }, 'GITHUB_CLIENT_SECRET'],
    [{ GITHUB_CLIENT_SECRET: strongSecret }, 'GITHUB_CLIENT_ID'],
    [{ GOOGLE_TOKEN_URL: 'http://oauth2.example.com/token' }, 'GOOGLE_TOKEN_URL'],
    [{ GITHUB_API_URL: 'http://api.example.com' }, 'GITHUB_API_URL'],
    [{ GOOGLE_ISSUER: 'accounts.google.com' }, 'GOOGLE_ISSUER'],
    [{ GOOGLE_OFFLINE: 'always' }, 'GOOGLE_OFFLINE'],
    [{ CREEM_API_KEY: 'creem_test_x', CREEM_BASE_URL: 'http://api.example.com' }, 'CREEM_BASE_URL'],
    [{ CREEM_BASE_URL: 'https://api.example.com' }, 'CREEM_API_KEY'],
    [{ CREEM_PRODUCT_YEARLY: 'prod_3' }, 'CREEM_API_KEY'],
    [{ CREEM_WEBHOOK_SECRET: 'whsec_x' }, 'CREEM_API_KEY'],
    [{ CREEM_API_KEY: 'creem_test_x', CREEM_PRODUCT_MONTHLY: 'prod_1' }, 'CREEM_WEBHOOK_SECRET'],
    [{ CREEM_API_KEY: 'creem_test_x', CREEM_WEBHOOK_SECRET: 'whsec_short' }, 'CREEM_WEBHOOK_SECRET'],
    [
      { CREEM_API_KEY: 'creem_test_x', CREEM_PRODUCT_MONTHLY: 'prod_1', CREEM_WEBHOOK_SECRET: '' },
      'CREEM_WEBHOOK_SECRET',
    ],
    [{ ...payments, CREEM_PRODUCT_YEARLY: 'prod_1' }, 'CREEM_PRODUCT_YEARLY'],
    [{ ...payments, CREEM_BASE_URL: 'https://api.creem.io' }, 'CREEM_BASE_URL'],
    [
      { ...payments, ...site, CREEM_API_KEY: 'creem_x', CREEM_BASE_URL: 'https://test-api.creem.io' },
      'CREEM_BASE_URL',
    ],
    [{ ...payments, CREEM_API_KEY: 'creem_x' }, 'CREEM_API_KEY'],
    [{ ...site, CREEM_PRODUCT_MONTHLY: 'prod_1' }, 'CREEM_API_KEY'],
    [{ IMAGE_PROTOCOL: 'dalle' }, 'IMAGE_PROTOCOL'],
    [{ IMAGE_BASE_URL: 'images.example.com' }, 'IMAGE_BASE_URL'],
  ] satisfies Array<[Record<string, string>, string]>)('%j is rejected with a problem of %s', (env, name) => {
    const problems = problemsOf(env);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
  });

  test('payments work in the sandbox with a test key, and outside it with either kind of key', () => {
    expect(problemsOf(payments)).toEqual([]);
    expect(problemsOf({ ...site, ...payments })).toEqual([]);
    expect(problemsOf({ ...site, ...payments, CREEM_API_KEY: 'creem_x' })).toEqual([]);
  });

  test('reports all problems at once', () => {
    expect(problemsOf({ PORT: 'x', SANDBOX: 'y', SPEND_CAP_DAY: 'z' })).toHaveLength(3);
    expect(problemsOf({ PUBLIC_URL: 'http://example.com' }).length).toBeGreaterThanOrEqual(4);
  });
});

describe('OpenTelemetry variables', () => {
  const read = (value: string) =>
    readEnvironment({ OTEL_EXPORTER_OTLP_HEADERS: value }).values.OTEL_EXPORTER_OTLP_HEADERS;

  test('contain names and values in the format of the specification', () => {
    expect(read('authorization=Bearer%20a%2Cb, x-site = one')).toEqual({
      authorization: 'Bearer a,b',
      'x-site': 'one',
    });
  });

  test.each(['key', '=value', 'a b=c', 'key=%zz', 'key=a%0d%0ahost: x'])('refuse %j', (value) => {
    expect(() => read(value)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: must be NAME=VALUE/);
  });
});

describe('unknown variables', () => {
  const warningsOf = (env: Record<string, string>) => readEnvironment(env).warnings;
  test.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['LLM_KEY', 'LLM_API_KEY'],
    ['LLM_BASEURL', 'LLM_BASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['DATABASE_URI', 'DATABASE_URL'],
  ])('a warning about %s suggests %s', (name, meant) => {
    expect(warningsOf({ [name]: 'x' })).toEqual([`Unknown variable ${name}; did you mean ${meant}?`]);
  });
  test('a warning about one that resembles no known variable suggests nothing', () => {
    expect(warningsOf({ CREEM_SOMETHING_ELSE: 'x' })).toEqual(['Unknown variable CREEM_SOMETHING_ELSE.']);
  });
  test.each([
    'PATH',
    'HOME',
    'HOSTNAME',
    'MAIL',
    'LANG',
    'GITHUB_TOKEN',
    'DATADOG_API_KEY',
    'IS_SANDBOX',
    'NODE_ENV',
  ])('there is no warning about %s', (name) => expect(warningsOf({ [name]: 'x' })).toEqual([]));
});

describe('sign-in with a provider', () => {
  test('may use http on this machine, with an ID and a secret', () => {
    const env = {
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: strongSecret,
      GOOGLE_ISSUER: 'http://127.0.0.1:4000/google',
      GOOGLE_TOKEN_URL: 'http://127.0.0.1:4000/google/token',
      GITHUB_API_URL: 'http://localhost:4000/github/api',
    };
    expect(configFrom(env)).toMatchObject(env);
  });
  test('is optional, inside the sandbox and outside', () => {
    for (const env of [{}, site]) {
      expect(configFrom(env)).toMatchObject({
        GOOGLE_OFFLINE: false,
        GITHUB_API_URL: 'https://api.github.com',
      });
      expect(configFrom(env).GOOGLE_CLIENT_ID).toBeUndefined();
    }
  });
});

test('marks variables that browsers may see, and none of them is secret', () => {
  const marked = variables().filter(({ info }) => info.public);
  expect(marked.map(({ name }) => name)).toEqual([
    'PUBLIC_URL',
    'SANDBOX',
    'CONTEXT_TOKENS',
    'RUNNING_AT_ONCE',
    'FAIR_USE_CHAT',
    'RELEASED_PER_HOUR',
    'RELEASED_PER_DAY',
  ]);
  expect(marked.filter(({ info }) => info.secret)).toEqual([]);
  const secret = variables().filter(({ name }) => /SECRET|TOKEN$|KEY$|DATABASE_URL|SMTP_URL/.test(name));
  expect(secret.filter(({ info }) => !info.secret)).toEqual([]);
});

test.each([
  ['localhost', true],
  ['localhost:3000', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.1.2.3:80', true],
  ['::1', true],
  ['[::1]', true],
  ['[::1]:3000', true],
  ['app.localhost', true],
  ['app.localhost:3000', true],
  ['localhost.evil.test', false],
  ['127.0.0.1.evil.test', false],
  ['127.0.0.1@evil.test', false],
  ['evil.test:80@x.localhost', false],
  ['evil.test/.localhost', false],
  ['0.0.0.0', false],
  ['::', false],
  ['1::1', false],
  ['', false],
])('%s is loopback: %s', (host, expected) => expect(isLoopbackHost(host)).toBe(expected));

describe('.env.example', () => {
  const file = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  test('is what `npm run -s env` prints', () => expect(file).toBe(environmentExample()));
  test('contains every variable, commented out, and is valid when uncommented', () => {
    for (const { name } of variables()) expect(file).toMatch(new RegExp(`^#${name}=`, 'm'));
    expect(file).not.toMatch(/^[^#\n]/m);
    const pairs = [...file.matchAll(/^#([A-Z0-9_]+)=(?:"(.*)"|(.*))$/gm)];
    const env = Object.fromEntries(
      pairs.map(([, name = '', quoted, unquoted]) => [name, quoted ?? unquoted ?? '']),
    );
    expect(Object.keys(env)).toHaveLength(variables().length);
    expect(() => readEnvironment(env)).not.toThrow();
  });
});

describe('a model that npm run model installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'model.gguf');
  const model = { id: 'small', name: 'Small', licence: 'MIT', file, contextTokens: 4096, port: 11_500 };
  const folderConfig = (env: Record<string, string>) => configFrom({ DATA_DIR: folder, ...env });

  test('is used once its file and its runtime exist', () => {
    mkdirSync(join(folder, 'model'));
    writeFileSync(join(folder, 'model', 'model.json'), JSON.stringify(model));
    expect(folderConfig({}).localModel).toBeNull();
    writeFileSync(file, '');
    expect(folderConfig({}).localModel).toBeNull();
    mkdirSync(join(folder, 'model', 'runtime', 'node_modules'), { recursive: true });
    expect(folderConfig({})).toMatchObject({
      localModel: model,
      LLM_BASE_URL: 'http://127.0.0.1:11500/v1',
      LLM_MODEL: 'small',
      CONTEXT_TOKENS: 4096,
    });
  });

  test('is overridden by the environment', () => {
    const env = { LLM_BASE_URL: 'https://llm.example.com/v1', LLM_MODEL: 'big' };
    expect(folderConfig(env)).toMatchObject({ localModel: null, ...env, CONTEXT_TOKENS: 16_000 });
    expect(folderConfig({ CONTEXT_TOKENS: '2000' })).toMatchObject({
      localModel: model,
      CONTEXT_TOKENS: 2000,
    });
  });

  test.each(['', '{', '{"id":1}', 'null'])('is ignored if its file contains %j', (text) => {
    writeFileSync(join(folder, 'model', 'model.json'), text);
    const { localModel, LLM_BASE_URL } = folderConfig({});
    expect([localModel, LLM_BASE_URL]).toEqual([null, undefined]);
  });
});

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { WEBHOOK_SECRET } from '../support/creem-events.ts';
import { visibleText } from '../support/html.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting, settingsCommand } from '../support/settings.ts';
import { sampleOf } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  other = await startSecondProcess(server, {
    CREEM_WEBHOOK_SECRET: WEBHOOK_SECRET,
    CREEM_PRODUCT_MONTHLY: 'prod_monthly',
    CREEM_PRODUCT_YEARLY: 'prod_yearly',
  });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const change = (...args: string[]) => changeSetting([server, other], args);
const page = async (path: string, at = server) => visibleText(await (await fetch(at.url + path)).text());

test('figures are the operator’s own, in the reader’s language, on every process', async () => {
  for (const path of ['/', '/use-cases']) expect(await page(path)).toContain('Sample numbers, not ours.');
  await change('set', 'claims.home', '1,200 | teams | de: Teams', '99.9 % | of days without a failure');
  for (const at of [server, other]) {
    const home = await page('/', at);
    expect(home).not.toContain('Sample numbers');
    expect(home).not.toContain('50K+');
    expect(home).toMatch(/teams 1,200 of days without a failure 99\.9 %/);
    expect(await page('/de', at)).toMatch(/Teams 1,200 of days without a failure 99\.9 %/);
    expect(await page('/use-cases', at)).toContain('Sample numbers');
  }
  await change('set', 'claims.useCases', '');
  expect(await page('/use-cases')).not.toMatch(/Sample numbers|\+300%/);
  await change('unset', 'claims.home', 'claims.useCases');
  expect(await page('/')).toContain('50K+');
});

describe('a promotion', () => {
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

  test('is shown with its former price and the plan’s price, until its last day', async () => {
    expect(await page('/pricing')).toContain('(sample, shown only in the sandbox)');
    await change('set', 'promotion', `yearly | 199 | ${day}`, 'Winter offer', 'de: Winterangebot');
    for (const at of [server, other]) {
      const pricing = await page('/pricing', at);
      expect(/Winter offer.{33}/.exec(pricing)?.[0]).toBe('Winter offer $199.00 $69.99 for 1 Year, until');
      expect(pricing).not.toContain('(sample');
      expect(await page('/de/pricing', at)).toContain('Winterangebot');
    }
    // The offer's lowered price is the current plan price; there is no offer once that is not lower.
    await change('set', 'plan.yearly.cents', '4999');
    expect(await page('/pricing')).toMatch(/Winter offer \$199\.00 \$49\.99 for/);
    await change('set', 'plan.yearly.cents', '19900');
    expect(await page('/pricing')).not.toContain('Winter offer');
    await change('unset', 'plan.yearly.cents');
  });

  test('may have a code, and disappears when it is empty or over', async () => {
    await change('set', 'promotion', `monthly | 19.98 | ${day} | HALF | 4.99`, 'Half off');
    expect(await page('/pricing')).toMatch(/Half off \$19\.98 .*\$4\.99 for .* with code HALF/);
    await change('set', 'promotion', 'monthly | 19.98 | 2026-01-31 | HALF | 4.99', 'Half off');
    expect(await page('/pricing')).not.toContain('Half off');
    expect((await settingsCommand(server, ['get', 'promotion'])).output).toContain('2026-01-31');
    await change('set', 'promotion', '');
    expect(await page('/pricing')).not.toMatch(/Half off|\(sample/);
    await change('unset', 'promotion');
    expect(await page('/pricing')).toContain('(sample');
  });
});

test('packs follow the setting, on pages and at the checkout', async () => {
  expect(await page('/pricing')).toMatch(/100 credits .*500 credits/);
  await change('set', 'payments.packs', 'prod_credits_500=450');
  for (const at of [server, other])
    await eventually(async () => {
      const pricing = await page('/pricing', at);
      return pricing.includes('450 credits') && !pricing.includes('500 credits');
    });
  await change('set', 'payments.packs', '');
  expect(await page('/pricing')).not.toContain('450 credits');
  await change('unset', 'payments.packs');
});

describe('an invalid value is refused, and changes nothing:', () => {
  test.each(
    sampleOf([
      [
        ['claims.home', '1,200'],
        'claims.home line 1 must be FIGURE | WHAT IT COUNTS | LANGUAGE: WHAT IT COUNTS.',
      ],
      [['claims.home', '1 | a', '| b'], 'claims.home line 2 must begin with a figure of 1 to 20 characters.'],
      [
        ['claims.home', '1 | <b>teams</b>'],
        'claims.home line 1 must have a text of 1 to 60 characters without < and >.',
      ],
      [
        ['claims.home', '1 | teams | nl: teams'],
        'claims.home line 1 has "nl: teams" for a translation; write LANGUAGE: TEXT, with ar, de, es, fr, ja, pt-BR, zh-Hans.',
      ],
      [['claims.home', '1 | a | de: b | de: c'], 'claims.home line 1 has two texts for de.'],
      [['claims.useCases', ...Array(7).fill('1 | a')], 'claims.useCases must have 6 lines or less.'],
      [['promotion', 'weekly | 5 | 2027-01-31', 'Text'], /^promotion line 1 must be PLAN \|/],
      [['promotion', 'yearly | 5 | 2027-02-30', 'Text'], /^promotion line 1 must be PLAN \|/],
      [['promotion', 'yearly | 5 | 2027-01-31 | HALF', 'Text'], /^promotion line 1 must have a code/],
      [['promotion', 'yearly | 5 | 2027-01-31 | HALF | 5', 'Text'], 'promotion line 1 must lower the price.'],
      [['promotion', 'yearly | 5 | 2027-01-31'], /^promotion line 2 and those below: must have a text/],
      [
        ['payments.packs', 'prod_x'],
        'payments.packs must be PRODUCT=CREDITS, separated by commas, each product once.',
      ],
      [
        ['payments.packs', 'prod_x=1,prod_monthly=5'],
        'payments.packs must be a different product from payments.monthly.',
      ],
    ]),
  )('%j', async (words, message) => {
    const env = {
      CREEM_API_KEY: 'creem_test_1',
      CREEM_PRODUCT_MONTHLY: 'prod_monthly',
      CREEM_WEBHOOK_SECRET: 'x'.repeat(16),
    };
    const { code, output } = await settingsCommand(server, ['set', '--', ...words], env);
    expect([code, output]).toEqual([
      1,
      typeof message === 'string' ? `${message}\n` : expect.stringMatching(message),
    ]);
  });
});

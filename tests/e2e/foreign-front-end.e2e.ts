import { readFileSync } from 'node:fs';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey, openaiClient } from '../support/api-keys.ts';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { raw, release } from '../support/gateway.ts';
import { expect, test } from '../support/journey.ts';
import { createPerson } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';

/** Deep Chat, a third-party chat front end, as published. */
const SCRIPT = join(dirname(fileURLToPath(import.meta.resolve('deep-chat'))), 'deepChat.bundle.js');

const pageWith = (
  model: string,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Somebody’s chat</title>
  <link rel="icon" href="data:,"><deep-chat></deep-chat>
  <script type="module" src="/front-end.js"></script>
  <script type="module">
    const chat = document.querySelector('deep-chat');
    chat.directConnection = { openRouter: { key: 'kept by the server', model: '${model}', max_tokens: 500 } };
    chat.connect = { url: '/v1/chat/completions', stream: true };
  </script></html>`;

/** Starts another site: its page, and a proxy to our API that adds the key. */
async function openFrontEnd(site: TestServer, secret: string) {
  const { data } = await openaiClient(site, secret).models.list();
  const html = pageWith(data[0]?.id ?? '');
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    } else if (request.url === '/front-end.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(SCRIPT));
    } else {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const forwarded = ask(`${site.url}${request.url}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => forwarded.destroy());
      request.pipe(forwarded);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('a third-party chat front end gets answers, continues, stops and reports refusals @soak', async ({
  page,
  server,
  browserErrors,
}) => {
  const person = await createPerson(server, { credits: 3 });
  const { secret } = await createKey(person, { scopes: ['chat'] });
  const frontEnd = await openFrontEnd(server, secret);
  try {
    await page.goto(frontEnd.url);
    const sendMessage = async (text: string) => {
      // The front end accepts no input during an answer.
      await expect(page.locator('.streamed-message')).toHaveCount(0);
      await page.locator('#text-input').fill(text);
      await page.locator('#text-input').press('Enter');
    };
    const answers = page.locator('.ai-message-text');
    const first = uniqueWord();
    await sendMessage(
      `${first} [[tps:40]] [[first:0]] [[tokens:60]] [[answer:lorem]] [[mode:hold]] [[holdAfter:20]]`,
    );
    // The answer is shown while it streams.
    await expect(answers.last()).toContainText('w0010');
    await expect(answers.last()).not.toContainText('w0030');
    await release(server, first);
    // The front end may drop the last words of a stream itself.
    await expect(answers.last()).toContainText('w0050');
    expect(await person.credits()).toBe(2);

    const second = uniqueWord();
    await sendMessage(`${second} [[tps:10]] ${raw('**Seven** of them, as far as I can count.')}`);
    await expect(answers.last()).toContainText('Seven of them');
    const [call] = await gatewayLog(server, second);
    expect(JSON.stringify(call?.messages)).toContain('w0050');

    const third = uniqueWord();
    await sendMessage(
      `${third} [[tps:0]] [[first:0]] [[tokens:400]] [[answer:lorem]] [[mode:hold]] [[holdAfter:20]]`,
    );
    await expect(answers.last()).toContainText('w0010');
    await page.locator('#stop-icon').click();
    await eventually(async () => (await gatewayLog(server, third))[0]?.clientClosedAt);
    expect(await person.credits()).toBe(0);

    await sendMessage('Once more.');
    await expect(page.locator('.error-message-text')).toBeVisible();
    expect(await person.credits()).toBe(0);
    // The front end loads a font from another site.
    const refused = browserErrors.splice(0).filter((line) => !line.includes('net::ERR_'));
    expect(refused).toEqual([
      expect.stringContaining('429'),
      expect.stringContaining('Insufficient credits. Please purchase more credits'),
    ]);
  } finally {
    frontEnd.close();
  }
});

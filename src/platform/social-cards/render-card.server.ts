import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { m } from '#messages';
import { runProgram } from '../child-program.server.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { matchesEtag } from '../http/etag.server.ts';
import type { CardContent } from './card-content.ts';

const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: 20,
  fullMessage: m.cards_busy,
  busyMessage: m.cards_busy,
});

/** In another process: drawing takes 200 MB, and this one blocks SVG because of the pictures that people upload. */
async function draw(content: CardContent): Promise<Buffer> {
  const { child, output } = await runProgram('card-maker', content, { niceness: 10 });
  if (child.exitCode !== 0 || output.length === 0)
    throw new Error(`A card was not made (exit ${child.exitCode ?? child.signalCode}).`);
  return output;
}

export const renderCard = (content: CardContent): Promise<Buffer> =>
  queue(() => draw(content), { key: crypto.randomUUID() });

/** Cards with the same content have the same key. */
export const cardKey = (content: CardContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

export async function sendCard(c: Context, key: string, card: () => Promise<Buffer>): Promise<Response> {
  const headers = { etag: `"${key}"`, 'cache-control': 'private, max-age=3600' };
  if (matchesEtag(c.req.header('if-none-match'), headers.etag)) return c.body(null, 304, headers);
  return c.body(new Uint8Array(await card()), 200, { ...headers, 'content-type': 'image/png' });
}

import { expect, test } from 'vitest';
import type { SharedMessage } from './contract.ts';
import { renderedContent } from './shared-content.server.tsx';
import type { ShownRow } from './store.server.ts';

test('renders a page again after a failure, and then caches it', async () => {
  let reads = 0;
  const message: SharedMessage = {
    role: 'user',
    files: 0,
    get text() {
      reads++;
      if (reads === 1) throw new Error('Not now.');
      return 'Hello';
    },
  };
  const row = { id: 'a', kind: 'chat', title: '', messages: [message], updated_at: new Date(0) };
  const render = () => renderedContent(row as unknown as ShownRow);
  await expect(render()).rejects.toThrow('Not now.');
  for (let times = 0; times < 2; times++)
    expect(await render()).toEqual({
      messages: [{ role: 'user', files: 0, images: 0, content: 'Hello', partial: false }],
    });
  expect(reads).toBe(2);
});

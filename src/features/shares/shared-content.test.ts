import { expect, test } from 'vitest';
import type { SharedMessage } from './contract.ts';
import { renderedContent } from './shared-content.server.tsx';
import type { ShownRow } from './store.server.ts';

test('a page that could not be rendered once is rendered anew, and then kept', async () => {
  let asked = 0;
  const message: SharedMessage = {
    role: 'user',
    files: 0,
    get text() {
      asked++;
      if (asked === 1) throw new Error('Not now.');
      return 'Hello';
    },
  };
  const row = { id: 'a', kind: 'chat', title: '', messages: [message], updated_at: new Date(0) };
  const look = () => renderedContent(row as unknown as ShownRow);
  await expect(look()).rejects.toThrow('Not now.');
  for (let times = 0; times < 2; times++)
    expect(await look()).toEqual({
      messages: [{ role: 'user', files: 0, images: 0, content: 'Hello', partial: false }],
    });
  expect(asked).toBe(2);
});

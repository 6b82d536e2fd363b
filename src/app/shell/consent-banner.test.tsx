import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { provideSettings } from '#shared/settings.ts';
import { ConsentContents } from './consent-banner.tsx';

const functional = (starts: boolean) =>
  provideSettings({ changed: () => ({ 'consent.functional': starts }), json: () => null });
afterEach(() => provideSettings({ changed: () => ({}), json: () => null }));

/** Returns the names of the checkboxes that are checked in the server's HTML. */
function on(): string[] {
  const inputs = renderToStaticMarkup(<ConsentContents />).match(/<input [^>]*>/g) ?? [];
  expect(inputs).toHaveLength(3);
  return inputs
    .filter((input) => input.includes('checked=""'))
    .map((input) => /name="(\w+)"/.exec(input)?.[1] ?? '');
}

test('functional starts on or off as the site says, analytics off', () => {
  functional(true);
  expect(on()).toEqual(['essential', 'functional']);
  functional(false);
  expect(on()).toEqual(['essential']);
});

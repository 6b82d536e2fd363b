import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { site } from '#content/site.ts';
import { ConsentContents } from './consent-banner.tsx';

const before = site.consent.functionalStartsOn;
afterEach(() => {
  site.consent.functionalStartsOn = before;
});

/** The boxes that are on as the server writes them. */
function on(): string[] {
  const inputs = renderToStaticMarkup(<ConsentContents />).match(/<input [^>]*>/g) ?? [];
  expect(inputs).toHaveLength(3);
  return inputs
    .filter((input) => input.includes('checked=""'))
    .map((input) => /name="(\w+)"/.exec(input)?.[1] ?? '');
}

test('functional starts on or off as the site says, analytics off', () => {
  site.consent.functionalStartsOn = true;
  expect(on()).toEqual(['essential', 'functional']);
  site.consent.functionalStartsOn = false;
  expect(on()).toEqual(['essential']);
});

import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { provideSettings } from '#shared/settings.ts';
import { ConsentContents } from './consent-banner.tsx';

const setFunctional = (isOn: boolean) =>
  provideSettings({ changed: () => ({ 'consent.functional': isOn }), json: () => null });
afterEach(() => provideSettings({ changed: () => ({}), json: () => null }));

/** Returns the names of the checkboxes that are checked in the server's HTML. */
function checkedNames(): string[] {
  const inputs = renderToStaticMarkup(<ConsentContents />).match(/<input [^>]*>/g) ?? [];
  expect(inputs).toHaveLength(3);
  return inputs
    .filter((input) => input.includes('checked=""'))
    .map((input) => /name="(\w+)"/.exec(input)?.[1] ?? '');
}

test('starts with functional on or off as the setting says, and with analytics off', () => {
  setFunctional(true);
  expect(checkedNames()).toEqual(['essential', 'functional']);
  setFunctional(false);
  expect(checkedNames()).toEqual(['essential']);
});

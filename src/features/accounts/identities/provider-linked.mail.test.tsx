import { expect, test } from 'vitest';
import { linkedMail } from './provider-linked.mail.tsx';

test('has the same content in text and HTML, and escapes its values', () => {
  const link = 'https://x.test/settings';
  const { subject, text, html } = linkedMail({ brand: '<b>A</b>', provider: 'GitHub', link });
  expect(subject).toBe('GitHub was linked to your <b>A</b> account');
  expect(text).toContain(`\n${link}\n`);
  expect(html).toContain(`href="${link}"`);
  expect(html).not.toContain('<b>');
  for (const part of [text, html]) {
    expect(part).toContain('You can remove it in your settings anytime.');
    expect(part).toContain('remove GitHub there');
  }
});

import { expect, test } from 'vitest';
import { signInMail } from './sign-in.mail.tsx';

const facts = {
  brand: 'A & B',
  link: 'https://x.test/sign-in/confirm?token=abc',
  code: '012345',
  minutes: 15,
};

test('has the same content in text and HTML', () => {
  const { subject, text, html } = signInMail(facts);
  expect(subject).toBe('Your A & B sign-in link and code');
  expect(text).toContain(`\n${facts.link}\n`);
  expect(text).toContain('\n012345\n');
  expect(html).toContain(`href="${facts.link}"`);
  expect(html).toContain('>012345<');
  for (const part of [text, html]) expect(part).toContain('for the next 15 minutes');
});

test('contains exactly one six-digit number, so that the code is unambiguous', () => {
  const { text, html } = signInMail(facts);
  for (const part of [text, html]) expect(part.match(/(?<![\w])\d{6}(?![\w])/g)).toEqual(['012345']);
});

test('escapes its values', () => {
  const { html } = signInMail({ ...facts, brand: '<script>x</script>', link: 'https://x.test/?a="><b>' });
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('"><b>');
});

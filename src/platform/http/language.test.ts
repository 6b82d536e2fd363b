import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './language.server.ts';

describe('preferredLanguage', () => {
  const offered = ['en', 'de', 'pt-BR', 'zh-Hans', 'ar'] as const;

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-FR,fr;q=0.9,en;q=0.5,de;q=0.7', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN,zh;q=0.9', 'zh-Hans'],
    ['zh-TW,en;q=0.5', 'en'],
    ['ar-EG', 'ar'],
    ['de;q=0, en', 'en'],
    ['*', null],
    ['nl,sv', null],
    ['', null],
    [undefined, null],
    ['not a language!!,\u0000;q=x', null],
    [`${'xx,'.repeat(5_000)}de`, null],
  ])('%s is served %s', (header, language) => {
    expect(preferredLanguage(header, offered)).toBe(language);
  });
});

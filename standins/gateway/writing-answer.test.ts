import { Fountain } from 'fountain-js';
import { expect, test } from 'vitest';
import type { Message } from './chat-request.ts';
import { answerInProse } from './writing-answer.ts';

const message = (role: string, text: string): Message => ({
  role,
  text,
  texts: [text],
  pictures: [],
  files: [],
});
const WRITER = message('system', 'You write a screenplay in Fountain, the plain-text format.');
const REWRITER = message(
  'system',
  'You rewrite one scene of a screenplay in Fountain, as its author wishes.',
);

const parseScript = (text: string) => {
  const { tokens } = new Fountain().parse(text, true);
  return {
    scenes: tokens.filter(({ type }) => type === 'scene_heading'),
    names: tokens.filter(({ type }) => type === 'character'),
  };
};

const screenplay = (messages: Message[]) => answerInProse(messages, null) ?? '';

test('a screenplay has the scenes that its length requires, and the names from the request', () => {
  const messages = [
    WRITER,
    message(
      'user',
      'Style: Drama\nLength: about 4 minutes on the screen\nCharacters: Mara, 60; Jon\nScene:\nA clock stops.',
    ),
  ];
  expect(answerInProse([message('system', 'You are helpful.'), message('user', 'x')], null)).toBeNull();
  const { scenes, names } = parseScript(screenplay(messages));
  expect(scenes).toHaveLength(4);
  expect(new Set(names.map(({ text }) => text))).toEqual(new Set(['MARA', 'JON']));
  expect(screenplay(messages)).toBe(screenplay(messages));
});

test('a rewritten scene is the same with the instruction in it, or shorter', () => {
  const scene = 'INT. ROOM - DAY\n\nRain.\n\nMARA\nNo.\n\nJON\nYes.\n\nMARA\nNo.';
  const rewriteWith = (text: string) =>
    screenplay([
      REWRITER,
      message(
        'user',
        `Wish of the author: ${text}\n\nThe scene:\nBEGIN\n${scene}\nEND\n\nRewrite the whole scene.`,
      ),
    ]);
  expect(rewriteWith('Jon lies')).toContain('Jon lies');
  expect(rewriteWith('Jon lies').startsWith('INT. ROOM - DAY\n')).toBe(true);
  expect(rewriteWith('shorter').length).toBeLessThan(scene.length);
  expect(parseScript(rewriteWith('shorter')).scenes).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { LiveText } from './live-text.ts';

function scene(text = '') {
  const frames: (() => void)[] = [];
  let time = 0;
  let calls = 0;
  const live = new LiveText(
    text,
    '',
    (work) => void frames.push(work),
    () => time,
  );
  live.subscribe(() => calls++);
  const frame = () => {
    time += 16;
    for (const work of frames.splice(0)) work();
  };
  return { live, frame, calls: () => calls, waiting: () => frames.length };
}

test('listeners are called at once for the first text, then once per frame', () => {
  const { live, frame, calls, waiting } = scene();
  live.append('a');
  expect([live.snapshot(), calls(), waiting()]).toEqual(['a', 1, 0]);
  live.append('b');
  live.append('c');
  expect([live.fullText, live.snapshot(), waiting()]).toEqual(['abc', 'a', 1]);
  frame();
  frame();
  expect([live.snapshot(), calls()]).toEqual(['abc', 2]);
});

test('a reset replaces the text, and an unchanged text calls no listener', () => {
  const { live, frame, calls } = scene('old');
  live.reset('new');
  frame();
  expect(live.snapshot()).toBe('new');
  live.reset('new');
  frame();
  expect(calls()).toBe(1);
});

test('a slow reader is called less often', () => {
  const { live, frame, calls } = scene();
  live.append('a');
  frame();
  live.reportRenderTime(20);
  for (let at = 0; at < 8; at++) {
    live.append('x');
    frame();
  }
  expect(calls()).toBe(1);
  frame();
  expect([calls(), live.snapshot()]).toEqual([2, 'axxxxxxxx']);
});

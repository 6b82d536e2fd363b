import { expect, test } from 'vitest';
import { LiveText } from './live-text.ts';

function scene(text = '') {
  const frames: (() => void)[] = [];
  let time = 0;
  let told = 0;
  const live = new LiveText(
    text,
    '',
    (work) => void frames.push(work),
    () => time,
  );
  live.subscribe(() => told++);
  const frame = () => {
    time += 16;
    for (const work of frames.splice(0)) work();
  };
  return { live, frame, told: () => told, waiting: () => frames.length };
}

test('the first text is told at once, and what follows once a frame', () => {
  const { live, frame, told, waiting } = scene();
  live.append('a');
  expect([live.snapshot(), told(), waiting()]).toEqual(['a', 1, 0]);
  live.append('b');
  live.append('c');
  expect([live.whole, live.snapshot(), waiting()]).toEqual(['abc', 'a', 1]);
  frame();
  frame();
  expect([live.snapshot(), told()]).toEqual(['abc', 2]);
});

test('a reset replaces the text, and what is the same is not told', () => {
  const { live, frame, told } = scene('old');
  live.reset('new');
  frame();
  expect(live.snapshot()).toBe('new');
  live.reset('new');
  frame();
  expect(told()).toBe(1);
});

test('a slow reader is told less often', () => {
  const { live, frame, told } = scene();
  live.append('a');
  frame();
  live.took(20);
  for (let at = 0; at < 8; at++) {
    live.append('x');
    frame();
  }
  expect(told()).toBe(1);
  frame();
  expect([told(), live.snapshot()]).toEqual([2, 'axxxxxxxx']);
});

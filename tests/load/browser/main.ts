import type { TestServer } from '../../support/server.ts';
import { firstLoad } from './first-load.ts';
import { firstToken } from './first-token.ts';
import { heap } from './heap.ts';
import { hostileText } from './hostile-text.ts';
import { longChats } from './long-chats.ts';
import { longReply } from './long-reply.ts';
import { type Figure, withScene } from './scene.ts';

/** Returns what a person notices, with its target; each part runs in a new browser. */
export async function browserFigures(server: TestServer): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of [firstLoad, firstToken, longReply, longChats, heap, hostileText])
    figures.push(...(await withScene(server, part)));
  return figures;
}

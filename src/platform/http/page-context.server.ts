import { createContext } from 'react-router';
import type { Actor } from './actor.server.ts';

export interface PageFacts {
  actor: Actor;
  requestId: string;
  nonce: string;
  clientAddress: string;
  isBuilt: (path: string) => boolean;
}

export const pageContext = createContext<PageFacts>();

import { createContext } from 'react-router';
import type { Actor } from './actor.server.ts';

export interface PageFacts {
  actor: Actor;
  requestId: string;
  nonce: string;
  clientAddress: string;
  /** Whether a path is a place of the site that texts may lead to. */
  isBuilt: (path: string) => boolean;
}

/** What loaders and actions of route modules know of the request: `context.get(pageContext)`. */
export const pageContext = createContext<PageFacts>();

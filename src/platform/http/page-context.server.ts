import { createContext } from 'react-router';
import type { Actor } from './actor.server.ts';

export interface PageFacts {
  actor: Actor;
  requestId: string;
  nonce: string;
  clientAddress: string;
  /** Whether the site has the page of a path of the specification, or only the page 'not yet'. */
  isBuilt: (path: string) => boolean;
}

/** What loaders and actions of route modules know of the request: `context.get(pageContext)`. */
export const pageContext = createContext<PageFacts>();

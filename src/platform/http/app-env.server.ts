import type { HttpBindings } from '@hono/node-server';
import type { Actor } from './actor.server.ts';

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    actor: Actor;
    /** Calls `cut` once when the session has ended for whatever reason. @returns what ends the watch. */
    whileSessionLives: (sessionId: string, cut: () => void) => () => void;
    clientAddress: string;
    nonce: string;
  };
}

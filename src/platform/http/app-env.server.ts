import type { HttpBindings } from '@hono/node-server';
import type { Actor } from './actor.server.ts';

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Settled by the session gate before any route. */
    actor: Actor;
    /**
     * Calls `cut` once when the session has ended for whatever reason.
     * @returns what ends the watch.
     */
    whileSessionLives: (sessionId: string, cut: () => void) => () => void;
    /** Address of the client: the socket's, or X-Forwarded-For when the socket is a trusted proxy. */
    clientAddress: string;
    nonce: string;
  };
}

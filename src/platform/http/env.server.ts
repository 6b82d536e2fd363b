import type { HttpBindings } from '@hono/node-server';
import type { Actor } from './actor.server.ts';

/** What every handler finds on Hono's context. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Settled by the session gate before any route. */
    actor: Actor;
    /** Address of the client: the socket's, or X-Forwarded-For when the socket is a trusted proxy. */
    clientAddress: string;
    /** For the scripts of an app page, new on each response. */
    nonce: string;
  };
}

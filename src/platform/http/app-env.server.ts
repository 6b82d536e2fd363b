import type { HttpBindings } from '@hono/node-server';
import type { Actor } from './actor.server.ts';

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    actor: Actor;
    whileSessionLives: (sessionId: string, onEnd: () => void) => () => void;
    clientAddress: string;
    nonce: string;
  };
}

/** Who acts: proven by the session gate, a job's own start, or the operator's shell. Never built from a request body. */
export type Actor =
  | { kind: 'guest' }
  | { kind: 'user'; userId: string; sessionId: string }
  | { kind: 'system'; cause: string };

export type UserActor = Extract<Actor, { kind: 'user' }>;

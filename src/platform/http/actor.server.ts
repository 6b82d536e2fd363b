/** Who acts: proven by the session gate, a job's own start, or the operator's shell. Never built from a request body. */
export type Actor =
  | { kind: 'guest' }
  | { kind: 'user'; userId: string; sessionId: string; language?: string | null }
  | { kind: 'system'; cause: string };

export type UserActor = Extract<Actor, { kind: 'user' }>;

/** What a verb of a feature is given: who acts, and what is asked for. */
export interface ActorInput<Input> {
  actor: UserActor;
  input: Input;
}

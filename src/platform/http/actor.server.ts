/** Never built from a request body. */
export type Actor =
  | { kind: 'guest' }
  | { kind: 'user'; userId: string; sessionId: string; language?: string | null };

export type UserActor = Extract<Actor, { kind: 'user' }>;

export interface ActorInput<Input> {
  actor: UserActor;
  input: Input;
}

/** Kinds of errors that a client can meet, in the `code` field of every JSON error. */
export const problemCodes = [
  'bad_request',
  'unauthorized',
  'plan_required',
  'forbidden',
  'sign_in_again',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'too_large',
  'unsupported_type',
  'password_needed',
  'password_wrong',
  'key_reused',
  'prompt_declined',
  'check_unavailable',
  'credits_exhausted',
  'daily_chats',
  'daily_fair_use',
  'too_many_running',
  'too_many_released',
  'rate_limited',
  'spend_cap',
  'unavailable',
  'internal',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** Body of every JSON error: text for the visitor, a code for the program, an id for the operator's log. */
export interface ProblemBody {
  error: string;
  code: ProblemCode;
  requestId: string;
}

export const problemCodes = [
  'bad_request',
  'unauthorized',
  'plan_required',
  'tool_off',
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
  'prices_changed',
  'model_gone',
  'prompt_declined',
  'check_unavailable',
  'credits_exhausted',
  'key_ceiling',
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

export interface ProblemBody {
  error: string;
  code: ProblemCode;
  requestId: string;
}

import { ConnectionError, ProblemError } from '../../../../client/problem-error.ts';
import type { Me } from '../../../accounts/contract.ts';
import { failureText } from '../../contract.ts';
import type { Notice } from './chat-state.ts';

/** The text for a refused or failed request: the server's own, with what the reader can do about it. */
export function noticeOf(error: unknown, me: Me | null): Notice {
  if (error instanceof ConnectionError) return { text: error.message, code: 'offline' };
  if (!(error instanceof ProblemError)) return { text: failureText, code: 'internal' };
  const { body, retryAfter } = error;
  const { code } = body;
  if (code === 'unauthorized')
    return { text: 'You were signed out here. Sign in to go on; what you typed is kept.', code };
  if (code === 'credits_exhausted' && me) return { text: `${body.error} You have ${me.credits} left.`, code };
  if (code === 'internal' && body.requestId)
    return { text: `${body.error} (Reference ${body.requestId})`, code };
  const until = retryAfter === null ? {} : { until: Date.now() + retryAfter * 1000 };
  return { text: body.error, code, ...until };
}

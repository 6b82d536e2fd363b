import type { Me } from '../../../accounts/contract.ts';
import { failureText } from '../../contract.ts';
import { ConnectionError, ProblemError } from '../run/problem-error.ts';
import type { Notice } from './chat-state.ts';

const minutes = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

/** The text for a refused or failed request: the server's own, with what the reader can do about it. */
export function noticeOf(error: unknown, me: Me | null): Notice {
  if (error instanceof ConnectionError) return { text: error.message, code: 'offline' };
  if (!(error instanceof ProblemError)) return { text: failureText, code: 'internal' };
  const { body, retryAfter } = error;
  if (body.code === 'unauthorized')
    return { text: 'You were signed out here. Sign in to go on; what you typed is kept.', code: body.code };
  if (body.code === 'credits_exhausted' && me) {
    return { text: `${body.error} You have ${me.credits} left.`, code: body.code };
  }
  if (body.code === 'rate_limited' && retryAfter !== null) {
    return { text: `${body.error} Try again in ${minutes(retryAfter)}.`, code: body.code };
  }
  if (body.code === 'internal' && body.requestId) {
    return { text: `${body.error} (Reference ${body.requestId})`, code: body.code };
  }
  return { text: body.error, code: body.code };
}

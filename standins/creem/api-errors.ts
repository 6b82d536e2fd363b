/** Errors of the API: protocols.md 1.1. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HeldCalls } from '../held-calls.ts';
import { HttpError, send, sendJson } from '../http.ts';

const NAMES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Bad Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export class CreemRefusal extends HttpError {
  constructor(status: number, message: string) {
    super(status, 'refused', message);
  }
}

export function sendCreemError(res: ServerResponse, status: number, message: string[] = []): void {
  const error = NAMES[status] ?? 'Error';
  const details = message.length > 0 ? { message } : {};
  sendJson(res, status, { trace_id: randomUUID(), status, error, ...details, timestamp: Date.now() });
}

export const FAULTS = ['down', 'slow', 'status500', 'status429', 'html', 'malformed'] as const;

/** Returns true when nothing is left to do. A slow call is held until `name` is released. */
export async function sentFault(
  fault: string | null,
  { res, held, name }: { res: ServerResponse; held: HeldCalls; name: string },
): Promise<boolean> {
  if (fault === 'slow') return !(await held.wait(name, res));
  if (fault === 'down') res.destroy();
  else if (fault?.startsWith('status')) sendCreemError(res, Number(fault.slice(6)), ['Try again later']);
  else if (fault === 'html') send(res, 200, 'text/html', '<!doctype html><title>Just a moment...</title>');
  else if (fault === 'malformed') send(res, 200, 'application/json', '{"id":"ch_1","object":"check');
  else return false;
  return true;
}

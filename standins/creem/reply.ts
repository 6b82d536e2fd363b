/** Answers in Creem's shapes (protocols.md 1.1). */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendJson } from '../http.ts';

const NAMES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Bad Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** Sends an error; a refused key comes without a message. */
export function sendCreemError(res: ServerResponse, status: number, message: string[] = []): void {
  sendJson(res, status, {
    trace_id: randomUUID(),
    status,
    error: NAMES[status] ?? 'Error',
    ...(message.length > 0 ? { message } : {}),
    timestamp: Date.now(),
  });
}

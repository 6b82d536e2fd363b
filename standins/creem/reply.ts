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

/** A request that Creem refuses; `message` is what it says why. */
export class CreemRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

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

/** One page of a list; pages begin at 1. */
export function page<T>(items: T[], number: number, size: number) {
  const pages = Math.max(1, Math.ceil(items.length / size));
  return {
    items: items.slice((number - 1) * size, number * size),
    pagination: {
      total_records: items.length,
      total_pages: pages,
      current_page: number,
      next_page: number < pages ? number + 1 : null,
      prev_page: number > 1 ? number - 1 : null,
    },
  };
}

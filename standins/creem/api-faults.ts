/** What goes wrong with calls of the API, by the switch `api`. */
import type { ServerResponse } from 'node:http';
import type { Holds } from '../holds.ts';
import { sendCreemError } from './reply.ts';
import type { ApiFault } from './switches.ts';

export class ApiFaults {
  /** Calls that each fault has spoilt; a new POST /control brings a new object, and counts anew. */
  readonly #spoilt = new WeakMap<ApiFault, number>();

  /** The fault of a call to `path` (such as /v1/checkouts), which is then counted; null: it is answered. */
  of(fault: ApiFault | null, path: string): ApiFault['fault'] | null {
    if (!fault || !path.startsWith(fault.path)) return null;
    const count = this.#spoilt.get(fault) ?? 0;
    if (count >= fault.times) return null;
    this.#spoilt.set(fault, count + 1);
    return fault.fault;
  }
}

/** Sends what a fault makes of a call before anything is done; false where it goes on to the answer. */
export async function spoiltBefore(
  fault: ApiFault['fault'],
  { res, path, holds }: { res: ServerResponse; path: string; holds: Holds },
): Promise<boolean> {
  if (fault === 'slow') return !(await holds.wait(path, res));
  if (fault === 'lost') return false;
  if (fault === 'down') res.destroy();
  else if (fault === 'html') {
    res.writeHead(200, { 'content-type': 'text/html' });
    res.end('<!doctype html><title>Just a moment...</title>');
  } else if (fault === 'malformed') {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end('{"id":"ch_1","object":"check');
  } else sendCreemError(res, Number(fault.slice(6)), ['Try again later']);
  return true;
}

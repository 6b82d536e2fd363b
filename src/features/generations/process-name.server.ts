import { randomUUID } from 'node:crypto';
import process from 'node:process';

/** As runs and leases name their writer. */
export const processName = `${process.pid}-${randomUUID().slice(0, 8)}`;

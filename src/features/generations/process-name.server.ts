import { randomUUID } from 'node:crypto';
import process from 'node:process';

/** The writer's name in runs and leases. */
export const processName = `${process.pid}-${randomUUID().slice(0, 8)}`;

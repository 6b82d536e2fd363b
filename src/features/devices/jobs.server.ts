import { z } from 'zod';
import { onRunEnd } from '#features/generations/service.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { announceRun, NOTIFY_DEVICE, notifyDevice } from './notifications/notify-devices.server.ts';

export function registerDeviceJobs(): void {
  onRunEnd(announceRun);
  defineJob({
    name: NOTIFY_DEVICE,
    schema: z.object({ generationId: z.uuid(), sessionId: z.uuid() }),
    seconds: 60,
    run: notifyDevice,
  });
}

import { download } from '../../../client/download.ts';

/** Saves a version as a file on the person's device. Throws ProblemError. */
export const downloadText = (id: string, versionId: string, format: string): Promise<void> =>
  download(`/api/write/${id}/export?${new URLSearchParams({ version: versionId, format })}`);

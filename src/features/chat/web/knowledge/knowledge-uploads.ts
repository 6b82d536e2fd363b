import { toast } from '#client/page-events.ts';
import { errorText } from '#client/use-mutation.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import type { Attachment } from '../../contract.ts';
import { knowledgeLimits } from '../../knowledge/knowledge-contract.ts';
import type { PendingUpload } from '../attachments/attachment-upload.ts';
import { PendingUploads } from '../attachments/pending-uploads.ts';

/** Requests for the files of one project or assistant. */
export interface KnowledgeRequests {
  add(fileId: string): Promise<unknown>;
  remove(fileId: string): Promise<unknown>;
}

/** PendingUploads keeps files by draft; here there is only one. */
export const place = null;
const showRefusal = (text: string) => toast({ text, kind: 'danger' });
const toStored = (attachment: Attachment): PendingUpload => ({
  key: newUuid(),
  phase: 'stored',
  attachment,
  preview: null,
});

/** Uploads files like those of a message, and adds each one as soon as the server has read it. */
export class KnowledgeUploads {
  readonly uploads: PendingUploads;
  /** The file that was removed last; it can be added again until the server erases it. */
  removed: Attachment | null = null;
  private readonly added: Set<string>;
  private requests: KnowledgeRequests | null;

  constructor(files: Attachment[], requests: KnowledgeRequests | null) {
    this.added = new Set(files.map(({ id }) => id));
    this.requests = requests;
    this.uploads = new PendingUploads(() => void this.addStored());
    this.uploads.set(place, files.map(toStored));
  }

  addFiles(files: File[]): void {
    const remaining = Math.max(0, knowledgeLimits.files - this.uploads.filesAt(place).length);
    if (files.length > remaining) showRefusal(m.knowledge_full({ most: knowledgeLimits.files }));
    void this.uploads.addFiles(place, files.slice(0, remaining));
  }

  /** @throws the error of the first refused file */
  async addAll(requests: KnowledgeRequests): Promise<void> {
    this.requests = requests;
    for (const { id } of this.uploads.storedAt(place)) {
      if (this.added.has(id)) continue;
      await requests.add(id);
      this.added.add(id);
    }
  }

  async remove(key: string): Promise<void> {
    const pending = this.uploads.filesAt(place).find((file) => file.key === key);
    if (pending?.phase !== 'stored' || !this.added.has(pending.attachment.id))
      return this.uploads.remove(key);
    try {
      await this.requests?.remove(pending.attachment.id);
      this.added.delete(pending.attachment.id);
      this.removed = pending.attachment;
      this.uploads.remove(key, [pending.attachment]);
    } catch (error) {
      showRefusal(errorText(error, m.common_connection_lost()));
    }
  }

  /** @returns whether the file was added again */
  async restore(file: Attachment): Promise<boolean> {
    try {
      await this.requests?.add(file.id);
    } catch (error) {
      showRefusal(errorText(error, m.common_connection_lost()));
      return false;
    }
    this.added.add(file.id);
    if (this.removed === file) this.removed = null;
    this.uploads.set(place, [...this.uploads.filesAt(place), toStored(file)]);
    return true;
  }

  /** Discards files that were not added. */
  close(): void {
    this.uploads.discard(
      place,
      this.uploads.storedAt(place).filter(({ id }) => this.added.has(id)),
    );
  }

  private async addStored(): Promise<void> {
    if (!this.requests) return;
    try {
      await this.addAll(this.requests);
    } catch (error) {
      showRefusal(errorText(error, m.common_connection_lost()));
      const notAdded = this.uploads.storedAt(place).filter(({ id }) => !this.added.has(id));
      for (const file of this.uploads.filesAt(place))
        if (file.phase === 'stored' && notAdded.includes(file.attachment)) this.uploads.remove(file.key);
    }
  }
}

import { upload } from '#client/upload.ts';
import { type Attachment, attachmentLimits } from '../../contract.ts';

export interface Progress {
  share: number;
  reading: boolean;
}

const begun: Progress = { share: 0, reading: false };

export class Upload {
  readonly file: File;
  readonly preview: string | null;
  private abort = new AbortController();
  private progress = begun;
  private readonly listeners = new Set<() => void>();

  constructor(file: File) {
    this.file = file;
    this.preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
  }

  async send(): Promise<Attachment> {
    this.abort = new AbortController();
    this.tell(begun);
    const request = await upload('/api/files', {
      file: this.file,
      limit: attachmentLimits.size,
      headers: { accept: 'application/json' },
      signal: this.abort.signal,
      onProgress: (sent, of) => this.tell({ share: of > 0 ? sent / of : 0, reading: false }),
      onAnswer: () => this.tell({ share: 1, reading: true }),
    });
    return JSON.parse(request.responseText) as Attachment;
  }

  cancel(): void {
    this.abort.abort();
  }

  snapshot = (): Progress => this.progress;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  private tell(progress: Progress): void {
    this.progress = progress;
    for (const listener of this.listeners) listener();
  }
}

export function removeFile(id: string): void {
  fetch(`/api/files/${id}`, { method: 'DELETE' }).catch(() => undefined);
}

export async function isKept(id: string): Promise<boolean> {
  const answer = await fetch(`/api/files/${id}`, { method: 'HEAD' }).catch(() => null);
  return answer?.status !== 404;
}

export type PendingUpload =
  | { phase: 'sending'; upload: Upload; before: StoredUpload | null }
  | { phase: 'failed'; upload: Upload; text: string; before: StoredUpload | null }
  | StoredUpload;

/** `before` in the other phases stays attached until the new file is stored. */
export interface StoredUpload {
  phase: 'stored';
  attachment: Attachment;
  preview: string | null;
}

export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

export const DATABASE_URL_HINT = 'set DATABASE_URL to use your own PostgreSQL server';

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function explainOutput(action: string, output: string, folder: string): EmbeddedDatabaseError {
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return new EmbeddedDatabaseError(`The disk with ${folder} is full. Free up some space and start again.`);
  }
  if (/Read-only file system/i.test(output)) {
    return new EmbeddedDatabaseError(`${folder} is on a read-only disk. Set DATA_DIR to a writable folder.`);
  }
  if (/error while loading shared libraries|GLIBC_|cannot execute binary/i.test(output)) {
    return new EmbeddedDatabaseError(
      `The PostgreSQL program does not run on this system (${errorLine(output)}): ${DATABASE_URL_HINT}.`,
    );
  }
  return new EmbeddedDatabaseError(`PostgreSQL ${action} in ${folder}: ${errorLine(output)}`);
}

export function explainSystemError(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return explainOutput('failed', 'No space left on device', folder);
  if (code === 'EROFS') return explainOutput('failed', 'Read-only file system', folder);
  if (code === 'EACCES' || code === 'EPERM') {
    const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
    return new EmbeddedDatabaseError(
      `No permission for ${path}. Start as the user who created it, or set DATA_DIR to another folder.`,
    );
  }
  return error;
}

function errorLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const found = lines.find((line) => /FATAL|PANIC|error:|error while|ERROR/.test(line));
  return (found ?? lines.at(-1) ?? 'it gave no reason').slice(0, 300);
}

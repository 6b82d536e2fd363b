import { m } from '#messages';

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return m.size_bytes({ size: bytes });
  if (bytes < 1024 * 1024) return m.size_kilobytes({ size: Math.round(bytes / 1024) });
  return m.size_megabytes({ size: bytes / 1024 / 1024 });
}

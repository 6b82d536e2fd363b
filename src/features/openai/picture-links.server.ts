import { keyedHash, sameHash } from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';

/** As long as OpenAI's links are valid. */
const SECONDS = 3600;

const signatureOf = (id: string, until: number) => keyedHash('picture', `${id} ${until}`);

/** Returns a URL that shows the picture to anyone who has it, for an hour. */
export function pictureLink(id: string, now = Date.now()): string {
  const until = Math.floor(now / 1000) + SECONDS;
  const signature = signatureOf(id, until).toString('base64url');
  return `${config().publicUrl}/v1/images/files/${id}?until=${until}&signature=${signature}`;
}

export function isPictureLink(
  { id, until, signature }: { id: string; until: string | undefined; signature: string | undefined },
  now = Date.now(),
): boolean {
  if (!/^\d{1,12}$/.test(until ?? '') || Number(until) * 1000 < now) return false;
  return sameHash(signatureOf(id, Number(until)), Buffer.from(signature ?? '', 'base64url'));
}

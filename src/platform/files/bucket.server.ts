import type { S3Client } from '@aws-sdk/client-s3';
import { type Config, config } from '../config/config.server.ts';

let client: Promise<S3Client> | undefined;

async function open(settings: Config): Promise<S3Client> {
  // Loaded only when a bucket is used: a site with a folder does not need its memory.
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    region: settings.S3_REGION,
    // Self-hosted stores have no host name per bucket.
    ...(settings.S3_ENDPOINT ? { endpoint: settings.S3_ENDPOINT, forcePathStyle: true } : {}),
    credentials: {
      accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
    },
    // The default adds checksums that older stores reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

export function bucketClient(): Promise<S3Client> {
  client ??= open(config());
  return client;
}

/** Identifies a bucket together with its store, the same in every process. */
export function bucketAddress(bucket: string): string {
  const { S3_ENDPOINT, S3_REGION } = config();
  return `${S3_ENDPOINT ? new URL(S3_ENDPOINT).host : `aws ${S3_REGION}`}/${bucket}`;
}

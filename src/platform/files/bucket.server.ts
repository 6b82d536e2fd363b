import type { S3Client } from '@aws-sdk/client-s3';
import { type Config, config } from '../config/config.server.ts';

let client: Promise<S3Client> | undefined;

async function open(settings: Config): Promise<S3Client> {
  // Loaded where a bucket is used alone: it takes memory that a site with a folder does not need.
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    region: settings.S3_REGION,
    // Stores of our own have no name for each bucket.
    ...(settings.S3_ENDPOINT ? { endpoint: settings.S3_ENDPOINT, forcePathStyle: true } : {}),
    credentials: {
      accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
    },
    // The default adds sums that older stores refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

export function bucketClient(): Promise<S3Client> {
  client ??= open(config());
  return client;
}

/** A bucket with the store that it is in, the same for every process that uses it. */
export function bucketAddress(bucket: string): string {
  const { S3_ENDPOINT, S3_REGION } = config();
  return `${S3_ENDPOINT ? new URL(S3_ENDPOINT).host : `aws ${S3_REGION}`}/${bucket}`;
}

import { z } from 'zod';
import { variable } from './described-variable.server.ts';
import { bucket, count, text, url } from './variable-kinds.server.ts';

export const storage = {
  FILES_BUCKET: variable(bucket().optional(), {
    group: 'Storage',
    about:
      "Bucket in S3-compatible storage for people's files, and nothing else. Unset: the folder files in DATA_DIR. npm run move moves the files.",
    example: 'site-files',
  }),
  S3_ENDPOINT: variable(url().optional(), {
    group: 'Storage',
    about: 'Address of the S3-compatible storage. Unset: AWS in S3_REGION.',
    example: 'https://s3.example.com',
  }),
  S3_REGION: variable(z.string().trim().default('us-east-1'), {
    group: 'Storage',
    about: 'Region of the buckets.',
  }),
  S3_ACCESS_KEY_ID: variable(text(), {
    group: 'Storage',
    about: 'Key for the buckets of FILES_BUCKET and BACKUP_DIR.',
    secret: true,
  }),
  S3_SECRET_ACCESS_KEY: variable(text(), {
    group: 'Storage',
    about: 'Secret of S3_ACCESS_KEY_ID.',
    secret: true,
  }),
  BACKUP_DIR: variable(text(), {
    group: 'Storage',
    about:
      'Folder, or s3://bucket/prefix, that npm run backup writes to. If set, the site makes a backup every day and before each schema change. Unset: no automatic backups.',
    example: '/var/backups/site',
  }),
  BACKUP_KEEP: variable(count(7), {
    group: 'Storage',
    about: 'How many backups of this site to keep in BACKUP_DIR; each new backup removes older ones.',
  }),
  BACKUP_PASSPHRASE: variable(z.string().min(12, 'must be at least 12 characters').optional(), {
    group: 'Storage',
    about:
      'Encrypts backups (age). Nobody can open them without it, so keep a copy elsewhere. Unset: not encrypted.',
    secret: true,
  }),
};

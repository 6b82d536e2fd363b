import { z } from 'zod';
import { variable } from './described-variable.server.ts';
import { bucket, count, text, url } from './variable-kinds.server.ts';

export const storage = {
  FILES_BUCKET: variable(bucket().optional(), {
    group: 'Storage',
    about:
      'Bucket of an S3-compatible store that holds the files of people, and nothing else. Unset: the folder files in DATA_DIR. npm run move brings the files over.',
    example: 'site-files',
  }),
  S3_ENDPOINT: variable(url().optional(), {
    group: 'Storage',
    about: 'Address of the S3-compatible store. Unset: that of AWS in S3_REGION.',
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
      'Folder, or s3://bucket/prefix, that npm run backup writes to. Where it is set, the site makes a backup every day and before each change of the schema. Unset: none by itself.',
    example: '/var/backups/site',
  }),
  BACKUP_KEEP: variable(count(7), {
    group: 'Storage',
    about: 'How many backups of this site stay in BACKUP_DIR; older ones are removed after each new one.',
  }),
  BACKUP_PASSPHRASE: variable(z.string().min(12, 'must be at least 12 characters').optional(), {
    group: 'Storage',
    about:
      'Encrypts backups (age); without it nobody opens them, so keep it elsewhere. Unset: not encrypted.',
    secret: true,
  }),
};

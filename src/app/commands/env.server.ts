import process from 'node:process';
import { environmentExample } from '#platform/config/environment-example.server.ts';

/** `npm run -s env > .env.example`: prints that file from the schema of the configuration. */
process.stdout.write(environmentExample());

import process from 'node:process';
import { environmentExample } from '#platform/config/environment-example.server.ts';

process.stdout.write(environmentExample());

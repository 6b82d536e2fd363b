import { statfs } from 'node:fs/promises';
import { poolStates } from '../database/database.server.ts';
import { acceptsWrites } from '../database/write-check.server.ts';
import { beforeScrape, defineGauge } from './registry.server.ts';

interface Disk {
  free: number;
  size: number;
}

let disk: Disk | null = null;
let writable = false;

export function startMachineGauges(dataDir: string): void {
  beforeScrape(async () => {
    disk = await statfs(dataDir).then(
      ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
      () => null,
    );
  });
  beforeScrape(async () => {
    writable = poolStates().length > 0 && (await acceptsWrites());
  });
  const readDisk = (part: keyof Disk) => () => (disk ? [{ value: disk[part] }] : []);
  defineGauge({ name: 'site_disk_free_bytes', help: 'Free on the disk of DATA_DIR', read: readDisk('free') });
  defineGauge({ name: 'site_disk_size_bytes', help: 'Size of the disk of DATA_DIR', read: readDisk('size') });
  defineGauge({
    name: 'site_database_writable',
    help: '1 when the database has just taken a write within 5 s',
    read: () => [{ value: Number(writable) }],
  });
  defineGauge({
    name: 'site_database_connections',
    help: 'Connections of this process to the database, by pool and by whether work has them',
    labels: ['pool', 'state'],
    read: () =>
      poolStates().flatMap(({ pool, total, idle }) => [
        { labels: { pool, state: 'used' }, value: total - idle },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
  });
  defineGauge({
    name: 'site_database_connections_max',
    help: 'Connections that a pool may have',
    labels: ['pool'],
    read: () => poolStates().map(({ pool, max }) => ({ labels: { pool }, value: max })),
  });
  defineGauge({
    name: 'site_database_waiting',
    help: 'Work that waits for a connection of a pool',
    labels: ['pool'],
    read: () => poolStates().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  });
}

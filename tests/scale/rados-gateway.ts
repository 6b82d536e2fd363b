import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../support/raw.ts';
import { eventually } from '../support/server.ts';

const run = promisify(execFile);
/** A cluster needs time to form and to create its pools one by one. */
const READY_MS = 120_000;

export interface ObjectStore {
  env: Record<string, string>;
  stop(): Promise<void>;
}

const configuration = (folder: string, id: string, ports: { monitor: number; gateway: number }) => `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${ports.monitor}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
osd objectstore = memstore
memstore device bytes = 2G
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
crash dir = ${folder}
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${ports.gateway}
`;

async function makeKeys(folder: string): Promise<void> {
  const keyring = join(folder, 'keyring');
  const caps: Record<string, string[]> = {
    'mon.': ['mon', 'allow *'],
    'client.admin': ['mon', 'allow *', 'osd', 'allow *'],
    'client.rgw': ['mon', 'allow rwx', 'osd', 'allow rwx'],
    'osd.0': ['mon', 'allow profile osd', 'osd', 'allow *'],
  };
  await run('ceph-authtool', ['--create-keyring', keyring]);
  for (const [name, pairs] of Object.entries(caps)) {
    const capArgs = pairs.flatMap((each, at) => (at % 2 === 0 ? ['--cap', each] : [each]));
    await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...capArgs]);
  }
  for (const part of ['rgw', 'osd']) copyFileSync(keyring, join(folder, part, 'keyring'));
}

/** Starts Ceph's object gateway on the smallest possible cluster, with its store in memory, and creates a bucket. */
export async function startObjectStore(bucket: string): Promise<ObjectStore> {
  const folder = mkdtempSync(join(tmpdir(), 'site-ceph-'));
  for (const part of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, part));
  const ports = { monitor: await freePort(), gateway: await freePort() };
  const conf = join(folder, 'ceph.conf');
  const id = randomUUID();
  writeFileSync(conf, configuration(folder, id, ports));
  await makeKeys(folder);
  const env = { ...process.env, CEPH_ARGS: `-c ${conf}` };
  const daemons: ChildProcess[] = [];
  const daemon = (program: string, ...args: string[]) =>
    daemons.push(spawn(program, [...args, '-f'], { stdio: 'ignore', env }));
  const stop = async () => {
    for (const child of daemons.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const map = join(folder, 'monmap');
    const address = `[v2:127.0.0.1:${ports.monitor}]`;
    await run('monmaptool', ['--create', '--clobber', '--fsid', id, '--addv', 'a', address, map]);
    const keyring = join(folder, 'keyring');
    await run('ceph-mon', ['-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring], { env });
    daemon('ceph-mon', '-i', 'a');
    const disk = randomUUID();
    await run('ceph', ['osd', 'new', disk], { env, timeout: READY_MS });
    await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', disk], { env });
    daemon('ceph-osd', '-i', '0');
    daemon('radosgw', '-n', 'client.rgw');
    const [key, secret] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')];
    const user = ['user', 'create', '--uid=site', '--display-name=site'];
    await run('radosgw-admin', [...user, `--access-key=${key}`, `--secret-key=${secret}`], {
      env,
      timeout: READY_MS,
    });
    const endpoint = `http://127.0.0.1:${ports.gateway}`;
    await eventually(async () => (await fetch(endpoint)).ok, READY_MS);
    const credentials = { accessKeyId: key, secretAccessKey: secret };
    const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    return {
      env: {
        FILES_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY_ID: key,
        S3_SECRET_ACCESS_KEY: secret,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { ReactNode } from 'react';
import { projectRoot, releaseRoot } from '#platform/config/project-root.server.ts';
import { database } from '#platform/database/database.server.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { audit } from '../operator/audit.server.ts';
import { adminPage } from './admin-page.server.tsx';
import type { AdminRequest, AdminRoute } from './admin-request.server.ts';
import { SmallTable } from './small-table.tsx';

const here = '/admin/health';
const DOCTOR_MS = 90_000;

/** Runs the doctor in a separate process, like `npm run doctor`, because it sets up its own URLs and settings. */
function doctorReport(): Promise<string> {
  const program = join(releaseRoot, 'server/doctor.js');
  return new Promise((resolve) => {
    // The error is ignored: the exit code is not 0 if something is wrong, and the report says the same.
    execFile(process.execPath, [program], { cwd: projectRoot, timeout: DOCTOR_MS }, (_, stdout) =>
      resolve(stdout),
    );
  });
}

function Doctor({ report }: { report: string }) {
  const lines = report.split('\n').flatMap((line, at) => {
    const [, state, about, text] = /^(ok|not set|wrong|note)\s{2,}(\S.*?)\s{2,}(.*)$/.exec(line) ?? [];
    return state && about ? [{ key: String(at), state, cells: [state, about, text] }] : [];
  });
  const wrong = lines.filter(({ state }) => state === 'wrong');
  const rest = lines.filter(({ state }) => state !== 'wrong');
  return (
    <>
      {lines.length === 0 ? <Notice kind="danger">The doctor did not finish in time.</Notice> : null}
      <SmallTable
        title="Results"
        columns={['Result', 'Check', 'Details']}
        emptyText=""
        rows={[...wrong, ...rest]}
      />
    </>
  );
}

async function auditResult(): Promise<ReactNode> {
  const findings = await audit(database());
  const violated = findings.filter(({ violations }) => violations.length > 0);
  return (
    <>
      <Notice kind={violated.length === 0 ? 'success' : 'danger'}>
        {violated.length === 0
          ? `All ${findings.length} invariants hold.`
          : `${violated.length} of ${findings.length} invariants are violated.`}
      </Notice>
      <SmallTable
        title="Invariants"
        columns={['ID', 'Rule', 'Violations']}
        emptyText=""
        rows={[...violated, ...findings.filter((each) => !violated.includes(each))].map(
          ({ id, says, violations }) => ({
            key: id,
            cells: [
              id,
              says,
              violations.length === 0 ? (
                'none'
              ) : (
                <code key="rows" className="text-2xs wrap-anywhere">
                  {JSON.stringify(violations)}
                </code>
              ),
            ],
          }),
        )}
      />
    </>
  );
}

function healthPage(request: AdminRequest, result: ReactNode): Promise<Response> {
  return adminPage(request, {
    title: 'Health',
    here,
    children: (
      <>
        <h1 className="h2">Health</h1>
        <p className="text-sm">
          The doctor checks every setting and service, like npm run doctor. It changes, sends and spends
          nothing. The audit checks all stored rows and files, as it does every night.
        </p>
        <div className="row">
          <form method="post" action={`${here}/doctor`}>
            <Button type="submit">Run the doctor</Button>
          </form>
          <form method="post" action={`${here}/audit`}>
            <Button type="submit">Run the audit</Button>
          </form>
        </div>
        {result}
      </>
    ),
  });
}

export const healthRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: (request) => healthPage(request, null) },
  {
    method: 'POST',
    path: `${here}/doctor`,
    handle: async (request) => healthPage(request, <Doctor report={await doctorReport()} />),
  },
  {
    method: 'POST',
    path: `${here}/audit`,
    handle: async (request) => healthPage(request, await auditResult()),
  },
];

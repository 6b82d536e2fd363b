import { Field } from '#ui/field.tsx';
import { ActionForm } from '../action-form.tsx';
import type { PersonRow } from './person-data.server.ts';

function CreditsField() {
  return (
    <Field label="Credits">
      {(control) => (
        <input {...control} className="input" name="credits" type="number" min={1} max={100_000} required />
      )}
    </Field>
  );
}

function PlanForm({ path }: { path: string }) {
  return (
    <ActionForm
      name="Give a plan"
      action={`${path}/plan`}
      verb="Give the plan"
      description="In addition to anything the person pays for."
    >
      <Field label="Plan">
        {(control) => (
          <select {...control} className="select" name="plan" defaultValue="pro">
            <option value="pro">Pro</option>
            <option value="business">Business</option>
          </select>
        )}
      </Field>
      <Field label="Last day (UTC)" hint="Leave empty for no end date.">
        {(control) => <input {...control} className="input" name="until" type="date" />}
      </Field>
    </ActionForm>
  );
}

function EraseForm({ path, deleted }: { path: string; deleted: boolean }) {
  return (
    <ActionForm
      name="Erase"
      action={`${path}/erase`}
      verb={deleted ? 'Erase now' : 'Erase the account'}
      danger
      description="Signs the person out and stops running work at once. Everything they wrote and made is erased, files included; the ledger and payments stay, without name or email. A paid plan is not refunded: refund it first."
    >
      {deleted ? (
        <input type="hidden" name="when" value="now" />
      ) : (
        <Field label="When">
          {(control) => (
            <select {...control} className="select" name="when" defaultValue="later">
              <option value="later">In 30 days; can be restored until then</option>
              <option value="now">Now; cannot be restored</option>
            </select>
          )}
        </Field>
      )}
    </ActionForm>
  );
}

function BanForm({ path, banned }: { path: string; banned: boolean }) {
  return banned ? (
    <ActionForm name="Lift the ban" action={`${path}/unban`} verb="Lift the ban" />
  ) : (
    <ActionForm
      name="Ban"
      action={`${path}/ban`}
      verb="Ban this account"
      danger
      description="Signs the person out everywhere, stops running work and blocks signing in until you lift the ban. A paid plan continues: refund it separately."
    />
  );
}

export function PersonForms({ person }: { person: PersonRow }) {
  const path = `/admin/people/${person.id}`;
  if (person.erased_at) return null;
  const deleted = person.deleted_at !== null;
  return (
    <section className="row items-start" aria-label="Actions">
      <ActionForm name="Give credits" action={`${path}/credits`} verb="Give credits">
        <CreditsField />
      </ActionForm>
      <ActionForm
        name="Remove credits"
        action={`${path}/credits/taken`}
        verb="Remove credits"
        danger
        description={`The balance is ${person.credits}. You can’t remove more than that.`}
      >
        <CreditsField />
      </ActionForm>
      <PlanForm path={path} />
      <ActionForm
        name="End complimentary plan"
        action={`${path}/plan/ended`}
        verb="End the plan"
        description="A plan the person pays for is not affected."
      />
      {deleted ? null : (
        <>
          <ActionForm
            name="Sign out"
            action={`${path}/sessions/ended`}
            verb="Sign out everywhere"
            reason={false}
          />
          <ActionForm
            name="Data archive"
            action={`${path}/archive`}
            verb="Download"
            reason={false}
            description="Everything in the account, as the person would download it. The download is recorded in the log."
          />
        </>
      )}
      <BanForm path={path} banned={person.banned_at !== null} />
      {person.erase_from ? null : <EraseForm path={path} deleted={deleted} />}
    </section>
  );
}

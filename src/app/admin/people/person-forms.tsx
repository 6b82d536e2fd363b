import { Field } from '#ui/field.tsx';
import { ActForm } from '../act-form.tsx';
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

function PlanForm({ at }: { at: string }) {
  return (
    <ActForm
      name="Give a plan"
      action={`${at}/plan`}
      verb="Give the plan"
      says="In addition to anything the person pays for."
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
    </ActForm>
  );
}

function EraseForm({ at, deleted }: { at: string; deleted: boolean }) {
  return (
    <ActForm
      name="Erase"
      action={`${at}/erase`}
      verb={deleted ? 'Erase now' : 'Erase the account'}
      danger
      says="Signs the person out and stops running work at once. Everything they wrote and made is erased, files included; the ledger and payments stay, without name or email. A paid plan is not refunded: refund it first."
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
    </ActForm>
  );
}

function BanForm({ at, banned }: { at: string; banned: boolean }) {
  return banned ? (
    <ActForm name="Lift the ban" action={`${at}/unban`} verb="Lift the ban" />
  ) : (
    <ActForm
      name="Ban"
      action={`${at}/ban`}
      verb="Ban this account"
      danger
      says="Signs the person out everywhere, stops running work and blocks signing in until you lift the ban. A paid plan continues: refund it separately."
    />
  );
}

export function PersonForms({ person }: { person: PersonRow }) {
  const at = `/admin/people/${person.id}`;
  if (person.erased_at) return null;
  const deleted = person.deleted_at !== null;
  return (
    <section className="row items-start" aria-label="Actions">
      <ActForm name="Give credits" action={`${at}/credits`} verb="Give credits">
        <CreditsField />
      </ActForm>
      <ActForm
        name="Remove credits"
        action={`${at}/credits/taken`}
        verb="Remove credits"
        danger
        says={`The balance is ${person.credits}. You can’t remove more than that.`}
      >
        <CreditsField />
      </ActForm>
      <PlanForm at={at} />
      <ActForm
        name="End complimentary plan"
        action={`${at}/plan/ended`}
        verb="End the plan"
        says="A plan the person pays for is not affected."
      />
      {deleted ? null : (
        <>
          <ActForm
            name="Sign out"
            action={`${at}/sessions/ended`}
            verb="Sign out everywhere"
            reason={false}
          />
          <ActForm
            name="Data archive"
            action={`${at}/archive`}
            verb="Download"
            reason={false}
            says="Everything in the account, as the person would download it. The download is recorded in the log."
          />
        </>
      )}
      <BanForm at={at} banned={person.banned_at !== null} />
      {person.erase_from ? null : <EraseForm at={at} deleted={deleted} />}
    </section>
  );
}

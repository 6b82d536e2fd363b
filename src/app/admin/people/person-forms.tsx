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
      says="Beside what the person pays for."
    >
      <Field label="Plan">
        {(control) => (
          <select {...control} className="select" name="plan" defaultValue="pro">
            <option value="pro">Pro</option>
            <option value="business">Business</option>
          </select>
        )}
      </Field>
      <Field label="Last day (UTC)" hint="Empty: without end.">
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
      says="Signed out and stopped at once. What was made and said is erased with its files; ledger and payments stay without name and address. A paid plan is not given back: refund it first."
    >
      {deleted ? (
        <input type="hidden" name="when" value="now" />
      ) : (
        <Field label="When">
          {(control) => (
            <select {...control} className="select" name="when" defaultValue="later">
              <option value="later">In 30 days; the person can restore it until then</option>
              <option value="now">Now; nobody can restore it</option>
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
      says="Signs it out everywhere, stops what runs, and lets it neither sign in nor start anything until you lift the ban. A paid plan goes on: refund it apart."
    />
  );
}

export function PersonForms({ person }: { person: PersonRow }) {
  const at = `/admin/people/${person.id}`;
  if (person.erased_at) return null;
  const deleted = person.deleted_at !== null;
  return (
    <section className="row items-start" aria-label="Acts">
      <ActForm name="Give credits" action={`${at}/credits`} verb="Give credits">
        <CreditsField />
      </ActForm>
      <ActForm
        name="Take credits"
        action={`${at}/credits/taken`}
        verb="Take credits"
        danger
        says={`The balance is ${person.credits}; more than that is not taken.`}
      >
        <CreditsField />
      </ActForm>
      <PlanForm at={at} />
      <ActForm
        name="End given plan"
        action={`${at}/plan/ended`}
        verb="End the plan"
        says="What the person pays for stays."
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
            name="Archive"
            action={`${at}/archive`}
            verb="Download the archive"
            reason={false}
            says="All that the account holds, as the person would download it. The download is in the log."
          />
        </>
      )}
      <BanForm at={at} banned={person.banned_at !== null} />
      {person.erase_from ? null : <EraseForm at={at} deleted={deleted} />}
    </section>
  );
}

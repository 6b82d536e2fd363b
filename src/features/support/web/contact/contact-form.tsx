import { m } from '#messages';
import { codePointLength } from '#shared/input-text.ts';
import { Button } from '#ui/button.tsx';
import { EmailField } from '#ui/email-field.tsx';
import { Field } from '#ui/field.tsx';
import { linkTo } from '#ui/link-to.tsx';
import { Notice } from '#ui/notice.tsx';
import {
  type ContactErrors,
  type ContactField,
  contactKinds,
  contactLimits,
  contactPath,
  honeypotField,
  MAX_INPUT_LENGTH,
  type TypedMessage,
} from '../../contact/contact-contract.ts';

const idOf = (field: ContactField) => `contact-${field}`;
const fieldsInOrder: readonly ContactField[] = ['kind', 'name', 'email', 'message'];

function ErrorSummary({ errors }: { errors: ContactErrors }) {
  const invalidFields = fieldsInOrder.filter((field) => errors[field]);
  if (invalidFields.length === 0 && !errors.form) return null;
  return (
    <Notice
      as="section"
      kind="danger"
      live={false}
      className="grid gap-2 p-4"
      aria-labelledby="contact-errors-title"
      tabIndex={-1}
      // A new page after the button, so the errors are read first
      autoFocus
    >
      <h2 className="text-md font-[650]" id="contact-errors-title">
        {m.contact_not_sent()}
      </h2>
      {errors.form ? <p>{errors.form}</p> : null}
      {invalidFields.length > 0 ? (
        <ul className="grid gap-1">
          {invalidFields.map((field) => (
            <li key={field}>
              <a
                className="link text-inherit pointer-coarse:inline-block pointer-coarse:py-3"
                href={`#${idOf(field)}`}
              >
                {errors[field]}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}

function Honeypot() {
  return (
    <div className="absolute start-[-100vw] w-px h-px overflow-hidden" aria-hidden="true">
      <label>
        {m.form_trap()}
        <input type="text" name={honeypotField} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

/**
 * Not read by the server. When a user goes back, browsers restore typed text only into a form that starts with the same
 * field names, so this name gives users their own text and nobody else's.
 */
const Owner = ({ id }: { id: string }) => <input type="hidden" name={`of-${id}`} />;

export interface ContactFormProps {
  typed: TypedMessage;
  /** Milliseconds since 1970. */
  opened: number;
  owner: string | null;
  errors: ContactErrors;
}

/** Validated only by the server, so that errors read the same with and without scripts. */
export function ContactForm({ typed, opened, owner, errors }: ContactFormProps) {
  return (
    <form className="contact-form relative grid gap-6 min-w-0" method="post" action={contactPath} noValidate>
      <ErrorSummary errors={errors} />
      {owner === null ? null : <Owner id={owner} />}
      <input type="hidden" name="opened" value={opened} />
      <Honeypot />
      <Field id={idOf('kind')} label={m.contact_kind()} error={errors.kind}>
        {(control) => (
          <select className="select" name="kind" defaultValue={typed.kind} {...control}>
            {Object.entries(contactKinds).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name()}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)] gap-y-6 gap-x-4 items-end max-[40rem]:grid-cols-1">
        <Field id={idOf('name')} label={m.common_name()} optional error={errors.name}>
          {(control) => (
            <input
              className="input"
              type="text"
              name="name"
              dir="auto"
              autoComplete="name"
              defaultValue={typed.name}
              {...control}
            />
          )}
        </Field>
        <EmailField id={idOf('email')} error={errors.email} defaultValue={typed.email} />
      </div>
      <Field
        id={idOf('message')}
        label={m.contact_message()}
        error={errors.message}
        counter={{
          length: codePointLength(typed.message.replaceAll('\r\n', '\n')),
          max: contactLimits.message,
          enhanced: true,
        }}
      >
        {(control) => (
          <textarea
            className="textarea min-h-43 wrap-anywhere [field-sizing:content] max-h-128"
            name="message"
            rows={6}
            dir="auto"
            maxLength={MAX_INPUT_LENGTH}
            required
            defaultValue={typed.message}
            {...control}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-y-3 gap-x-5">
        <Button variant="primary" size="lg" type="submit">
          {m.contact_send()}
        </Button>
        <p className="fine">
          {m.contact_privacy({
            link: linkTo('/privacy#what-we-store'),
          })}
        </p>
      </div>
    </form>
  );
}

import type { ReactNode } from 'react';
import { lengthOf } from '../../../../shared/typed-text.ts';
import {
  type ContactErrors,
  type ContactField,
  contactKinds,
  contactPath,
  contactTexts,
  MOST_TYPED,
  type TypedMessage,
  trapField,
} from '../contract.ts';

const idOf = (field: ContactField) => `contact-${field}`;
const fieldsInOrder: readonly ContactField[] = ['kind', 'name', 'email', 'message'];

/** What was wrong, first on the page and with the focus, each line leading to its field. */
function ErrorSummary({ errors }: { errors: ContactErrors }) {
  const wrong = fieldsInOrder.filter((field) => errors[field]);
  if (wrong.length === 0 && !errors.form) return null;
  return (
    <section
      className="notice notice-danger contact-errors"
      aria-labelledby="contact-errors-title"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the page was loaded by the button, and what was wrong is read first
      autoFocus
    >
      <h2 id="contact-errors-title">Your message was not sent</h2>
      {errors.form ? <p>{errors.form}</p> : null}
      {wrong.length > 0 ? (
        <ul>
          {wrong.map((field) => (
            <li key={field}>
              <a className="link" href={`#${idOf(field)}`}>
                {errors[field]}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface FieldProps {
  field: ContactField;
  label: ReactNode;
  error: string | undefined;
  hint?: ReactNode;
  children: (tied: {
    id: string;
    name: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A labelled control with its hint and what is wrong with it, which it is tied to. */
function Field({ field, label, error, hint, children }: FieldProps) {
  const id = idOf(field);
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {error ? (
        <p className="contact-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {children({
        id,
        name: field,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** For programs that fill in whatever they find; out of sight and out of the way of everybody else. */
function Trap() {
  return (
    <div className="contact-trap" aria-hidden="true">
      <label>
        Leave this empty
        <input type="text" name={trapField} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

/**
 * Never seen or read. A browser puts what was typed back into a form that begins with the same names, though its page
 * is new: on the way back in the history a person finds their words, and nobody else does.
 */
const Owner = ({ id }: { id: string }) => <input type="hidden" name={`of-${id}`} />;

export interface ContactFormProps {
  typed: TypedMessage;
  /** When the form was opened, as milliseconds since 1970. */
  opened: number;
  /** Id of whoever is signed in; null for a guest. */
  owner: string | null;
  errors: ContactErrors;
}

/** The form; it is checked by the server alone, so that what is wrong is said the same way with and without scripts. */
export function ContactForm({ typed, opened, owner, errors }: ContactFormProps) {
  return (
    <form className="contact-form" method="post" action={contactPath} noValidate>
      <ErrorSummary errors={errors} />
      {owner === null ? null : <Owner id={owner} />}
      <input type="hidden" name="opened" value={opened} />
      <Trap />
      <Field field="kind" label="What is it about?" error={errors.kind}>
        {(tied) => (
          <select className="select" defaultValue={typed.kind} {...tied}>
            {Object.entries(contactKinds).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="contact-pair">
        <Field
          field="name"
          label={
            <>
              Name <span className="muted font-normal">(optional)</span>
            </>
          }
          error={errors.name}
        >
          {(tied) => (
            <input
              className="input"
              type="text"
              dir="auto"
              autoComplete="name"
              defaultValue={typed.name}
              {...tied}
            />
          )}
        </Field>
        <Field field="email" label="Email" error={errors.email}>
          {(tied) => (
            <input
              className="input"
              type="email"
              inputMode="email"
              autoComplete="email"
              spellCheck={false}
              required
              defaultValue={typed.email}
              {...tied}
            />
          )}
        </Field>
      </div>
      <Field
        field="message"
        label="Message"
        error={errors.message}
        hint={contactTexts.size(lengthOf(typed.message.replaceAll('\r\n', '\n')))}
      >
        {(tied) => (
          <textarea
            className="textarea"
            rows={6}
            dir="auto"
            maxLength={MOST_TYPED}
            data-most={contactTexts.most}
            required
            defaultValue={typed.message}
            {...tied}
          />
        )}
      </Field>
      <div className="contact-send">
        <button className="btn btn-primary btn-lg" type="submit">
          Send message
        </button>
        <p className="fine">
          We use what you write to answer you.{' '}
          <a className="link" href="/privacy#what-we-store">
            How it is kept
          </a>
        </p>
      </div>
    </form>
  );
}

import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';

const categories = [
  {
    name: 'essential',
    title: m.consent_essential,
    text: m.consent_essential_text,
  },
  {
    name: 'functional',
    title: m.consent_functional,
    text: m.consent_functional_text,
  },
  {
    name: 'analytics',
    title: m.consent_analytics,
    text: m.consent_analytics_text,
  },
];

function Policies() {
  return (
    <span className="inline-flex flex-wrap gap-y-0 gap-x-3">
      <a className="link py-0.75" href="/cookies">
        {m.page_cookies()}
      </a>{' '}
      <a className="link py-0.75" href="/privacy">
        {m.page_privacy()}
      </a>
    </span>
  );
}

const part = (text: string) => <span>{text}</span>;

function PrivacyControl() {
  return (
    <span data-gpc="" hidden>
      {m.consent_gpc({ part })}
      {sentenceSeparator()}
    </span>
  );
}

function Ask() {
  return (
    <div className="consent-ask text-sm max-xs:text-xs" data-view="ask">
      <p className="max-w-(--measure)">
        <span>{m.consent_ask_essential({ part, b: (text) => <b>{text}</b> })}</span>
        {sentenceSeparator()}
        <span>{m.consent_ask_optional({ part })}</span>
        {sentenceSeparator()}
        <PrivacyControl />
        <Policies />
      </p>
      <div className="grid grid-cols-3 gap-2">
        <Button
          className="px-0.5 whitespace-normal text-balance xs:in-data-[page=public]:min-w-42"
          data-consent="all"
        >
          {m.consent_accept_all()}
        </Button>
        <Button
          className="px-0.5 whitespace-normal text-balance xs:in-data-[page=public]:min-w-42"
          data-consent="reject"
        >
          {m.consent_reject()}
        </Button>
        <Button
          className="px-0.5 whitespace-normal text-balance xs:in-data-[page=public]:min-w-42"
          data-consent="choose"
        >
          {m.consent_customize()}
        </Button>
      </div>
    </div>
  );
}

function Choose() {
  return (
    <form className="grid gap-3 text-sm" data-view="choose" autoComplete="off" hidden>
      <fieldset className="grid gap-y-2 gap-x-8 ml:in-data-[page=public]:grid-cols-3">
        <legend className="visually-hidden">{m.consent_choices()}</legend>
        {categories.map(({ name, title, text }) => (
          <label
            key={name}
            className="grid has-disabled:cursor-not-allowed grid-cols-[auto_minmax(0,1fr)] items-center gap-y-0 gap-x-2.5 min-h-(--hit) cursor-pointer"
          >
            <input
              className="w-5 h-5 accent-primary"
              type="checkbox"
              name={name}
              defaultChecked={
                name === 'essential' || (name === 'functional' && setting('consent.functional'))
              }
              disabled={name === 'essential'}
              aria-labelledby={`consent-${name}`}
              aria-describedby={`consent-${name}-text`}
            />
            <span className="font-semibold" id={`consent-${name}`}>
              {title()}
            </span>
            <span className="muted col-start-2 text-xs" id={`consent-${name}-text`}>
              {text()}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="consent-end max-xs:text-xs">
        <p className="max-w-(--measure)">
          <PrivacyControl />
          <Policies />
        </p>
        <div className="row">
          <Button type="submit" variant="primary">
            {m.consent_save()}
          </Button>
          <Button data-consent="cancel">{m.common_cancel()}</Button>
        </div>
      </div>
    </form>
  );
}

/**
 * Comes before the header, so that keyboard users reach it early. It stays hidden without scripts, because then
 * nothing optional is stored.
 */
export function ConsentContents() {
  return (
    <div className="wrap py-3 in-data-[page=app]:px-3">
      <Ask />
      <Choose />
    </div>
  );
}

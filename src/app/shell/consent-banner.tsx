import { site } from '../../../content/site.ts';

const categories = [
  {
    name: 'essential',
    title: 'Essential',
    text: 'Signing in, your theme, your drafts and this choice. Always on.',
  },
  {
    name: 'functional',
    title: 'Functional',
    text: 'May remember tool settings, where you stopped reading and your last open chat.',
  },
  {
    name: 'analytics',
    title: 'Analytics',
    text: 'May count views of our pages. On this site only, no third party.',
  },
];

function Policies() {
  return (
    <span className="consent-policies">
      <a className="link" href="/cookies">
        Cookie Policy
      </a>{' '}
      <a className="link" href="/privacy">
        Privacy Policy
      </a>
    </span>
  );
}

/** Shown by the enhancement module to browsers that send Global Privacy Control. */
function PrivacyControl() {
  return (
    <span data-gpc="" hidden>
      Your browser sends Global Privacy Control, so analytics stays off.{' '}
    </span>
  );
}

function Ask() {
  return (
    <div className="consent-ask" data-view="ask">
      <p>
        <span>
          <b>Cookies.</b> Essential ones keep the site working.
        </span>{' '}
        <span>Functional and analytics ones wait for your consent.</span> <PrivacyControl />
        <Policies />
      </p>
      <div className="consent-buttons">
        <button type="button" className="btn btn-secondary" data-consent="all">
          Accept All
        </button>
        <button type="button" className="btn btn-secondary" data-consent="reject">
          Reject non-essential
        </button>
        <button type="button" className="btn btn-secondary" data-consent="choose">
          Customize
        </button>
      </div>
    </div>
  );
}

function Choose() {
  return (
    <form className="consent-choose" data-view="choose" autoComplete="off" hidden>
      <fieldset className="consent-categories">
        <legend className="visually-hidden">Cookies that you allow</legend>
        {categories.map(({ name, title, text }) => (
          <label key={name} className="consent-category">
            <input
              type="checkbox"
              name={name}
              defaultChecked={
                name === 'essential' || (name === 'functional' && site.consent.functionalStartsOn)
              }
              disabled={name === 'essential'}
              aria-labelledby={`consent-${name}`}
              aria-describedby={`consent-${name}-text`}
            />
            <span className="font-semibold" id={`consent-${name}`}>
              {title}
            </span>
            <span className="muted" id={`consent-${name}-text`}>
              {text}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="consent-end">
        <p>
          <PrivacyControl />
          <Policies />
        </p>
        <div className="row">
          <button type="submit" className="btn btn-primary">
            Save Preferences
          </button>
          <button type="button" className="btn btn-secondary" data-consent="cancel">
            Cancel
          </button>
        </div>
      </div>
    </form>
  );
}

/**
 * In the markup of every page, before the header, so that the keyboard reaches it early. The enhancement module shows
 * it to whoever has not chosen and from any `data-consent-open` element. Without scripts nothing optional is stored,
 * and nothing is asked.
 */
export function ConsentContents() {
  return (
    <div className="wrap consent-box">
      <Ask />
      <Choose />
    </div>
  );
}

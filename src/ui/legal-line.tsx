/** What signing in means in law, with the pages that say it. */
export function LegalLine() {
  return (
    <p className="fine">
      No password. By signing in you accept the{' '}
      <a className="link" href="/terms">
        Terms of Service
      </a>{' '}
      and the{' '}
      <a className="link" href="/privacy">
        Privacy Policy
      </a>
      .
    </p>
  );
}

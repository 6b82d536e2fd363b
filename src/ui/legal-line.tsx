import { m } from '#messages';

const linkTo = (path: string) => (text: string) => (
  <a className="link" href={path}>
    {text}
  </a>
);

export const LegalLine = () => (
  <p className="fine">{m.sign_in_legal({ terms: linkTo('/terms'), privacy: linkTo('/privacy') })}</p>
);

import { m } from '#messages';
import { linkTo } from './link-to.tsx';

export const LegalLine = () => (
  <p className="fine">{m.sign_in_legal({ terms: linkTo('/terms'), privacy: linkTo('/privacy') })}</p>
);

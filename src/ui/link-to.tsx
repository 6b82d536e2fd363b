/** For an element inside a message: links its text. */
export const linkTo = (href: string) => (text: string) => (
  <a className="link" href={href}>
    {text}
  </a>
);

/** Renders the `<mail>` tag of a message. */
export const mailLink = (address: string) => (
  <a className="link" href={`mailto:${address}`}>
    {address}
  </a>
);

import { useState } from 'react';

const id = 'page-script';

/** An inline script that exists only in the server's HTML, because React does not run scripts that it inserts. */
export function PageScript({ code, nonce }: { code: string | undefined; nonce: string | undefined }) {
  const [isPresent] = useState(() => typeof document === 'undefined' || document.getElementById(id) !== null);
  if (!isPresent || code === undefined) return null;
  return (
    <script
      id={id}
      nonce={nonce}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed by nonce or hash
      dangerouslySetInnerHTML={{ __html: code }}
      suppressHydrationWarning
    />
  );
}

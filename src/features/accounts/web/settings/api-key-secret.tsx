import { useEffect, useRef } from 'react';
import { useClipboard } from '#client/use-clipboard.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

export function ApiKeySecret({ secret }: { secret: string }) {
  const { copied, copy } = useClipboard();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Notice kind="success" as="div" live className="grid gap-3">
      <p>{m.api_key_made()}</p>
      <code className="wrap-anywhere" dir="ltr">
        {secret}
      </code>
      <Button ref={button} className="justify-self-start" onClick={() => copy(secret)}>
        {copied ? m.copied() : m.api_key_copy()}
      </Button>
    </Notice>
  );
}

import { useMemo } from 'react';
import { labelOf } from '../../../shared/prompt-variables/fill.ts';
import { parsePrompt } from '../../../shared/prompt-variables/parse.ts';

/** A prompt as it stands, its variables as marked words. */
export function PromptText({ content }: { content: string }) {
  const parts = useMemo(() => parsePrompt(content), [content]);
  let at = 0;
  return parts.map((part) => {
    const text = 'variable' in part ? part.source : part.text;
    const key = at;
    at += text.length;
    if (!('variable' in part)) return <span key={key}>{text}</span>;
    return (
      <span key={key} className="prompt-variable" title={text}>
        {labelOf(part.variable)}
      </span>
    );
  });
}

import { useMemo } from 'react';
import { variableLabel } from '#shared/fill-prompt.ts';
import { parsePrompt } from '#shared/parse-prompt.ts';

export function PromptText({ content }: { content: string }) {
  const parts = useMemo(() => parsePrompt(content), [content]);
  let offset = 0;
  return parts.map((part) => {
    const text = 'variable' in part ? part.source : part.text;
    const key = offset;
    offset += text.length;
    if (!('variable' in part)) return <span key={key}>{text}</span>;
    return (
      <span key={key} className="prompt-variable forced-colors:border" title={text}>
        {variableLabel(part.variable)}
      </span>
    );
  });
}

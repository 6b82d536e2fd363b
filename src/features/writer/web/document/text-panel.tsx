import { useState } from 'react';
import type { VersionRow, WorkView } from '../../../works/contract.ts';
import { OlderVersion } from '../../../works/web/older-version.tsx';
import { VersionList } from '../../../works/web/version-list.tsx';
import {
  type Length,
  type TextType,
  type Tone,
  toneNames,
  typeNames,
  type WordRange,
  wordRanges,
} from '../../contract.ts';
import type { TextControl } from '../use-text.ts';
import type { Writing } from '../use-writing.ts';
import { Verdict } from '../verdict.tsx';
import { TextView } from './text-view.tsx';
import { Title } from './title.tsx';
import { Toolbar } from './toolbar.tsx';
import { useActions } from './use-actions.ts';

/** What a version was asked for, in a few words. */
function askedFor({ settings }: VersionRow): string {
  const { type, tone, length } = settings as { type?: TextType; tone?: Tone; length?: Length };
  return [type && typeNames[type], tone && toneNames[tone], length && wordRanges[length]?.name]
    .filter(Boolean)
    .join(', ');
}

interface TextPanelProps {
  work: WorkView;
  control: TextControl;
  writing: Writing;
  range: WordRange;
  price: string | null;
  onRefused: (error: unknown) => void;
  onChanged: () => void;
  /** What the button says that continues a stopped text, with the price. */
  goOnLabel: string;
  /** Asks again for what a failed version was asked for. */
  onRetry: () => void;
}

/** A text with its title and all that can be done with it. */
export function TextPanel({ range, price, goOnLabel, onRetry, ...parts }: TextPanelProps) {
  const { work, control, writing } = parts;
  const { version } = work;
  const [listed, setListed] = useState(false);
  const actions = useActions(parts);
  const { isOlder } = actions;
  const brought = writing.brought?.generationId === version.generationId ? writing.brought?.text : '';
  const shown: TextControl = control.text || !brought ? control : { ...control, text: brought };
  const ways = { goOnLabel, onGoOn: () => writing.goOn(work.id, version.id), onRetry };
  const title = <Title title={work.title} onRename={actions.rename} />;
  if (shown.text === '' && version.state !== 'done')
    return (
      <div className="writer-intro">
        {title}
        {version.state === 'queued' || version.state === 'running' ? (
          <p className="muted">This text is being written.</p>
        ) : (
          <Verdict version={version} {...ways} />
        )}
      </div>
    );
  return (
    <>
      {title}
      <Toolbar
        control={shown}
        editable={!isOlder}
        versions={work.versions.length}
        onExport={(format) => void actions.exportAs(format)}
        listed={listed}
        onVersions={() => setListed(!listed)}
        onDelete={() => void actions.remove()}
      />
      {listed ? (
        <VersionList
          versions={work.versions}
          shown={version.id}
          settingsOf={askedFor}
          onShow={({ id }) => void actions.show(id)}
          onRestore={({ id }) => void actions.restore(id)}
        />
      ) : null}
      {isOlder ? (
        <OlderVersion
          onRestore={() => void actions.restore(version.id)}
          onBack={() => void actions.show(work.versions.find(({ words }) => words > 0)?.id ?? version.id)}
        />
      ) : null}
      <Verdict version={version} {...ways} />
      <TextView
        work={work}
        range={range}
        control={shown}
        writing={writing}
        editable={!isOlder}
        price={price}
        onRefine={(...wished) => void actions.refine(...wished)}
        onDecide={actions.decide}
      />
    </>
  );
}

import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { keepsScroll } from '#client/use-scroll-to-top.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import type { ToolData } from '#features/tools/contract.ts';
import { ToolPage } from '#features/tools/web/tool-page.tsx';
import type { TextDetail } from '../contract.ts';
import { TextList } from './text-list.tsx';
import type { TextPage } from './use-running-texts.ts';

export interface WorkspaceProps<Data> {
  data: Data;
  /** Called when a text has been started; the page then shows it. */
  onTextStarted: (workId: string) => void;
}

interface TextToolPageProps<Data> {
  feature: Feature;
  data: Data;
  landing?: { head: ReactNode; foot: ReactNode };
  /** Label of the link to a new text. */
  newLabel: string;
  list: { title: string; empty: string };
  /** Below the list. */
  children?: ReactNode;
  Workspace: ComponentType<WorkspaceProps<Data>>;
}

/** Returns a key per opened work. A work that was started here keeps its instance when its id enters the URL. */
function useInstance({ opened, missing }: { opened: { id: string } | null; missing: boolean }) {
  const name = opened?.id ?? (missing ? 'missing' : 'new');
  const adopted = useRef<string | null>(null);
  const [current, setCurrent] = useState({ name, key: 0 });
  const shown =
    current.name === name ? current : { name, key: name === adopted.current ? current.key : current.key + 1 };
  if (shown !== current) setCurrent(shown);
  const adopt = (id: string) => {
    adopted.current = id;
  };
  return { key: shown.key, adopt };
}

/** The page of a tool that makes texts: one text, or an empty form, and the list of all texts. */
export function TextToolPage<Data extends ToolData<TextDetail, TextPage>>(props: TextToolPageProps<Data>) {
  const { feature, data, landing, newLabel, list, children, Workspace } = props;
  const { me, opened, missing } = data;
  const navigate = useNavigate();
  const { key, adopt } = useInstance(data);
  const path = featureTable[feature].page ?? '';
  return (
    <ToolPage
      feature={feature}
      landing={me ? null : landing}
      newLabel={opened || missing ? newLabel : null}
      earlier={
        <>
          <TextList
            {...list}
            feature={feature}
            first={data.list}
            current={opened?.id ?? null}
            onDeleted={() => void navigate(path, { state: keepsScroll })}
          />
          {children}
        </>
      }
    >
      <Workspace
        key={key}
        data={data}
        onTextStarted={(id) => {
          adopt(id);
          void navigate(`${path}/${id}`, { state: keepsScroll });
        }}
      />
    </ToolPage>
  );
}

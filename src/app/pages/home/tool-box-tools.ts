import { type Feature, featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';

export interface ToolBoxTool {
  id: string;
  tab: () => string;
  placeholder: () => string;
  start: () => string;
  cost: string;
  path: string;
  /** The form whose draft passes the text to the tool (client/form-draft.ts); undefined: it is passed in the URL. */
  form?: string;
}

function costOf(
  feature: keyof typeof featureTable,
  costPerUse: (values: { price: number }) => string,
): string {
  const { free, price } = featureTable[feature];
  if (!free) return m.home_cost_pro();
  return price === 0 ? m.home_cost_free() : costPerUse({ price });
}

const allTools = (): (ToolBoxTool & { id: Feature })[] => [
  {
    id: 'chat',
    tab: m.home_tab_chat,
    placeholder: m.home_placeholder_chat,
    start: m.home_start_chat,
    cost: costOf('chat', m.home_cost_message),
    path: '/chat/new',
    form: 'chat',
  },
  {
    id: 'writer',
    tab: m.home_tab_writer,
    placeholder: m.home_placeholder_writer,
    start: m.home_start_writer,
    cost: costOf('writer', m.home_cost_draft),
    path: '/tools/writer',
    form: 'writer',
  },
  {
    id: 'pdf',
    tab: m.home_tab_pdf,
    placeholder: m.home_placeholder_pdf,
    start: m.home_start_pdf,
    cost: costOf('pdf', m.home_cost_document),
    path: '/tools/pdf',
    form: 'pdf-question',
  },
  {
    id: 'image',
    tab: m.home_tab_image,
    placeholder: m.home_placeholder_image,
    start: m.home_start_image,
    cost: costOf('image', m.home_cost_image),
    path: '/tools/image',
    form: 'image',
  },
  {
    id: 'script',
    tab: m.home_tab_script,
    placeholder: m.home_placeholder_script,
    start: m.home_start_script,
    cost: costOf('script', m.home_cost_script),
    path: '/tools/script',
    form: 'script',
  },
  {
    id: 'prompts',
    tab: m.home_tab_prompts,
    placeholder: m.home_placeholder_prompts,
    start: m.home_start_prompts,
    cost: costOf('prompts', m.home_cost_prompt),
    path: '/tools/prompts',
  },
];

export const toolBoxTools = (): ToolBoxTool[] => allTools().filter(({ id }) => featureTable[id].offered);

import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';

export interface CaseTool {
  name: () => string;
  path: string;
}

const tool = (feature: 'writer' | 'script' | 'image' | 'pdf' | 'prompts'): CaseTool => ({
  name: () => featureTable[feature].name,
  path: `/tools/${feature}`,
});

const [writer, script, image] = [tool('writer'), tool('script'), tool('image')];
const [pdf, prompts] = [tool('pdf'), tool('prompts')];
const file: CaseTool = { name: m.use_cases_chat_file, path: '/chat' };
const code: CaseTool = { name: m.use_cases_code_assistant, path: '/chat/new?assistant=code' };
const business: CaseTool = { name: m.use_cases_business_assistant, path: '/chat/new?assistant=business' };

export interface UseCase {
  id: string;
  title: () => string;
  description: () => string;
  input: () => string;
  benefits: readonly (() => string)[];
  check: () => string;
  /** The first is the tool to start with. */
  tools: readonly [CaseTool, ...CaseTool[]];
}

export const useCases: readonly UseCase[] = [
  {
    id: 'content-creation',
    title: m.use_cases_content_title,
    description: m.use_cases_content_description,
    input: m.use_cases_content_brings,
    benefits: [m.use_cases_content_gets_1, m.use_cases_content_gets_2, m.use_cases_content_gets_3],
    check: m.use_cases_content_check,
    tools: [writer, prompts],
  },
  {
    id: 'image-generation',
    title: m.use_cases_image_title,
    description: m.use_cases_image_description,
    input: m.use_cases_image_brings,
    benefits: [m.use_cases_image_gets_1, m.use_cases_image_gets_2, m.use_cases_image_gets_3],
    check: m.use_cases_image_check,
    tools: [image, prompts],
  },
  {
    id: 'document-analysis',
    title: m.use_cases_document_title,
    description: m.use_cases_document_description,
    input: m.use_cases_document_brings,
    benefits: [m.use_cases_document_gets_1, m.use_cases_document_gets_2, m.use_cases_document_gets_3],
    check: m.use_cases_document_check,
    tools: [pdf, file],
  },
  {
    id: 'video-scripts',
    title: m.use_cases_script_title,
    description: m.use_cases_script_description,
    input: m.use_cases_script_brings,
    benefits: [m.use_cases_script_gets_1, m.use_cases_script_gets_2, m.use_cases_script_gets_3],
    check: m.use_cases_script_check,
    tools: [script, prompts],
  },
  {
    id: 'code-generation',
    title: m.use_cases_code_title,
    description: m.use_cases_code_description,
    input: m.use_cases_code_brings,
    benefits: [m.use_cases_code_gets_1, m.use_cases_code_gets_2, m.use_cases_code_gets_3],
    check: m.use_cases_code_check,
    tools: [code, prompts],
  },
  {
    id: 'business-automation',
    title: m.use_cases_business_title,
    description: m.use_cases_business_description,
    input: m.use_cases_business_brings,
    benefits: [m.use_cases_business_gets_1, m.use_cases_business_gets_2, m.use_cases_business_gets_3],
    check: m.use_cases_business_check,
    tools: [business, prompts, writer],
  },
];

/** `guide` is the id of the industry's section in the article on industries. */
export interface Industry {
  name: () => string;
  description: () => string;
  guide: string;
  tools: readonly CaseTool[];
}

export const industries: readonly Industry[] = [
  {
    name: m.use_cases_field_retail,
    description: m.use_cases_field_retail_description,
    guide: 'retail',
    tools: [writer, image],
  },
  {
    name: m.use_cases_field_software,
    description: m.use_cases_field_software_description,
    guide: 'software',
    tools: [code, prompts],
  },
  {
    name: m.use_cases_field_education,
    description: m.use_cases_field_education_description,
    guide: 'education',
    tools: [writer, pdf],
  },
  {
    name: m.use_cases_field_law,
    description: m.use_cases_field_law_description,
    guide: 'law',
    tools: [pdf, writer],
  },
  {
    name: m.use_cases_field_health,
    description: m.use_cases_field_health_description,
    guide: 'health-care',
    tools: [writer, pdf],
  },
  {
    name: m.use_cases_field_estate,
    description: m.use_cases_field_estate_description,
    guide: 'real-estate',
    tools: [writer, image],
  },
];

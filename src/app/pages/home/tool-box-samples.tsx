import type { ReactNode } from 'react';
import { m } from '#messages';
import { sampleImagesNote } from '#shared/sample-notes.ts';
import { SampleImage } from './sample-image.tsx';

const mark = (text: string) => <span className="mark">{text}</span>;
const b = (text: string) => <b>{text}</b>;
const blank = (text: string) => <span className="border-b border-fg">{text}</span>;

interface SampleProps {
  tool: string;
  request: ReactNode;
  about?: string;
  children: ReactNode;
}

function Sample({ tool, request, about, children }: SampleProps) {
  return (
    <div data-on={tool}>
      <div className="grid grid-cols-[15rem_minmax(0,1fr)] gap-8 h-84 pt-6 px-6 overflow-hidden max-md:grid-cols-1 max-md:gap-4 max-md:h-auto max-md:p-4">
        <div className="grid gap-2 content-start">
          <p className="eyebrow">{m.common_sample()}</p>
          <p>{request}</p>
          {about ? <p className="fine">{about}</p> : null}
        </div>
        {children}
      </div>
    </div>
  );
}

function Paper({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={`grid gap-3 content-start py-6 px-8 overflow-hidden bg-surface border border-line border-b-0 rounded-t-md max-md:border-b max-md:rounded-md max-md:py-4 max-md:px-4 ${className}`}
    >
      {children}
    </div>
  );
}

/** Days per year, their cost at 89 dollars a day, and the width of the bar, where 100% is 40 days. */
const rentals = [
  [12, 1068, 'w-[30%]'],
  [24, 2136, 'w-[60%]'],
  [35, 3115, 'w-[87.5%]'],
] as const;
const owning = [3050, 'w-[85.7%]'] as const;

interface CostRowProps {
  name: string;
  dollars: number;
  width: string;
  isOwning?: boolean;
}

function CostRow({ name, dollars, width, isOwning }: CostRowProps) {
  return (
    <tr className={isOwning ? 'border-t border-fg font-semibold' : 'not-first:border-t border-line'}>
      <th className="py-2 pe-3 text-start font-[inherit] whitespace-nowrap" scope="row">
        {name}
      </th>
      <td className="w-3/5">
        <span
          className={`block h-2 rounded-sm forced-color-adjust-none ${width} ${isOwning ? 'bg-line-strong' : 'bg-fg'}`}
        />
      </td>
      <td className="ps-3 text-end whitespace-nowrap">{m.home_sample_dollars({ dollars })}</td>
    </tr>
  );
}

function ChatSample() {
  return (
    <Sample tool="chat" request={m.home_sample_chat()}>
      <Paper className="md:grid-cols-2 gap-x-10">
        <div className="grid gap-3 content-start">
          <p>{m.home_sample_chat_reply({ mark })}</p>
          <p className="text-sm text-fg-muted">{m.home_sample_chat_note()}</p>
        </div>
        <table className="text-sm self-start">
          <caption className="fine text-start pb-1.5">{m.home_sample_chat_table()}</caption>
          <tbody>
            {rentals.map(([days, dollars, width]) => (
              <CostRow key={days} name={m.home_sample_days({ days })} dollars={dollars} width={width} />
            ))}
            <CostRow name={m.home_sample_owning()} dollars={owning[0]} width={owning[1]} isOwning />
          </tbody>
        </table>
      </Paper>
    </Sample>
  );
}

function ScriptSample() {
  return (
    <Sample tool="script" request={m.home_sample_script()} about={m.home_sample_script_about()}>
      <Paper className="group-has-[#tool-script:checked]/stage:font-mono text-sm">
        <p className="font-semibold">{m.home_sample_script_scene()}</p>
        <p>{m.home_sample_script_action()}</p>
        <div className="mx-auto max-w-72 text-center">
          <p>{m.home_sample_script_first()}</p>
          <p>{m.home_sample_script_line({ mark })}</p>
        </div>
        <div className="mx-auto max-w-72 text-center">
          <p>{m.home_sample_script_second()}</p>
          <p>{m.home_sample_script_answer()}</p>
        </div>
        <p>{m.home_sample_script_end()}</p>
      </Paper>
    </Sample>
  );
}

function ImageSample() {
  const images = [
    { name: 'kettle', prompt: m.home_image_kettle({ mark }), alt: m.home_image_kettle_alt() },
    { name: 'pears', prompt: m.images_sample_pears(), alt: m.home_image_pears_alt() },
    { name: 'nook', prompt: m.images_sample_nook(), alt: m.home_image_nook_alt() },
    { name: 'saturn', prompt: m.home_image_saturn(), alt: m.home_image_saturn_alt() },
  ] as const;
  return (
    <div data-on="image">
      <div className="h-84 pt-5 px-6 max-md:h-auto max-md:p-4">
        <p className="eyebrow mb-2">{sampleImagesNote()}</p>
        <ul className="grid grid-cols-[3fr_2fr_2fr_2fr] gap-3 max-md:grid-cols-2">
          {images.map(({ name, prompt, alt }) => (
            <li key={name} className="max-md:first:col-span-2 max-md:last:hidden">
              <SampleImage name={name} alt={alt} />
              <p className="mt-1.5 text-xs text-fg-muted">{prompt}</p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/**
 * Renders all samples; home.css shows that of the selected tab. Only that one has its font: a layout that the browser
 * forces before home.css has loaded would load those of all.
 */
export function ToolBoxSamples() {
  return (
    <>
      <ChatSample />
      <Sample tool="writer" request={m.home_sample_writer()} about={m.home_sample_writer_about()}>
        <Paper className="group-has-[#tool-writer:checked]/stage:font-serif text-lg/[1.55]">
          <p className="text-2xl">{m.home_sample_writer_title()}</p>
          <p>{m.home_sample_writer_first()}</p>
          <p>{m.home_sample_writer_second()}</p>
        </Paper>
      </Sample>
      <Sample tool="pdf" request={m.home_sample_pdf()} about={m.home_sample_pdf_about()}>
        <Paper>
          <p>{m.home_sample_pdf_answer({ b })}</p>
          <p className="fine pt-3 border-t border-line">{m.home_sample_pdf_page()}</p>
          <div className="grid gap-2 max-w-(--measure) group-has-[#tool-pdf:checked]/stage:font-serif">
            <p className="text-lg">{m.home_sample_pdf_rent_title()}</p>
            <p>{m.home_sample_pdf_rent()}</p>
            <p className="text-lg">{m.home_sample_pdf_raise_title()}</p>
            <p>{mark(m.home_sample_pdf_raise())}</p>
          </div>
        </Paper>
      </Sample>
      <ImageSample />
      <ScriptSample />
      <Sample tool="prompts" request={m.home_sample_prompts()} about={m.home_sample_prompts_about()}>
        <Paper className="grid-cols-[minmax(0,1fr)_16rem] gap-x-8 max-md:grid-cols-1">
          <p>{m.home_sample_prompts_text({ mark, blank })}</p>
          <div>
            <SampleImage name="thermos" alt={m.home_image_thermos_alt()} />
          </div>
        </Paper>
      </Sample>
    </>
  );
}

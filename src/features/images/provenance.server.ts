import type { PngMetadata } from '#platform/images/png-metadata.server.ts';
import { escapeXml } from '#shared/escape-xml.ts';
import { setting } from '#shared/settings.ts';

export interface Provenance {
  prompt: string;
  model: string;
  madeAt: Date;
  /** Out of an archive, whose word all of this is. */
  imported: boolean;
}

/** IPTC's name for pictures made by a trained model (cv.iptc.org/newscodes/digitalsourcetype). */
const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

/** Readers of XML take a tab or a line break in an attribute for a space. */
const attribute = (text: string) =>
  escapeXml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

function xmpOf(software: string, facts: Provenance | null): string {
  const own = facts
    ? ` xmp:CreateDate="${facts.madeAt.toISOString()}"
 Iptc4xmpExt:AISystemUsed="${attribute(facts.model)}" Iptc4xmpExt:AIPromptInformation="${attribute(facts.prompt)}"`
    : '';
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmp:CreatorTool="${attribute(software)}"
 Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}"${own}/>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

const source = ['Source', 'AI-generated image'] as const;

/** What else its file says of it is the word of an archive. */
const imported = ['Comment', 'Imported'] as const;

export function provenanceMetadata(provenance: Provenance): PngMetadata {
  const { prompt, model, madeAt } = provenance;
  // One that came out of an archive was not made here.
  const software = provenance.imported ? model : `${setting('brand.name')}, ${model}`;
  return {
    texts: [
      ['Description', prompt],
      ['Software', software],
      ['Creation Time', madeAt.toUTCString()],
      source,
      ...(provenance.imported ? [imported] : []),
    ],
    xmp: xmpOf(software, provenance),
  };
}

/** For people who may not know the prompt: that it was generated, and where. */
export function sharedMetadata(): PngMetadata {
  const software = setting('brand.name');
  return { texts: [['Software', software], source], xmp: xmpOf(software, null) };
}

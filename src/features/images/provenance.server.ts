import type { PngMetadata } from '#platform/images/png-metadata.server.ts';
import { escapeXml } from '#shared/escape-xml.ts';
import { setting } from '#shared/settings.ts';

export interface Provenance {
  prompt: string;
  model: string;
  madeAt: Date;
  /** From an archive, so none of these facts can be verified. */
  imported: boolean;
}

/** IPTC's term for media created by a trained model (cv.iptc.org/newscodes/digitalsourcetype). */
const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

/** XML parsers turn a literal tab or line break in an attribute into a space. */
const attribute = (text: string) =>
  escapeXml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

function xmpOf(software: string, facts: Provenance | null): string {
  const details = facts
    ? ` xmp:CreateDate="${facts.madeAt.toISOString()}"
 Iptc4xmpExt:AISystemUsed="${attribute(facts.model)}" Iptc4xmpExt:AIPromptInformation="${attribute(facts.prompt)}"`
    : '';
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmp:CreatorTool="${attribute(software)}"
 Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}"${details}/>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

const source = ['Source', 'AI-generated image'] as const;

/** Marks the other facts in the file as claims of an archive. */
const imported = ['Comment', 'Imported'] as const;

export function provenanceMetadata(provenance: Provenance): PngMetadata {
  const { prompt, model, madeAt } = provenance;
  // An imported image was not made by this site.
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

/** Metadata for people who may not see the prompt: that the image was generated, and by which site. */
export function sharedMetadata(): PngMetadata {
  const software = setting('brand.name');
  return { texts: [['Software', software], source], xmp: xmpOf(software, null) };
}

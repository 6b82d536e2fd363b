import { m } from '#messages';

export const attachmentTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
];

export const attachmentTexts = {
  get tooLarge() {
    return m.chat_file_too_large();
  },
  get wrongType() {
    return m.chat_file_wrong_type();
  },
} as const;

/** Extensions of files that are read as text. Not `svg`: people who send one mean a drawing. */
const extensions = new Set(
  (
    'txt text md markdown mdx rst adoc tex log csv tsv json jsonl ndjson json5 geojson ipynb xml xsl xsd html htm css scss sass less ' +
    'yaml yml toml ini cfg conf properties env js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php java kt kts scala ' +
    'groovy gradle go rs c h cc cpp cxx hpp hh cs fs vb swift m mm dart lua pl pm r jl ex exs erl hs ml clj cljs lisp el zig nim sol ' +
    'asm s sh bash zsh fish ps1 bat cmd sql graphql gql proto tf hcl cmake mk diff patch srt vtt ics vcf eml bib po fountain'
  ).split(' '),
);

const plainFileNames =
  /^(?:makefile|dockerfile|readme|license|changelog|gemfile|rakefile|procfile|jenkinsfile)$/i;

const extensionOf = (name: string) => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();

export function isTextFileName(name: string): boolean {
  const extension = extensionOf(name);
  return extension === undefined ? plainFileNames.test(name) : extensions.has(extension);
}

export const documentFormats = ['docx', 'xlsx', 'epub'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** Returns the archive format that the name indicates. */
export const formatOfName = (name: string): DocumentFormat | undefined =>
  documentFormats.find((format) => format === extensionOf(name));

/** By name, because systems that cannot show HEIC report no type for it. */
export const isHeicName = (name: string) => /\.hei[cf]$/i.test(name);

/** For a file picker. */
export const documentExtensions = [...documentFormats, 'heic', 'heif', ...extensions].map(
  (extension) => `.${extension}`,
);

/** Label on the small icon of a file. */
export const extensionLabel = (name: string): string =>
  (extensionOf(name) ?? 'txt').slice(0, 4).toUpperCase();

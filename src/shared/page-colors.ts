/** `--bg` of src/ui/tokens.css for what draws around the page; colors of sRGB, which is all that it takes. */
export const pageColors = { light: '#fbfaf7', dark: '#131310' } as const;

/** `--bg` of src/ui/tokens.css for the browser's UI around the page, which only accepts sRGB. */
export const pageColors = { light: '#fbfaf7', dark: '#131310' } as const;

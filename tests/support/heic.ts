/**
 * 96 x 64 pixels, red with a blue quarter at the upper left, and metadata that rotates the image by 90 degrees to the
 * left: it is shown as 64 x 96 with the blue quarter at the lower left. Made by heif-enc (libheif 1.15, x265).
 */
export const turnedHeic = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFwAAEAAAAAAAAAVAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAzGlwcnAAAACtaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AQAAABdpcG1hAAAAAAAAAAEAAQSBAoOEAAAAXG1kYXQAAABQKAGvE4B41YXIv//5OlFf+J7q/5iwPBLBfbnP/4Vo5fi418Hmf5nfhNDwBeauvwjZEBgO9oyuN2MpWn7L35nXhc1/8B4Lf5GKoTH/W9b6Ot4=',
  'base64',
);

/** Returns the image with another size in its `ispe` property (ISO 23008-12, 6.5.3). */
export function heicOfSize(width: number, height: number): Buffer {
  const bytes = Buffer.from(turnedHeic);
  const at = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(width, at);
  bytes.writeUInt32BE(height, at + 4);
  return bytes;
}
